// Wrong: scan_exclusive puts the 0 in front before it looks at n; where n is 0, where nothing may be written, out[0] is overwritten.
// Kind: bound
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = -1;
extern "C" const int predicted_divergent_branches_512 = -1;
extern "C" const int predicted_launches = -1;
extern "C" const int predicted_crossings_of_an_int = -1;

enum { ITEMS = 1 };

__device__ int scan_block(int value, int *temp) {
    int *word = temp + threadIdx.x;
    *word = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        const bool has_left = threadIdx.x >= d;
        int left;
        if (has_left)
            left = word[-(int)d];
        __syncthreads();
        if (has_left)
            *word = value += left;
        __syncthreads();
    }
    return value;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const size_t first = (size_t)blockIdx.x * blockDim.x;
    const unsigned count = n - first < blockDim.x ? (unsigned)(n - first) : blockDim.x;
    const int own = threadIdx.x < count ? in[first + threadIdx.x] : 0;
    const int sum = scan_block(own, temp);
    if (threadIdx.x < count)
        out[first + threadIdx.x] = exclusive ? sum - own : sum;
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += offsets[blockIdx.x];
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
                                                                       tiles > 1 ? scratch : NULL);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1)
        return error;
    error = scan(scratch, tiles, block, true, scratch + tiles, scratch);
    if (error != cudaSuccess)
        return error;
    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, scratch);
    return cudaGetLastError();
}

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, false, scratch, out);
}

/* An exclusive scan begins with a 0, whatever comes then: the sum of nothing. */
extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    cudaError_t error = cudaMemsetAsync(out, 0, sizeof *out);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    return scan(in, n, block, true, scratch, out);
}
