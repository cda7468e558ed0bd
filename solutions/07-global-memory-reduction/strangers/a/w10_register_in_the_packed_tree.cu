// Wrong: each thread keeps its sum in a register, as the first exercise beyond suggests, also in the packed tree, where a thread's word is another one in each step.
// Kind: index store
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    int *part = data + (size_t)blockIdx.x * blockDim.x;
    const unsigned t = threadIdx.x;
    const unsigned words = min(n - (size_t)blockIdx.x * blockDim.x, (size_t)blockDim.x);
    int own = t < words ? part[t] : 0;
    for (unsigned stride = 1; stride < words; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < words) {
            own += part[t + stride];
            part[t] = own;
        }
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = own;
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    int *part = data + (size_t)blockIdx.x * blockDim.x;
    const unsigned t = threadIdx.x;
    const unsigned words = min(n - (size_t)blockIdx.x * blockDim.x, (size_t)blockDim.x);
    int own = 2 * t < words ? part[2 * t] : 0;
    for (unsigned stride = 1; stride < words; stride *= 2) {
        const unsigned left = 2 * stride * t;
        if (left + stride < words) {
            own += part[left + stride];
            part[left] = own;
        }
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = part[0];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    int *part = data + (size_t)blockIdx.x * blockDim.x;
    const unsigned t = threadIdx.x;
    unsigned words = min(n - (size_t)blockIdx.x * blockDim.x, (size_t)blockDim.x);
    int own = t < words ? part[t] : 0;
    while (words > 1) {
        const unsigned stride = (words + 1) / 2;
        if (t + stride < words) {
            own += part[t + stride];
            part[t] = own;
        }
        __syncthreads();
        words = stride;
    }
    if (t == 0)
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
    cudaError_t error = cudaMemcpy(copy, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return error;
    }
    return sum_in_place(sum_interleaved_kernel, copy, n, block, scratch, sum);
}
