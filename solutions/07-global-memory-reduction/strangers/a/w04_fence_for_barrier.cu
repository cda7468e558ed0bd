// Wrong: behind each step of the interleaved tree stands a memory fence in place of a barrier; a fence orders one thread's writes and waits for nobody.
// Kind: barrier
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

/* Like `omp flush`: what was written becomes visible to the block. */
__device__ __forceinline__ void flush_step() { __threadfence_block(); }

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    size_t begin = (size_t)blockIdx.x * blockDim.x;
    size_t end = begin + blockDim.x < n ? begin + blockDim.x : n;
    size_t i = begin + threadIdx.x;
    for (size_t stride = 1; stride < end - begin; stride += stride) {
        if (threadIdx.x % (stride + stride) == 0 && i + stride < end)
            data[i] += data[i + stride];
        __syncthreads();
    }
    if (i == begin)
        partials[blockIdx.x] = data[i];
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    size_t begin = (size_t)blockIdx.x * blockDim.x;
    size_t end = begin + blockDim.x < n ? begin + blockDim.x : n;
    for (size_t stride = 1; stride < end - begin; stride += stride) {
        size_t i = begin + 2 * stride * threadIdx.x;
        if (i + stride < end)
            data[i] += data[i + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = data[begin];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    size_t begin = (size_t)blockIdx.x * blockDim.x;
    size_t end = begin + blockDim.x < n ? begin + blockDim.x : n;
    size_t i = begin + threadIdx.x;
    for (size_t count = end - begin; count > 1; count = (count + 1) / 2) {
        size_t stride = (count + 1) / 2;
        if (threadIdx.x + stride < count)
            data[i] += data[i + stride];
        flush_step();
    }
    if (i == begin)
        partials[blockIdx.x] = data[i];
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
    cudaError_t e = cudaMemcpy(copy, in, sizeof(int) * n, cudaMemcpyDeviceToDevice);
    if (e == cudaSuccess)
        e = sum_in_place(sum_interleaved_kernel, copy, n, block, scratch, sum);
    if (e != cudaSuccess)
        cudaGetLastError();
    return e;
}
