// A sum step by step: pairs in global memory (neighbours, neighbours by packed threads, halves), then
// in shared memory the rungs from a divergent tree to many elements a thread, unrolled by templates.
#include "program.cuh"
#include <vector>

constexpr int BLOCK = 128;

__global__ void pairs_neighboured(int *in, int *out, int n)
{
    int *tile = in + blockIdx.x * blockDim.x, t = threadIdx.x;
    int size = min(n - (int)(blockIdx.x * blockDim.x), (int)blockDim.x);
    for (int stride = 1; stride < size; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < size)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = tile[0];
}

__global__ void pairs_packed(int *in, int *out, int n)
{
    int *tile = in + blockIdx.x * blockDim.x;
    int size = min(n - (int)(blockIdx.x * blockDim.x), (int)blockDim.x);
    for (int stride = 1; stride < size; stride *= 2) {
        int i = 2 * stride * threadIdx.x;
        if (i + stride < size)
            tile[i] += tile[i + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = tile[0];
}

__global__ void pairs_interleaved(int *in, int *out, int n)
{
    int *tile = in + blockIdx.x * blockDim.x, t = threadIdx.x;
    int size = min(n - (int)(blockIdx.x * blockDim.x), (int)blockDim.x);
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride && t + stride < size)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = tile[0];
}

// Since Volta lanes of a warp need not go in step: each step of the unrolled warp waits for the last.
template <int SIZE> __device__ void sum_last_warp(volatile int *tile, int t)
{
    int sum = tile[t];
    if (SIZE >= 64) {
        sum += tile[t + 32];
        __syncwarp();
        tile[t] = sum;
        __syncwarp();
    }
#pragma unroll
    for (int stride = 16; stride > 0; stride /= 2) {
        sum += tile[t + stride];
        __syncwarp();
        tile[t] = sum;
        __syncwarp();
    }
}

enum rung { DIVERGENT, STRIDED, SEQUENTIAL, FIRST_ADD, LAST_WARP, UNROLLED, MANY };

template <rung R> __global__ void climb(const int *in, int *out, int n)
{
    __shared__ int tile[BLOCK + 32];
    int t = threadIdx.x, sum = 0;
    if (R < FIRST_ADD) {
        int i = blockIdx.x * BLOCK + t;
        sum = i < n ? in[i] : 0;
    } else {
        int turn = 2 * BLOCK * gridDim.x;
        for (int i = blockIdx.x * 2 * BLOCK + t; i < n; i += R == MANY ? turn : n)
            sum += in[i] + (i + BLOCK < n ? in[i + BLOCK] : 0);
    }
    tile[t] = sum;
    if (t < 32)
        tile[BLOCK + t] = 0;
    __syncthreads();
    if (R == DIVERGENT) {
        for (int stride = 1; stride < BLOCK; stride *= 2) {
            if (t % (2 * stride) == 0)
                tile[t] += tile[t + stride];
            __syncthreads();
        }
    } else if (R == STRIDED) {
        for (int stride = 1; stride < BLOCK; stride *= 2) {
            int i = 2 * stride * t;
            if (i < BLOCK)
                tile[i] += tile[i + stride];
            __syncthreads();
        }
    } else if (R == SEQUENTIAL || R == FIRST_ADD) {
        for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
            if (t < stride)
                tile[t] += tile[t + stride];
            __syncthreads();
        }
    } else if (R == LAST_WARP) {
        for (int stride = BLOCK / 2; stride > 32; stride /= 2) {
            if (t < stride)
                tile[t] += tile[t + stride];
            __syncthreads();
        }
    } else {
        if (BLOCK >= 256) {
            if (t < 128)
                tile[t] += tile[t + 128];
            __syncthreads();
        }
        if (BLOCK >= 128) {
            if (t < 64)
                tile[t] += tile[t + 64];
            __syncthreads();
        }
    }
    if (R >= LAST_WARP && t < 32)
        sum_last_warp<BLOCK>(tile, t);
    if (t == 0)
        out[blockIdx.x] = tile[0];
}

typedef void (*pairs)(int *, int *, int);
typedef void (*ladder)(const int *, int *, int);

int main()
{
    const pairs in_place[] = {pairs_neighboured, pairs_packed, pairs_interleaved};
    const ladder rungs[] = {climb<DIVERGENT>, climb<STRIDED>,  climb<SEQUENTIAL>, climb<FIRST_ADD>,
                            climb<LAST_WARP>, climb<UNROLLED>, climb<MANY>};
    for (int n : {1, 127, 4096, 20011}) {
        std::vector<int> in(n), partial;
        int expected = 0, *d_in, *d_out, blocks = (n + BLOCK - 1) / BLOCK;
        for (int i = 0; i < n; i++)
            expected += in[i] = i % 23 - 7;
        CHECK(cudaMalloc(&d_in, n * sizeof(int)));
        CHECK(cudaMalloc(&d_out, blocks * sizeof(int)));
        for (int version = 0; version < 10; version++) {
            CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
            int grid = version < 6 ? blocks : version < 9 ? (blocks + 1) / 2 : (blocks + 7) / 8;
            if (version < 3)
                in_place[version]<<<grid, BLOCK>>>(d_in, d_out, n);
            else
                rungs[version - 3]<<<grid, BLOCK>>>(d_in, d_out, n);
            CHECK(cudaGetLastError());
            partial.resize(grid);
            CHECK(cudaMemcpy(partial.data(), d_out, grid * sizeof(int), cudaMemcpyDeviceToHost));
            int got = 0;
            for (int sum : partial)
                got += sum;
            EXPECT(got == expected);
        }
        CHECK(cudaFree(d_in));
        CHECK(cudaFree(d_out));
        printf("%d: %d in ten ways\n", n, expected);
    }
    return 0;
}
