// Wrong: in the last warp all 32 lanes add in each step, also those behind the stride, as in old unrolled code; a lane writes its word while another one reads it.
// Kind: race bound
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

__device__ unsigned in_part(size_t n) {
    size_t first = (size_t)blockIdx.x * blockDim.x;
    return n - first < blockDim.x ? (unsigned)(n - first) : blockDim.x;
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    int *idata = data + (size_t)blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x, words = in_part(n);
    for (unsigned stride = 1; stride < words; stride *= 2) {
        if ((tid % (2 * stride)) == 0 && tid + stride < words)
            idata[tid] += idata[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        partials[blockIdx.x] = idata[0];
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    int *idata = data + (size_t)blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x, words = in_part(n);
    for (unsigned stride = 1; stride < words; stride *= 2) {
        unsigned index = 2 * stride * tid;
        if (index + stride < words)
            idata[index] += idata[index + stride];
        __syncthreads();
    }
    if (tid == 0)
        partials[blockIdx.x] = idata[0];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    int *idata = data + (size_t)blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x, words = in_part(n), stride = 1;
    while (2 * stride < words)
        stride *= 2;
    for (; stride > 32; stride /= 2) {
        if (tid < stride && tid + stride < words)
            idata[tid] += idata[tid + stride];
        __syncthreads();
    }
    if (tid < 32) { // the rest is one warp's work
        for (; stride > 0; stride /= 2) {
            if (tid + stride < words)
                idata[tid] += idata[tid + stride];
            __syncwarp();
        }
    }
    if (tid == 0)
        partials[blockIdx.x] = idata[0];
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
