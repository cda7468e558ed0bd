// Wrong: instead of scanning the totals, every thread of the last phase adds up all totals before its tile; the values are right, but far more sectors are loaded than three phases need.
// Kind: technique
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 1 };

__device__ int scan_block(int value, int *temp) {
    const unsigned rank = threadIdx.x, size = blockDim.x;
    temp[rank] = value;
    __syncthreads();
    for (unsigned hop = 1; hop < size; hop += hop) {
        int received = rank >= hop ? temp[rank - hop] : 0;
        __syncthreads();
        temp[rank] = value = value + received;
        __syncthreads();
    }
    return value;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int own = 0;
    if (at < n)
        own = in[at];
    const int sum = scan_block(own, temp);
    if (at < n)
        out[at] = exclusive ? sum - own : sum;
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *totals) {
    const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int before = 0;
    for (unsigned b = 0; b < blockIdx.x; b++) before += totals[b];
    if (at < n)
        out[at] += before;
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
    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       tiles > 1 ? scratch : 0);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1)
        return error;
    error = cudaSuccess; // phase 2 is done by phase 3
    if (error != cudaSuccess)
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
