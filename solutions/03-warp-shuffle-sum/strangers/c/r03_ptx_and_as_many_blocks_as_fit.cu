// Right: shuffles and the grid's addition in inline PTX (shfl.sync, red), launches by cudaLaunchKernel, as many blocks as the device holds at once, each going on to the tile a grid further.
/*
 * Lab 03: warp shuffle sum. Handout: handouts/03-warp-shuffle-sum.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the butterfly (TODO 1), the down-shift (TODO 2),
 * the sum of a block (TODO 3) and the sum of the grid (TODO 4). Each can be tested when it is
 * done.
 */
#include "shuffle_sum.h"

#define ALL_LANES 0xffffffffu

template <int BIT> static __device__ __forceinline__ float from_bit(float value) {
    float other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
                 : "=f"(other)
                 : "f"(value), "n"(BIT));
    return other;
}

template <int DELTA> static __device__ __forceinline__ float from_below(float value) {
    float other;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, 0xffffffff;"
                 : "=f"(other)
                 : "f"(value), "n"(DELTA));
    return other;
}

/* Launches, and keeps no error for later. */
static cudaError_t launch(const void *kernel, size_t blocks, unsigned threads, void **arguments) {
    const cudaError_t error =
        cudaLaunchKernel(kernel, dim3((unsigned)blocks), dim3(threads), arguments, 0, 0);
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return error;
}

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_warps_all: how many shuffles does a warp make?
extern "C" const int predicted_shuffles_of_a_warp = 5;

// sum_blocks, blocks of 512: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_512 = 85;

// The same: how many words does a block store to shared memory?
extern "C" const int predicted_shared_words_512 = 16;

// The same: how many barriers does each warp wait at?
extern "C" const int predicted_barriers_of_a_warp = 1;

// END TODO(0)

/* The sum of `value` over the 32 lanes of a warp, in each of them. All of them must call it. */
__device__ float warp_sum_all(float value) {
    // TODO(1): five exchanges with the lane whose number differs in one bit (about 3 lines)
    value += from_bit<16>(value);
    value += from_bit<8>(value);
    value += from_bit<4>(value);
    value += from_bit<2>(value);
    return value + from_bit<1>(value);
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    const size_t i = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    const bool mine = i < n;
    float value = mine ? in[i] : 0.f;
    value = warp_sum_all(value);
    if (mine)
        out[i] = value;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    void *arguments[] = {&in, &n, &out};
    return n ? launch((const void *)sum_warps_all_kernel, (n + block - 1) / block, block, arguments)
             : cudaSuccess;
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    value += from_below<16>(value);
    value += from_below<8>(value);
    value += from_below<4>(value);
    value += from_below<2>(value);
    return value + from_below<1>(value);
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const size_t i = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    const bool mine = i < n;
    float value = mine ? in[i] : 0.f;
    value = warp_sum_first(value);
    if (mine && (i & 31) == 0)
        out[i >> 5] = value;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    void *arguments[] = {&in, &n, &out};
    return n ? launch((const void *)sum_warps_first_kernel, (n + block - 1) / block, block,
                      arguments)
             : cudaSuccess;
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    __shared__ float slots[32];
    if (blockDim.x == 32)
        return warp_sum_all(value); // alone: no second round
    value = warp_sum_all(value);
    if ((threadIdx.x & 31) == 0)
        slots[threadIdx.x >> 5] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = 0.f;
        if (threadIdx.x < (blockDim.x >> 5))
            value = slots[threadIdx.x];
        value = warp_sum_all(value);
    }
    return value;
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    const size_t i = threadIdx.x + (size_t)block * blockIdx.x;
    const bool mine = threadIdx.x < block && i < n;
    const float total = block_sum(mine ? in[i] : 0.f);
    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    void *arguments[] = {&in, &n, &block, &out};
    return n ? launch((const void *)sum_blocks_kernel, (n + block - 1) / block,
                      (block + 31) & ~31u, arguments)
             : cudaSuccess;
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const size_t tile = (size_t)4 * blockDim.x;
    float value = 0.f;
    for (size_t first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
        const size_t i = first + 4 * threadIdx.x;
        if (i + 4 <= n) {
            const float4 q = *reinterpret_cast<const float4 *>(in + i);
            value += q.x;
            value += q.y;
            value += q.z;
            value += q.w;
        } else {
            for (size_t k = i; k < n; ++k)
                value += in[k];
        }
    }
    value = block_sum(value);
    if (threadIdx.x == 0)
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(sum)), "f"(value)
                     : "memory");
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error != cudaSuccess || n == 0)
        return error;

    int device = 0, multiprocessors = 0, each = 0;
    if ((error = cudaGetDevice(&device)) != cudaSuccess)
        return error;
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, sum_grid_kernel, (int)block, 0);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return error;
    }
    size_t blocks = (size_t)multiprocessors * (each > 0 ? each : 1);
    const size_t needed = (n + 16 * (size_t)block - 1) / (16 * (size_t)block);
    if (blocks > needed)
        blocks = needed;
    void *arguments[] = {&in, &n, &sum};
    return launch((const void *)sum_grid_kernel, blocks, block, arguments);
    // END TODO(4)
}
