// Wrong: neighboured pairs up to stride 16 lie within a warp, so a warp's barrier stands behind the steps below 32; but behind the step of 16 comes the one of 32, which reads what another warp writes.
// Kind: barrier sync
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = -1;
extern "C" const int predicted_packed_sectors_256 = -1;
extern "C" const int predicted_interleaved_sectors_256 = -1;
extern "C" const int predicted_second_sum = -1;

__device__ __forceinline__ unsigned limit(size_t n) {
    const size_t rest = n - (size_t)blockIdx.x * blockDim.x;
    return rest < blockDim.x ? (unsigned)rest : blockDim.x;
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    const unsigned t = threadIdx.x, words = limit(n);
    int *const part = data + (size_t)blockIdx.x * blockDim.x;
    for (unsigned stride = 1; stride < words; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < words)
            part[t] += part[t + stride];
        if (stride < 32)
            __syncwarp();
        else
            __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = part[0];
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    const unsigned t = threadIdx.x, words = limit(n);
    int *const part = data + (size_t)blockIdx.x * blockDim.x;
    for (unsigned stride = 1; stride < words; stride *= 2) {
        const unsigned a = 2 * t * stride, b = a + stride;
        if (b < words)
            part[a] += part[b];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = part[0];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    const unsigned t = threadIdx.x;
    int *const part = data + (size_t)blockIdx.x * blockDim.x;
    unsigned words = limit(n);
    for (unsigned pairs = words / 2; pairs > 0; pairs = words / 2) {
        const unsigned stride = words - pairs;
        if (t < pairs)
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
    const cudaError_t error = cudaMemcpy(copy, in, n * sizeof *in, cudaMemcpyDeviceToDevice);
    if (error != cudaSuccess)
        cudaGetLastError();
    return error != cudaSuccess ? error : sum_interleaved(copy, n, block, scratch, sum);
}
