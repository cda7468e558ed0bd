/* Adds the total of the tile before, but does not scan the totals. */
#define OWN_ADD_OFFSETS_KERNEL
#define OWN_SCAN
#include "rest.cuh"

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (gid < n)
        out[gid] += blockIdx.x > 0 ? offsets[blockIdx.x - 1] : 0;
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;

    size_t tiles = (n + block - 1) / block;
    int *totals = tiles > 1 ? scratch : NULL;

    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       totals);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1)
        return error;

    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, totals);
    return cudaGetLastError();
}
