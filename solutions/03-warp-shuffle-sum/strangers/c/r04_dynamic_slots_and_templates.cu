// Right: slots in dynamic shared memory, one word a warp, no more; steps by recursive templates; a block of the grid sums one tile of 8 * block floats, eight loads of a thread under way at once.
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

#define WARP 32

template <int STEP> static __device__ __forceinline__ float butterfly(float x) {
    if constexpr (STEP < WARP) {
        return butterfly<STEP * 2>(x + __shfl_xor_sync(ALL_LANES, x, STEP));
    } else {
        return x;
    }
}

template <int STEP> static __device__ __forceinline__ float shift(float x) {
    if constexpr (STEP > 0) {
        x += __shfl_down_sync(ALL_LANES, x, STEP);
        return shift<STEP / 2>(x);
    } else {
        return x;
    }
}

static inline unsigned cover(size_t n, size_t by) {
    return (unsigned)((n + by - 1) / by);
}

struct Where {
    unsigned lane, warp;
    size_t thread;
    __device__ Where()
        : lane(threadIdx.x % WARP), warp(threadIdx.x / WARP),
          thread((size_t)blockIdx.x * blockDim.x + threadIdx.x) {}
};

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_warps_all: how many shuffles does a warp make?
extern "C" const int predicted_shuffles_of_a_warp = -1;

// sum_blocks, blocks of 512: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_512 = -1;

// The same: how many words does a block store to shared memory?
extern "C" const int predicted_shared_words_512 = -1;

// The same: how many barriers does each warp wait at?
extern "C" const int predicted_barriers_of_a_warp = -1;

// END TODO(0)

/* The sum of `value` over the 32 lanes of a warp, in each of them. All of them must call it. */
__device__ float warp_sum_all(float value) {
    // TODO(1): five exchanges with the lane whose number differs in one bit (about 3 lines)
    return butterfly<1>(value);
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    const Where me;
    const float mine = me.thread < n ? in[me.thread] : 0;
    const float ours = warp_sum_all(mine);
    if (me.thread < n)
        out[me.thread] = ours;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    if (const unsigned blocks = cover(n, block)) {
        sum_warps_all_kernel<<<blocks, block>>>(in, n, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    return shift<WARP / 2>(value);
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const Where me;
    const float mine = me.thread < n ? in[me.thread] : 0;
    const float ours = warp_sum_first(mine);
    if (me.thread < n && me.lane == 0)
        out[me.thread / WARP] = ours;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    if (const unsigned blocks = cover(n, block)) {
        sum_warps_first_kernel<<<blocks, block>>>(in, n, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    extern __shared__ float slots[];
    const Where me;
    const float ours = warp_sum_first(value);
    if (me.lane == 0)
        slots[me.warp] = ours;
    __syncthreads();
    if (me.warp > 0)
        return 0;
    float theirs = 0;
    if (me.lane < blockDim.x / WARP)
        theirs = slots[me.lane];
    return warp_sum_first(theirs);
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    const size_t first = (size_t)block * blockIdx.x;
    float value = 0;
    if (threadIdx.x < block && threadIdx.x < n - first)
        value = in[first + threadIdx.x];
    const float total = block_sum(value);
    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    if (n == 0)
        return cudaSuccess;
    const unsigned warps = cover(block, WARP);
    sum_blocks_kernel<<<cover(n, block), warps * WARP, warps * sizeof(float)>>>(in, n, block, out);
    return cudaGetLastError();
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const size_t first = (size_t)8 * blockDim.x * blockIdx.x + threadIdx.x;
    float got[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const size_t i = first + (size_t)k * blockDim.x;
        got[k] = i < n ? in[i] : 0;
    }
    // a small tree of its own
#pragma unroll
    for (int half = 4; half > 0; half /= 2)
        for (int k = 0; k < half; ++k)
            got[k] += got[k + half];
    const float total = block_sum(got[0]);
    if (threadIdx.x == 0)
        atomicAdd(sum, total);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    if (const cudaError_t error = cudaMemset(sum, 0, sizeof(float)))
        return error;
    if (n > 0) {
        sum_grid_kernel<<<cover(n, (size_t)8 * block), block, block / WARP * sizeof(float)>>>(
            in, n, sum);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(4)
}
