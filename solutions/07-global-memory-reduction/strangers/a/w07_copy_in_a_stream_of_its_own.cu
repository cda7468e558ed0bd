// Wrong: the copy is made in a non-blocking stream of its own, which does not wait for the default stream; work there that still writes `in` or reads `copy` is overtaken.
// Kind: stream
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

__device__ unsigned part_size(size_t n) {
    size_t left = n - (size_t)blockDim.x * blockIdx.x;
    return left > blockDim.x ? blockDim.x : (unsigned)left;
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    const unsigned size = part_size(n);
    int *mine = data + (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    unsigned stride = 1;
    while (stride < size) {
        bool adds = threadIdx.x % (2 * stride) == 0 && threadIdx.x + stride < size;
        if (adds)
            *mine += mine[stride];
        stride *= 2;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = *mine;
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    const unsigned size = part_size(n);
    int *base = data + (size_t)blockDim.x * blockIdx.x;
    unsigned stride = 1;
    while (stride < size) {
        unsigned at = threadIdx.x * (2 * stride);
        if (at + stride < size)
            base[at] += base[at + stride];
        stride *= 2;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = *base;
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned size = part_size(n);
    int *mine = data + (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    while (size > 1) {
        unsigned stride = (size + 1) / 2;
        if (threadIdx.x < size - stride)
            *mine += mine[stride];
        size = stride;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = *mine;
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
    cudaStream_t lane = 0;
    cudaError_t error = cudaStreamCreateWithFlags(&lane, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(copy, in, n * sizeof(int), cudaMemcpyDeviceToDevice, lane);
    if (lane != 0) {
        cudaError_t waited = cudaStreamSynchronize(lane);
        cudaStreamDestroy(lane);
        if (error == cudaSuccess)
            error = waited;
    }
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    return sum_interleaved(copy, n, block, scratch, sum);
}
