// Right: sum_kept makes no copy: its first step reads `in` and writes to `copy`, and the tree goes on there; the levels after it are those of sum_interleaved.
#include "sum_in_place.cuh"

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

__device__ static size_t begin_of_part() { return (size_t)blockIdx.x * blockDim.x; }

__device__ static size_t end_of_part(size_t n) {
    const size_t end = begin_of_part() + blockDim.x;
    return end < n ? end : n;
}

/* Halves from here on: words `lo` to `hi` - 1 are added up into word `lo`. */
__device__ static void halve(int *lo, int *hi) {
    while (hi - lo > 1) {
        int *const middle = lo + (hi - lo + 1) / 2;
        int *const mine = middle + threadIdx.x;
        if (mine < hi)
            lo[threadIdx.x] += *mine;
        __syncthreads();
        hi = middle;
    }
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    int *const lo = data + begin_of_part(), *const hi = data + end_of_part(n);
    int *const mine = lo + threadIdx.x;
    for (unsigned stride = 1; lo + stride < hi; stride *= 2) {
        if ((threadIdx.x & (2 * stride - 1)) == 0 && mine + stride < hi)
            *mine += mine[stride];
        __syncthreads();
    }
    if (mine == lo)
        partials[blockIdx.x] = *lo;
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    int *const lo = data + begin_of_part(), *const hi = data + end_of_part(n);
    for (unsigned stride = 1; lo + stride < hi; stride *= 2) {
        int *const left = lo + 2 * stride * threadIdx.x;
        if (left + stride < hi)
            *left += left[stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = *lo;
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    halve(data + begin_of_part(), data + end_of_part(n));
    if (threadIdx.x == 0)
        partials[blockIdx.x] = data[begin_of_part()];
}

__global__ void first_level_kernel(const int *in, size_t n, int *copy, int *partials) {
    const size_t begin = begin_of_part(), words = end_of_part(n) - begin, half = (words + 1) / 2;
    const size_t t = threadIdx.x;
    in += begin;
    copy += begin;
    if (t < half)
        copy[t] = t + half < words ? in[t] + in[t + half] : in[t];
    __syncthreads();
    halve(copy, copy + half);
    if (t == 0)
        partials[blockIdx.x] = copy[0];
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
    if (block < 2 || n == 0)
        return sum_interleaved(copy, n, block, scratch, sum);
    const size_t blocks = (n + block - 1) / block;
    if (blocks > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    first_level_kernel<<<(unsigned)blocks, block>>>(in, n, copy, blocks > 1 ? scratch : sum);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || blocks == 1)
        return error;
    return sum_interleaved(scratch, blocks, block, scratch + blocks, sum);
}
