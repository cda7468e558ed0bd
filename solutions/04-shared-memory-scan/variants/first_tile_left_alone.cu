/* Nothing comes before the first tile: its block leaves at once. */
#include "scan_shared.h"

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
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int own = gid < n ? in[gid] : 0;
    int sum = scan_block(own, temp);

    if (gid < n)
        out[gid] = exclusive ? sum - own : sum;
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (blockIdx.x == 0)
        return;
    if (gid < n)
        out[gid] += offsets[blockIdx.x];
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
