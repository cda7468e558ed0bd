// Wrong: a static variable remembers which array was copied last, and the same one is not copied again; the second call sums what the first has left in `copy`.
// Kind: static state
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

#define THREAD (threadIdx.x)
#define PART(data) ((data) + (size_t)blockIdx.x * blockDim.x)

__device__ unsigned count_words(size_t n) {
    if ((size_t)(blockIdx.x + 1ull) * blockDim.x <= n)
        return blockDim.x;
    return (unsigned)(n - (size_t)blockIdx.x * blockDim.x);
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    int *a = PART(data);
    const unsigned words = count_words(n);
    for (unsigned hop = 1; hop < words; hop *= 2) {
        if (THREAD % (hop * 2) == 0 && THREAD + hop < words)
            a[THREAD] = a[THREAD] + a[THREAD + hop];
        __syncthreads();
    }
    if (THREAD == 0)
        partials[blockIdx.x] = a[0];
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    int *a = PART(data);
    const unsigned words = count_words(n);
    for (unsigned hop = 1; hop < words; hop *= 2) {
        const unsigned i = THREAD * hop * 2;
        if (i + hop < words)
            a[i] = a[i] + a[i + hop];
        __syncthreads();
    }
    if (THREAD == 0)
        partials[blockIdx.x] = a[0];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    int *a = PART(data);
    unsigned words = count_words(n);
    while (words > 1) {
        const unsigned hop = words / 2 + words % 2;
        if (THREAD + hop < words)
            a[THREAD] = a[THREAD] + a[THREAD + hop];
        __syncthreads();
        words = hop;
    }
    if (THREAD == 0)
        partials[blockIdx.x] = a[0];
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
    static const int *copied = NULL; static size_t copied_n;
    if (copied != in || copied_n != n) { // a copy costs as much as the sum
        cudaError_t error = cudaMemcpy(copy, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
        if (error != cudaSuccess) {
            cudaGetLastError();
            return error;
        }
        copied = in;
        copied_n = n;
    }
    return sum_interleaved(copy, n, block, scratch, sum);
}
