/* Each thread takes sixteen neighbouring ints, by plain loops. */
#include "scan_shared.h"

enum { ITEMS = 16 };

__device__ int scan_block(int value, int *temp) {
    unsigned t = threadIdx.x;

    temp[t] = value;
    __syncthreads();

    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        int left = t >= d ? temp[t - d] : 0;
        __syncthreads();
        temp[t] += left;
        __syncthreads();
    }
    return temp[t];
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int items[ITEMS], own = 0;

    for (int i = 0; i < ITEMS; i++) {
        items[i] = first + i < n ? in[first + i] : 0;
        own += items[i];
    }
    int before = scan_block(own, temp) - own;

    for (int i = 0; i < ITEMS; i++) {
        int up_to = before + items[i];
        if (first + i < n)
            out[first + i] = exclusive ? before : up_to;
        before = up_to;
    }
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = before;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;

    for (int i = 0; i < ITEMS; i++)
        if (first + i < n)
            out[first + i] += offsets[blockIdx.x];
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;

    size_t tile = (size_t)block * ITEMS, tiles = (n + tile - 1) / tile;
    int *totals = tiles > 1 ? scratch : NULL;

    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       totals);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1)
        return error;

    error = scan(totals, tiles, block, true, scratch + tiles, totals);
    if (error != cudaSuccess)
        return error;

    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, totals);
    return cudaGetLastError();
}

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, false, scratch, out);
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, true, scratch, out);
}
