// Right: the copy is made by a kernel of its own, in blocks of `block` threads; thread 0 takes an odd word left over; barriers by cooperative groups.
#include "sum_in_place.cuh"
#include <cooperative_groups.h>

using namespace cooperative_groups;

extern "C" const int predicted_divergent_branches_256 = 47;
extern "C" const int predicted_packed_sectors_256 = 127;
extern "C" const int predicted_interleaved_sectors_256 = 34;
extern "C" const int predicted_second_sum = 27;

struct Span {
    int *at;
    unsigned count;
};

__device__ Span my_span(int *data, size_t n) {
    const size_t first = (size_t)blockIdx.x * blockDim.x;
    return {data + first, (unsigned)min(n - first, (size_t)blockDim.x)};
}

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    const thread_block block = this_thread_block();
    const Span s = my_span(data, n);
    const unsigned t = block.thread_rank();
    for (unsigned pair = 2; pair < 2 * s.count; pair *= 2) {
        if (t % pair == 0 && t + pair / 2 < s.count)
            s.at[t] += s.at[t + pair / 2];
        block.sync();
    }
    if (t == 0)
        partials[blockIdx.x] = s.at[0];
}

__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    const thread_block block = this_thread_block();
    const Span s = my_span(data, n);
    for (unsigned pair = 2; pair < 2 * s.count; pair *= 2) {
        int *const left = s.at + pair * block.thread_rank(), *const right = left + pair / 2;
        if (right < s.at + s.count)
            *left += *right;
        block.sync();
    }
    if (block.thread_rank() == 0)
        partials[blockIdx.x] = s.at[0];
}

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    const thread_block block = this_thread_block();
    const Span s = my_span(data, n);
    const unsigned t = block.thread_rank();
    for (unsigned count = s.count; count > 1; count /= 2) {
        const unsigned half = count / 2;
        if (t < half)
            s.at[t] += s.at[t + half];
        if ((count & 1) && t == 0)
            s.at[0] += s.at[count - 1];
        block.sync();
    }
    if (t == 0)
        partials[blockIdx.x] = s.at[0];
}

__global__ void copy_kernel(const int *in, size_t n, int *copy) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        copy[i] = in[i];
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
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n > 0) {
        const size_t blocks = (n + block - 1) / block;
        if (blocks > 0x7fffffff)
            return cudaErrorInvalidConfiguration;
        copy_kernel<<<(unsigned)blocks, block>>>(in, n, copy);
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
    }
    return sum_interleaved(copy, n, block, scratch, sum);
}
