// Wrong: the number of steps is log2(block) rounded down; for blocks that are no power of two, such as 48 or 100, the last step is missing.
// Kind: bound
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 1 };

/* Two arrays of blockDim.x ints, whose roles change with each step. */
__device__ int scan_block(int value, int *temp) {
    const int steps = 31 - __clz((int)blockDim.x); // log2(block)
    unsigned read = 0;
    temp[threadIdx.x] = value;
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        const unsigned d = 1u << s;
        const unsigned write = blockDim.x - read;
        if (threadIdx.x >= d)
            value += temp[read + threadIdx.x - d];
        temp[write + threadIdx.x] = value;
        __syncthreads();
        read = write;
    }
    return value;
}

template <bool EXCLUSIVE>
__global__ void scan_tiles_kernel(const int *in, size_t n, int *out, int *totals) {
    extern __shared__ int temp[];
    const size_t i = blockDim.x * (size_t)blockIdx.x + threadIdx.x;
    const int x = i < n ? in[i] : 0;
    const int y = scan_block(x, temp);
    if (i < n)
        out[i] = EXCLUSIVE ? y - x : y;
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = y;
}

__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    const size_t i = blockDim.x * (size_t)blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] += offsets[blockIdx.x];
}

template <bool EXCLUSIVE>
static cudaError_t scan(const int *in, size_t n, unsigned block, int *scratch, int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    const size_t tiles = (n + block - 1) / block;
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    int *totals = tiles > 1 ? scratch : nullptr;
    scan_tiles_kernel<EXCLUSIVE><<<(unsigned)tiles, block, 2 * block * sizeof(int)>>>(in, n, out, totals);
    cudaError_t error = cudaGetLastError();
    if (!totals || error != cudaSuccess)
        return error;
    error = scan<true>(totals, tiles, block, totals + tiles, totals);
    if (error != cudaSuccess)
        return error;
    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, totals);
    return cudaGetLastError();
}

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan<false>(in, n, block, scratch, out);
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan<true>(in, n, block, scratch, out);
}
