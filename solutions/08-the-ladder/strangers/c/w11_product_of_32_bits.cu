// Wrong: the place of a block's share is multiplied in 32 bits; from 2^32 ints on later blocks add the first ints once more.
// Kind: overflow
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

extern "C" const int predicted_divergent_branches_1024 = 191;

extern "C" const int predicted_conflicts_256 = 105;

extern "C" const int predicted_first_add_blocks = 2048;

extern "C" const int predicted_last_warp_barriers_256 = 3;

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// The word of the block's tile, and the ints that a thread brings.
static __device__ int *words_of_block() {
    extern __shared__ int words[];
    return words;
}

static __device__ int one_int(const int *in, size_t n, size_t i) {
    return i < n ? in[i] : 0;
}

static __device__ int two_ints(const int *in, size_t n, unsigned threads) {
    size_t i = threadIdx.x + blockIdx.x * (2 * threads);
    return one_int(in, n, i) + one_int(in, n, i + threads);
}

// Halves the words that are left until there are `until` of them.
static __device__ void halve(cg::thread_block block, int *words, unsigned until) {
    unsigned rank = block.thread_rank();
    block.sync();
    for (unsigned left = block.size() / 2; left >= until; left /= 2) {
        if (rank < left)
            words[rank] += words[rank + left];
        block.sync();
    }
}

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    auto block = cg::this_thread_block();
    int *words = words_of_block();
    unsigned rank = block.thread_rank();
    words[rank] = one_int(in, n, rank + blockIdx.x * (size_t)blockDim.x);
    block.sync();
    for (unsigned apart = 1; apart < blockDim.x; apart += apart) {
        if (rank % (apart + apart) == 0)
            words[rank] += words[rank + apart];
        block.sync();
    }
    if (rank == 0)
        partials[blockIdx.x] = words[0];
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_divergent_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    auto block = cg::this_thread_block();
    int *words = words_of_block();
    unsigned rank = block.thread_rank();
    words[rank] = one_int(in, n, rank + blockIdx.x * (size_t)blockDim.x);
    block.sync();
    for (unsigned apart = 1, adders = blockDim.x / 2; adders > 0; apart *= 2, adders /= 2) {
        if (rank < adders) {
            int *word = words + 2 * apart * rank;
            *word += word[apart];
        }
        block.sync();
    }
    if (rank == 0)
        partials[blockIdx.x] = words[0];
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_strided_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials) {
    auto block = cg::this_thread_block();
    int *words = words_of_block();
    words[threadIdx.x] = one_int(in, n, threadIdx.x + blockIdx.x * (size_t)blockDim.x);
    halve(block, words, 1);
    if (block.thread_rank() == 0)
        partials[blockIdx.x] = words[0];
}

extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_by_levels(sum_sequential_kernel, in, n, block, block, scratch, sum);
}

__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials) {
    auto block = cg::this_thread_block();
    int *words = words_of_block();
    words[threadIdx.x] = two_ints(in, n, blockDim.x);
    halve(block, words, 1);
    if (block.thread_rank() == 0)
        partials[blockIdx.x] = words[0];
}

extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    const unsigned share = 2 * block;
    return sum_by_levels(sum_first_add_kernel, in, n, block, share, scratch, sum);
}

__device__ int last_warp(int *tile, unsigned lane) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int v = tile[lane];
    v += tile[lane + 32];
    v += warp.shfl_down(v, 16);
    v += warp.shfl_down(v, 8);
    v += warp.shfl_down(v, 4);
    v += warp.shfl_down(v, 2);
    v += warp.shfl_down(v, 1);
    return v;
}

__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    auto block = cg::this_thread_block();
    int *words = words_of_block();
    unsigned rank = block.thread_rank();
    words[rank] = two_ints(in, n, blockDim.x);
    halve(block, words, 64);
    if (rank >= 32)
        return;
    int total = last_warp(words, rank);
    if (rank == 0)
        partials[blockIdx.x] = total;
}

extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    const unsigned share = 2 * block;
    return sum_by_levels(sum_last_warp_kernel, in, n, block, share, scratch, sum);
}

// Written out by the compiler: each step is a function of its own.
template <unsigned LEFT> __device__ __forceinline__ void steps(int *tile, unsigned t) {
    if constexpr (LEFT >= 64) {
        if (t < LEFT)
            tile[t] += tile[t + LEFT];
        __syncthreads();
        steps<LEFT / 2>(tile, t);
    }
}

template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    const unsigned t = threadIdx.x;
    tile[t] = mine;
    __syncthreads();
    steps<BLOCK / 2>(tile, t);
    if (t >= 32)
        return 0;
    return last_warp(tile, t);
}

template <unsigned BLOCK> __global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    int total = block_sum<BLOCK>(words_of_block(), two_ints(in, n, BLOCK));
    if (threadIdx.x == 0)
        partials[blockIdx.x] = total;
}

static inline ladder_kernel *unrolled_kernel(unsigned block) {
    return block == 64     ? sum_unrolled_kernel<64>
           : block == 128  ? sum_unrolled_kernel<128>
           : block == 256  ? sum_unrolled_kernel<256>
           : block == 512  ? sum_unrolled_kernel<512>
           : block == 1024 ? sum_unrolled_kernel<1024>
                           : (ladder_kernel *)NULL;
}

extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    const unsigned share = 2 * block;
    return sum_by_levels(unrolled_kernel(block), in, n, block, share, scratch, sum);
}

template <unsigned BLOCK> __global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    int sum = 0;
    for (size_t i = threadIdx.x + blockIdx.x * (size_t)BLOCK; i < n; i += gridDim.x * (size_t)BLOCK)
        sum += in[i];
    sum = block_sum<BLOCK>(words_of_block(), sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

static inline ladder_kernel *many_kernel(unsigned block) {
    return block == 64     ? sum_many_kernel<64>
           : block == 128  ? sum_many_kernel<128>
           : block == 256  ? sum_many_kernel<256>
           : block == 512  ? sum_many_kernel<512>
           : block == 1024 ? sum_many_kernel<1024>
                           : (ladder_kernel *)NULL;
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    const size_t per_block = 16 * (size_t)block;
    size_t blocks = n / per_block + (n % per_block != 0);
    blocks = blocks > 1056 ? 1056 : blocks < 1 ? 1 : blocks;
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
}
