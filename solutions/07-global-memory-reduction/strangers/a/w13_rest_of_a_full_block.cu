// Wrong: the last block's words are n % block; where n is a multiple of the block, that is 0 in place of a whole block.
// Kind: bound
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

__device__ bool last_block() { return blockIdx.x == gridDim.x - 1; }

__device__ unsigned words_of(size_t n) {
    return last_block() ? (unsigned)(n % blockDim.x) : blockDim.x;
}

__device__ void add_all_neighboured(int *x, unsigned words) {
    for (unsigned s = 1; s < words; s *= 2) {
        if (threadIdx.x % (2 * s) == 0 && threadIdx.x + s < words)
            x[threadIdx.x] += x[threadIdx.x + s];
        __syncthreads();
    }
}

__device__ void add_all_packed(int *x, unsigned words) {
    for (unsigned s = 1; s < words; s *= 2) {
        unsigned k = 2 * s * threadIdx.x;
        if (k + s < words)
            x[k] += x[k + s];
        __syncthreads();
    }
}

__device__ void add_all_interleaved(int *x, unsigned words) {
    while (words > 1) {
        unsigned s = (words + 1) / 2;
        if (threadIdx.x + s < words)
            x[threadIdx.x] += x[threadIdx.x + s];
        __syncthreads();
        words = s;
    }
}

#define KERNEL(name, add_all)                                                  \
    __global__ void name(int *data, size_t n, int *partials) {                 \
        data += (size_t)blockIdx.x * blockDim.x;                               \
        add_all(data, words_of(n));                                            \
        if (threadIdx.x == 0)                                                  \
            partials[blockIdx.x] = data[0];                                    \
    }

KERNEL(sum_neighboured_kernel, add_all_neighboured)
KERNEL(sum_packed_kernel, add_all_packed)
KERNEL(sum_interleaved_kernel, add_all_interleaved)

extern "C" cudaError_t sum_neighboured(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(sum_neighboured_kernel, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_packed(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(sum_packed_kernel, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_interleaved(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(sum_interleaved_kernel, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    cudaError_t error = cudaMemcpy(copy, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
    if (!error)
        return sum_interleaved(copy, n, block, scratch, sum);
    cudaGetLastError();
    return error;
}
