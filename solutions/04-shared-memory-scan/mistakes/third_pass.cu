/* A copy of the input to out before all else, which three phases do not need. */
#define OWN_SCAN
#include "rest.cuh"

__global__ void copy_kernel(const int *in, size_t n, int *out) {
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (gid < n)
        out[gid] = in[gid];
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;

    size_t tiles = (n + block - 1) / block;
    int *totals = tiles > 1 ? scratch : NULL;

    copy_kernel<<<(unsigned)tiles, block>>>(in, n, out);
    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(out, n, exclusive, out,
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
