// Right: the interleaved stride is the largest power of two below the words, then its halves; own sums stay in registers where a thread keeps its word; no barrier behind the last step.
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = -1;
extern "C" const int predicted_packed_sectors_256 = -1;
extern "C" const int predicted_interleaved_sectors_256 = -1;
extern "C" const int predicted_second_sum = -1;

__device__ static unsigned below(unsigned words) { // largest power of two below words, 0 for 1
    return words > 1 ? 1u << (31 - __clz((int)(words - 1))) : 0;
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t end = min(n, (blockIdx.x + (size_t)1) * blockDim.x);
    const unsigned most = below((unsigned)(end - (i - threadIdx.x)));
    int own = i < end ? data[i] : 0;
    for (unsigned s = 1; s <= most; s *= 2) {
        if (threadIdx.x % (2 * s) == 0 && i + s < end) {
            own += data[i + s];
            data[i] = own;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = own;
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    const size_t first = (size_t)blockIdx.x * blockDim.x;
    const size_t end = min(n, first + blockDim.x);
    for (size_t s = 1; first + s < end; s *= 2) {
        const size_t left = first + 2 * s * threadIdx.x;
        if (left + s < end)
            data[left] += data[left + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = data[first];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t end = min(n, (blockIdx.x + (size_t)1) * blockDim.x);
    unsigned s = below((unsigned)(end - (i - threadIdx.x)));
    int own = i < end ? data[i] : 0;
    for (; s > 0; s /= 2) {
        if (threadIdx.x < s && i + s < end) {
            own += data[i + s];
            data[i] = own;
        }
        if (s > 1)
            __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = own;
}

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
    cudaError_t error = cudaMemcpyAsync(copy, in, n * sizeof(int), cudaMemcpyDefault, 0);
    if (error == cudaSuccess)
        return sum_interleaved(copy, n, block, scratch, sum);
    cudaGetLastError();
    return error;
}
