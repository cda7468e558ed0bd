/* The rest of the answer: what a mistake of this folder leaves as it should be. A mistake that has a
 * function of its own says so before it includes this. */
#include "three_phases.cuh"

#define ALL_LANES 0xffffffffu

#ifndef OWN_ITEMS
enum { ITEMS = 4 };
#endif

__device__ int warp_scan(int value);
__device__ int block_scan(int value);
__global__ void scan_warps_kernel(const int *in, size_t n, int *out);
__global__ void scan_blocks_kernel(const int *in, size_t n, int *out);
__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals);

#ifndef OWN_WARP_SCAN
__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x % 32;

    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL_LANES, value, d);
        if (lane >= d)
            value += left;
    }
    return value;
}
#endif

#ifndef OWN_SCAN_WARPS_KERNEL
__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    int sum = warp_scan(i < n ? in[i] : 0);
    if (i < n)
        out[i] = sum;
}
#endif

#ifndef OWN_SCAN_WARPS
extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    scan_warps_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
}
#endif

#ifndef OWN_BLOCK_SCAN
__device__ int block_scan(int value) {
    __shared__ int before[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    value = warp_scan(value);
    if (lane == 31)
        before[warp] = value;
    __syncthreads();

    if (warp == 0) {
        int total = lane < n_warps ? before[lane] : 0;
        before[lane] = warp_scan(total) - total;
    }
    __syncthreads();
    return before[warp] + value;
}
#endif

#ifndef OWN_SCAN_BLOCKS_KERNEL
__global__ void scan_blocks_kernel(const int *in, size_t n, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    int sum = block_scan(i < n ? in[i] : 0);
    if (i < n)
        out[i] = sum;
}
#endif

#ifndef OWN_SCAN_BLOCKS
extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    scan_blocks_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
}
#endif

#ifndef OWN_SCAN_TILES_KERNEL
__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int items[ITEMS], own = 0;

    load_items<ITEMS>(in, n, first, items);
    for (int i = 0; i < ITEMS; i++)
        own += items[i];

    int sum = block_scan(own) - own;

    for (int i = 0; i < ITEMS; i++) {
        int up_to = sum + items[i];
        items[i] = exclusive ? sum : up_to;
        sum = up_to;
    }
    store_items<ITEMS>(out, n, first, items);
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}
#endif

#ifndef OWN_SCAN_TILES
static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals) {
    if (tiles == 0)
        return cudaSuccess;
    scan_tiles_kernel<<<(unsigned)tiles, block>>>(in, n, exclusive, out, totals);
    return cudaGetLastError();
}
#endif

#ifndef OWN_ENTRIES
extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    return three_phases<ITEMS>(in, n, block, false, scratch, out);
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    return three_phases<ITEMS>(in, n, block, true, scratch, out);
}
#endif
