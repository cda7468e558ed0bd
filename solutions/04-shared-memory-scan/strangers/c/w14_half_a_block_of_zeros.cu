// Wrong: half a block of zeros stands in front of the array, enough where the block is a power of two; for others, as 100, the last distance reaches further back than that, out of the array.
// Kind: bound
#include "scan_shared.h"

extern "C" const int predicted_barriers_of_a_warp = 19;
extern "C" const int predicted_divergent_branches_512 = 5;
extern "C" const int predicted_launches = 3;
extern "C" const int predicted_crossings_of_an_int = 4;

enum { ITEMS = 1 };

/* How many zeros stand in front of the array, so that nobody must ask for `t >= d`. */
__host__ __device__ static inline unsigned zeros(unsigned block) { return block / 2; }

__device__ int scan_block(int value, int *temp) {
    const unsigned t = threadIdx.x;
    int *mine = temp + zeros(blockDim.x) + t;
    if (t < zeros(blockDim.x))
        temp[t] = 0;
    *mine = value;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        value += *(mine - d);
        __syncthreads();
        *mine = value;
        __syncthreads();
    }
    return value;
}

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int own = 0;
    if (i < n)
        own = in[i];
    int sum = scan_block(own, temp);
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
    if (exclusive)
        sum -= own;
    if (i < n)
        out[i] = sum;
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
    const size_t bytes = (zeros(block) + block) * sizeof(int);
    int *totals = tiles > 1 ? scratch : NULL;
    scan_tiles_kernel<<<(unsigned)tiles, block, bytes>>>(in, n, exclusive, out, totals);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess && totals != NULL) {
        error = scan(totals, tiles, block, true, totals + tiles, totals);
        if (error == cudaSuccess) {
            add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, totals);
            error = cudaGetLastError();
        }
    }
    return error;
}

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, false, scratch, out);
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, true, scratch, out);
}
