// Wrong: a thread adds where the bit of the stride is 0 in t, not only where t is a multiple of 2 * stride; the sum is right, but many useless additions are made and fewer warps diverge than in neighboured pairs (80 times in a block of 512).
// Kind: condition technique
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = -1;
extern "C" const int predicted_packed_sectors_256 = -1;
extern "C" const int predicted_interleaved_sectors_256 = -1;
extern "C" const int predicted_second_sum = -1;

__device__ inline unsigned words_here(size_t n) {
    const size_t rest = n - (size_t)blockIdx.x * blockDim.x;
    return rest >= blockDim.x ? blockDim.x : (unsigned)rest;
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    const unsigned words = words_here(n);
    const unsigned t = threadIdx.x;
    data += (size_t)blockIdx.x * blockDim.x;
    for (unsigned stride = 1; stride < words; stride <<= 1) {
        if ((t & stride) == 0 && t + stride < words)
            data[t] += data[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = data[0];
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    const unsigned words = words_here(n);
    data += (size_t)blockIdx.x * blockDim.x;
    for (unsigned stride = 1, left = 2 * threadIdx.x; stride < words; stride <<= 1, left <<= 1) {
        if (left + stride < words)
            data[left] += data[left + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = data[0];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned words = words_here(n);
    data += (size_t)blockIdx.x * blockDim.x;
    while (words > 1) {
        const unsigned lower = words - words / 2;
        if (threadIdx.x < words / 2)
            data[threadIdx.x] += data[threadIdx.x + lower];
        __syncthreads();
        words = lower;
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = data[0];
}

extern "C" cudaError_t sum_neighboured(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(&sum_neighboured_kernel, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_packed(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(&sum_packed_kernel, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_interleaved(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(&sum_interleaved_kernel, data, n, block, scratch, sum);
}

extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;
    const cudaError_t error = cudaMemcpy(copy, in, n * sizeof *copy, cudaMemcpyDefault);
    if (error == cudaSuccess)
        return sum_interleaved(copy, n, block, scratch, sum);
    cudaGetLastError();
    return error;
}
