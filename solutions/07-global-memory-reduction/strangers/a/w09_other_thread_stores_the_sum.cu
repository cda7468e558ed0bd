// Wrong: the barrier behind the last step is left out, since nobody adds any more, but the last thread stores the sum, which thread 0 may not have written yet.
// Kind: barrier race
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = -1;
extern "C" const int predicted_packed_sectors_256 = -1;
extern "C" const int predicted_interleaved_sectors_256 = -1;
extern "C" const int predicted_second_sum = -1;

__device__ void find_part(int *&data, size_t n, unsigned &words) {
    const size_t skip = (size_t)blockIdx.x * blockDim.x;
    data += skip;
    n -= skip;
    words = n < blockDim.x ? (unsigned)n : blockDim.x;
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    unsigned words;
    find_part(data, n, words);
    const unsigned t = threadIdx.x;
    for (unsigned d = 1; d < words; d *= 2) {
        if (t % (2 * d) == 0 && t + d < words)
            data[t] += data[t + d];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = *data;
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    unsigned words;
    find_part(data, n, words);
    for (unsigned d = 1; d < words; d *= 2) {
        int *to = data + 2 * d * threadIdx.x;
        if (to + d < data + words)
            *to += to[d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = *data;
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned words;
    find_part(data, n, words);
    const unsigned t = threadIdx.x;
    while (words > 1) {
        const unsigned d = (words + 1) / 2;
        if (t + d < words)
            data[t] += data[t + d];
        words = d;
        if (words > 1)
            __syncthreads(); // behind the last step nobody adds any more
    }
    if (t == blockDim.x - 1)
        partials[blockIdx.x] = *data;
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
    if (error == cudaSuccess)
        error = sum_interleaved(copy, n, block, scratch, sum);
    else
        cudaGetLastError();
    return error;
}
