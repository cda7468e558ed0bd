// Bitonic sort: one launch a step, the small steps within a block.
#include "program.cuh"
#include <algorithm>
#include <vector>

__device__ void order(unsigned &a, unsigned &b, bool ascending)
{
    if ((a > b) == ascending) {
        unsigned t = a;
        a = b;
        b = t;
    }
}

__global__ void step_kernel(unsigned *keys, int j, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ j;
    if (partner > i)
        order(keys[i], keys[partner], (i & k) == 0);
}

__global__ void small_steps_kernel(unsigned *keys, int j, int k)
{
    extern __shared__ unsigned tile[];
    int base = blockIdx.x * blockDim.x, t = threadIdx.x;
    tile[t] = keys[base + t];
    for (; j > 0; j /= 2) {
        __syncthreads();
        int partner = t ^ j;
        if (partner > t)
            order(tile[t], tile[partner], ((base + t) & k) == 0);
    }
    __syncthreads();
    keys[base + t] = tile[t];
}

int main()
{
    const int n = 1 << 12, block = 256;
    std::vector<unsigned> keys(n), got(n);
    unsigned seed = 3, *d_keys;
    for (unsigned &key : keys)
        key = next_random(&seed);
    CHECK(cudaMalloc(&d_keys, n * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    for (int k = 2; k <= n; k *= 2) {
        int j = k / 2;
        for (; j >= block; j /= 2)
            step_kernel<<<n / block, block>>>(d_keys, j, k);
        small_steps_kernel<<<n / block, block, block * sizeof(unsigned)>>>(d_keys, j, k);
    }
    CHECK(cudaMemcpy(got.data(), d_keys, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::sort(keys.begin(), keys.end());
    EXPECT(got == keys);
    CHECK(cudaFree(d_keys));
    printf("sorted %d keys\n", n);
    return 0;
}
