// A sum in five ways: neighbours, halves, unrolled by a template, shuffles, and the last block.
#include "program.cuh"
#include <vector>

__global__ void sum_neighbours(const int *in, int *out, int n)
{
    extern __shared__ int tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, tile[0]);
}

__global__ void sum_halves(const int *in, int *out, int n)
{
    extern __shared__ int tile[];
    int i = blockIdx.x * blockDim.x * 2 + threadIdx.x, t = threadIdx.x;
    tile[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            tile[t] += tile[t + half];
    }
    if (t == 0)
        atomicAdd(out, tile[0]);
}

template <int BLOCK>
__global__ void sum_unrolled(const int *in, int *out, int n)
{
    __shared__ int tile[BLOCK];
    int t = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK)
        sum += in[i];
    tile[t] = sum;
    __syncthreads();
    if constexpr (BLOCK >= 256) {
        if (t < 128)
            tile[t] += tile[t + 128];
        __syncthreads();
    }
    if (t < 64)
        tile[t] += tile[t + 64];
    __syncthreads();
    if (t < 32) {
        sum = tile[t] + tile[t + 32];
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (t == 0)
            atomicAdd(out, sum);
    }
}

__global__ void sum_warps(const int *in, int *out, int n)
{
    __shared__ int warps[32];
    int sum = 0, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
#if __CUDA_ARCH__ >= 800
    sum = __reduce_add_sync(0xffffffff, sum);
#else
    for (int mask = 16; mask > 0; mask /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
#endif
    if (lane == 0)
        warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warps[lane] : 0;
        for (int mask = 16; mask > 0; mask /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, mask);
        if (lane == 0)
            atomicAdd(out, sum);
    }
}

__device__ unsigned n_finished;

// Blocks leave their sums behind; the one that is last adds them up.
__global__ void sum_last_block(const int *in, int *out, int n, volatile int *partial)
{
    __shared__ int sum;
    __shared__ bool is_last;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(&n_finished, gridDim.x - 1) == gridDim.x - 1;
        sum = 0;
    }
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        atomicAdd(&sum, partial[b]);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = sum;
}

int main()
{
    const int n = 30011;
    std::vector<int> in(n);
    int expected = 0, *d_in, *d_out, *d_partial;
    for (int i = 0; i < n; i++)
        expected += in[i] = i % 17 - 5;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, sizeof(int)));
    CHECK(cudaMalloc(&d_partial, 256 * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    const int threads = 256, blocks = (n + threads - 1) / threads;
    for (int version = 0; version < 6; version++) {
        int got = 0;
        CHECK(cudaMemset(d_out, 0, sizeof(int)));
        switch (version) {
        case 0: sum_neighbours<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out, n); break;
        case 1: sum_halves<<<(blocks + 1) / 2, threads, threads * sizeof(int)>>>(d_in, d_out, n); break;
        case 2: sum_unrolled<256><<<20, 256>>>(d_in, d_out, n); break;
        case 3: sum_unrolled<128><<<20, 128>>>(d_in, d_out, n); break;
        case 4: sum_warps<<<20, threads>>>(d_in, d_out, n); break;
        case 5: sum_last_block<<<blocks, threads>>>(d_in, d_out, n, d_partial); break;
        }
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&got, d_out, sizeof(int), cudaMemcpyDeviceToHost));
        EXPECT(got == expected);
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_partial));
    printf("sum %d\n", expected);
    return 0;
}
