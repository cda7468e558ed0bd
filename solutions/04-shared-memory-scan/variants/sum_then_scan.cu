/* The first launch only adds up the tiles; the last one scans them, each from its offset. */
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

__global__ void sum_tiles_kernel(const int *in, size_t n, int *totals) {
    extern __shared__ int temp[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    temp[t] = gid < n ? in[gid] : 0;
    __syncthreads();
    for (unsigned width = blockDim.x; width > 1;) {
        unsigned half = (width + 1) / 2;
        if (t + half < width)
            temp[t] += temp[t + half];
        __syncthreads();
        width = half;
    }
    if (t == 0)
        totals[blockIdx.x] = temp[0];
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out,
                                  const int *offsets) {
    extern __shared__ int temp[];
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int own = gid < n ? in[gid] : 0;
    int sum = scan_block(own, temp) + (offsets != NULL ? offsets[blockIdx.x] : 0);

    if (gid < n)
        out[gid] = exclusive ? sum - own : sum;
}



static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;

    size_t tiles = (n + block - 1) / block, bytes = block * sizeof(int);
    int *offsets = tiles > 1 ? scratch : NULL;

    if (tiles > 1) {
        sum_tiles_kernel<<<(unsigned)tiles, block, bytes>>>(in, n, offsets);
        cudaError_t error = cudaGetLastError();
        if (error == cudaSuccess)
            error = scan(offsets, tiles, block, true, scratch + tiles, offsets);
        if (error != cudaSuccess)
            return error;
    }
    scan_tiles_kernel<<<(unsigned)tiles, block, bytes>>>(in, n, exclusive, out, offsets);
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
