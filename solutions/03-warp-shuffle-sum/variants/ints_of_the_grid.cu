/* A grid as large as the device, whose number of elements a turn fits into an int on every device. */
#include "shuffle_sum.h"

#define ALL_LANES 0xffffffffu

__device__ float warp_sum_all(float value) {
    for (unsigned bit = 1; bit < 32; bit *= 2)
        value += __shfl_xor_sync(ALL_LANES, value, bit);
    return value;
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    float sum = warp_sum_all(i < n ? in[i] : 0);
    if (i < n)
        out[i] = sum;
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (n == 0)
        return cudaSuccess;
    sum_warps_all_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
}

__device__ float warp_sum_first(float value) {
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta);
    return value;
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    float sum = warp_sum_first(i < n ? in[i] : 0);
    if (i < n && threadIdx.x % 32 == 0)
        out[i / 32] = sum;
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (n == 0)
        return cudaSuccess;
    sum_warps_first_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
}

__device__ float block_sum(float value) {
    __shared__ float sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    value = warp_sum_first(value);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = warp_sum_first(lane < n_warps ? sums[lane] : 0);
    return value;
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * block + t;

    float sum = block_sum(t < block && i < n ? in[i] : 0);
    if (t == 0)
        out[blockIdx.x] = sum;
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    unsigned threads = (block + 31) / 32 * 32;

    if (n == 0)
        return cudaSuccess;
    sum_blocks_kernel<<<(unsigned)((n + block - 1) / block), threads>>>(in, n, block, out);
    return cudaGetLastError();
}

enum { ITEMS = 32 }; // elements of a thread in a turn

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    int per_turn = gridDim.x * blockDim.x * ITEMS;
    float mine = 0;

    for (size_t first = 0; first < n; first += per_turn)
        for (int item = 0; item < ITEMS; item++) {
            int place = (item * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
            if (first + place < n)
                mine += in[first + place];
        }
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    int device = 0, n_multiprocessors = 0, resident = 0;
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);

    if (error != cudaSuccess || n == 0)
        return error;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n_multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sum_grid_kernel, block, 0);
    size_t tile = (size_t)block * ITEMS, tiles = (n + tile - 1) / tile;
    size_t most = (size_t)n_multiprocessors * resident;
    sum_grid_kernel<<<(unsigned)(tiles < most ? tiles : most), block>>>(in, n, sum);
    return cudaGetLastError();
}
