// Right: the totals are scanned inclusively, and tile b adds the scanned total of tile b - 1; the first tile adds nothing. The step keeps its number in a register and reads before it stores.
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 1 };

__device__ int scan_block(int value, int *temp) {
    unsigned d = 1;
    do {
        temp[threadIdx.x] = value;
        __syncthreads();
        if (threadIdx.x >= d)
            value += temp[threadIdx.x - d];
        __syncthreads();
        d += d;
    } while (d < blockDim.x);
    return value;
}

template <bool exclusive>
__global__ void scan_tiles_kernel(const int *in, size_t n, int *out, int *totals) {
    extern __shared__ int temp[];
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int own = 0;
    if (i < n)
        own = in[i];
    const int sum = scan_block(own, temp);
    if (i < n)
        out[i] = exclusive ? sum - own : sum;
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}

__global__ void add_previous_kernel(int *out, size_t n, const int *scanned) {
    if (blockIdx.x == 0)
        return;
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += scanned[blockIdx.x - 1];
}

template <bool exclusive>
static cudaError_t scan(const int *in, size_t n, unsigned block, int *scratch, int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    const size_t tiles = (n + block - 1) / block;
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    const unsigned grid = (unsigned)tiles;
    scan_tiles_kernel<exclusive><<<grid, block, block * sizeof(int)>>>(in, n, out, grid > 1 ? scratch : nullptr);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || grid == 1)
        return error;
    error = scan<false>(scratch, tiles, block, scratch + tiles, scratch);
    if (error != cudaSuccess)
        return error;
    add_previous_kernel<<<grid, block>>>(out, n, scratch);
    return cudaGetLastError();
}

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan<false>(in, n, block, scratch, out);
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan<true>(in, n, block, scratch, out);
}
