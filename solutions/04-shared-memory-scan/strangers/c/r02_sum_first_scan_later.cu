// Right: the first phase only finds the totals, and the last one reads the input again, scans it and adds the offset: 12 bytes an int in place of 16.
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = -1;
extern "C" const int predicted_divergent_branches_512 = -1;
extern "C" const int predicted_launches = -1;
extern "C" const int predicted_crossings_of_an_int = -1;

enum { ITEMS = 1 };

__device__ int scan_block(int value, int *temp) {
    const unsigned t = threadIdx.x;
    temp[t] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        int left = 0;
        if (t >= d)
            left = temp[t - d];
        __syncthreads();
        value += left;
        temp[t] = value;
        __syncthreads();
    }
    return value;
}

__global__ void totals_kernel(const int *in, size_t n, int *totals) {
    extern __shared__ int temp[];
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int sum = scan_block(i < n ? in[i] : 0, temp);
    if (threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}

__global__ void scan_kernel(const int *in, size_t n, bool exclusive, const int *offsets, int *out) {
    extern __shared__ int temp[];
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int own = i < n ? in[i] : 0;
    int sum = scan_block(own, temp);
    if (offsets)
        sum += offsets[blockIdx.x];
    if (i < n)
        out[i] = exclusive ? sum - own : sum;
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    const size_t tiles = (n + block - 1) / block;
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    const size_t bytes = block * sizeof(int);
    cudaError_t error = cudaSuccess;
    if (tiles > 1) {
        totals_kernel<<<(unsigned)tiles, block, bytes>>>(in, n, scratch);
        error = cudaGetLastError();
        if (error == cudaSuccess)
            error = scan(scratch, tiles, block, true, scratch + tiles, scratch);
        if (error != cudaSuccess)
            return error;
    }
    scan_kernel<<<(unsigned)tiles, block, bytes>>>(in, n, exclusive, tiles > 1 ? scratch : nullptr, out);
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
