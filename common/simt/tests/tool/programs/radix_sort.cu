// Radix sort, a bit a pass, of one block: votes count the zeros before each key.
#include "program.cuh"
#include <algorithm>

constexpr int N = 512;

__global__ void sort_kernel(unsigned *keys)
{
    __shared__ unsigned from[N], to[N];
    __shared__ int warp_zeros[N / 32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned *in = from, *out = to;
    in[t] = keys[t];
    for (int bit = 0; bit < 24; bit++) {
        unsigned key = in[t];
        bool is_zero = !(key >> bit & 1);
        unsigned zeros = __ballot_sync(0xffffffff, is_zero);
        if (lane == 0)
            warp_zeros[warp] = __popc(zeros);
        __syncthreads();
        int before = __popc(zeros & ((1u << lane) - 1)), total = 0;
        for (int w = 0; w < N / 32; w++) {
            before += w < warp ? warp_zeros[w] : 0;
            total += warp_zeros[w];
        }
        out[is_zero ? before : total + t - before] = key;
        __syncthreads();
        unsigned *swap = in;
        in = out;
        out = swap;
    }
    keys[t] = in[t];
}

int main()
{
    unsigned keys[N], got[N], *d_keys, seed = 77;
    for (unsigned &key : keys)
        key = next_random(&seed);
    CHECK(cudaMalloc(&d_keys, sizeof keys));
    CHECK(cudaMemcpy(d_keys, keys, sizeof keys, cudaMemcpyHostToDevice));
    sort_kernel<<<1, N>>>(d_keys);
    CHECK(cudaMemcpy(got, d_keys, sizeof got, cudaMemcpyDeviceToHost));
    std::sort(keys, keys + N);
    EXPECT(memcmp(keys, got, sizeof got) == 0);
    CHECK(cudaFree(d_keys));
    printf("sorted %d keys\n", N);
    return 0;
}
