// Wrong: the number of words is made from n - first as an int before the smaller one is taken; where n is more than 2^31 that is negative for the first blocks, which then add nothing.
// Kind: type overflow
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

__device__ static int *my_part(int *data) {
    return data + (size_t)blockIdx.x * blockDim.x;
}

__device__ static int my_words(size_t n) {
    const size_t first = (size_t)blockIdx.x * blockDim.x;
    return min((int)(n - first), (int)blockDim.x);
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    int *part = my_part(data);
    const int words = my_words(n), t = threadIdx.x;
    for (int stride = 1; stride < words; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < words)
            part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = part[0];
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    int *part = my_part(data);
    const int words = my_words(n), t = threadIdx.x;
    for (int stride = 1; stride < words; stride *= 2) {
        const int left = 2 * stride * t;
        if (left + stride < words)
            part[left] += part[left + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = part[0];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    int *part = my_part(data);
    const int t = threadIdx.x;
    for (int words = my_words(n); words > 1;) {
        const int stride = (words + 1) / 2;
        if (t + stride < words)
            part[t] += part[t + stride];
        __syncthreads();
        words = stride;
    }
    if (t == 0)
        partials[blockIdx.x] = part[0];
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
    cudaError_t error = cudaMemcpy(copy, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    return sum_interleaved(copy, n, block, scratch, sum);
}
