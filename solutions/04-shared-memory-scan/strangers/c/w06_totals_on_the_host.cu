// Wrong: the few totals are copied to the host, scanned there and copied back, where kernels have to do the work and no data may go by way of the host.
// Kind: host_work
#include "scan_shared.h"
#include <stdlib.h>

extern "C" const int predicted_barriers_of_a_warp = -1;
extern "C" const int predicted_divergent_branches_512 = -1;
extern "C" const int predicted_launches = -1;
extern "C" const int predicted_crossings_of_an_int = -1;

enum { ITEMS = 1 };

__device__ int scan_block(int value, int *temp) {
    temp[threadIdx.x] = value;
    __syncthreads();
    for (int d = 1; d < (int)blockDim.x; d *= 2) {
        int neighbour = (int)threadIdx.x - d;
        int v = 0;
        if (neighbour >= 0)
            v = temp[neighbour];
        __syncthreads();
        if (neighbour >= 0)
            temp[threadIdx.x] = value = value + v;
        __syncthreads();
    }
    return value;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const bool here = i < n;
    const int x = here ? in[i] : 0;
    const int s = scan_block(x, temp);
    if (here) out[i] = s - (exclusive ? x : 0);
    if (totals && threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = s;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += offsets[blockIdx.x];
}

/* A short serial exclusive scan: a CPU is quick at that. */
static cudaError_t serial_scan(int *totals, size_t count) {
    unsigned *copy = (unsigned *)malloc(count * sizeof *copy), sum = 0;
    if (!copy)
        return cudaErrorMemoryAllocation;
    cudaError_t error = cudaMemcpy(copy, totals, count * sizeof *copy, cudaMemcpyDeviceToHost);
    for (size_t i = 0; !error && i < count; i++) {
        unsigned own = copy[i];
        copy[i] = sum;
        sum += own;
    }
    if (!error)
        error = cudaMemcpy(totals, copy, count * sizeof *copy, cudaMemcpyHostToDevice);
    free(copy);
    if (error)
        cudaGetLastError();
    return error;
}

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    size_t tiles = (n + block - 1) / block;
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       tiles > 1 ? scratch : NULL);
    cudaError_t error = cudaGetLastError();
    if (error || tiles == 1)
        return error;
    error = tiles <= 4096 ? serial_scan(scratch, tiles) : scan(scratch, tiles, block, true, scratch + tiles, scratch);
    if (error)
        return error;
    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, scratch);
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
