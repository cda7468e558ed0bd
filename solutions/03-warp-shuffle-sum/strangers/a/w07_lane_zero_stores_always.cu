// Wrong: lane 0 of each warp stores, also of warps that lie wholly behind the end: out is written beyond its n / 32 places.
// Kind: bound
/*
 * Lab 03: warp shuffle sum. Handout: handouts/03-warp-shuffle-sum.md
 *
 * Write what the TODO regions ask for, and nothing outside them. The order of work: answer the
 * predictions (TODO 0), then the butterfly (TODO 1), the down-shift (TODO 2), the sum of a block
 * (TODO 3) and the sum of the grid (TODO 4). Each can be tested when it is done.
 */
#include "shuffle_sum.h"

#define ALL_LANES 0xffffffffu

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
    unsigned int lane_bit = 1;
    while (lane_bit < 32) {
        float value_of_partner = __shfl_xor_sync(ALL_LANES, value, lane_bit);
        value = value + value_of_partner;
        lane_bit <<= 1;
    }
    return value;
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    const size_t i = threadIdx.x + blockIdx.x * (size_t)blockDim.x;
    const bool inside = i < n;
    const float total = warp_sum_all(inside ? in[i] : 0.0f);
    if (!inside)
        return;
    out[i] = total;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    cudaError_t error = cudaSuccess;
    if (n > 0) {
        dim3 grid_size((unsigned)((n - 1) / block + 1));
        sum_warps_all_kernel<<<grid_size, block>>>(in, n, out);
        error = cudaGetLastError();
    }
    return error;
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    unsigned int distance = 32;
    while ((distance >>= 1) != 0) {
        float value_further_down = __shfl_down_sync(ALL_LANES, value, distance);
        value = value + value_further_down;
    }
    return value;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const size_t i = threadIdx.x + blockIdx.x * (size_t)blockDim.x;
    const unsigned lane = threadIdx.x & 31u;
    const float total = warp_sum_first(i < n ? in[i] : 0.0f);
    const size_t group = i >> 5;
    if (lane == 0)
        out[group] = total;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    cudaError_t error = cudaSuccess;
    if (n > 0) {
        dim3 grid_size((unsigned)((n - 1) / block + 1));
        sum_warps_first_kernel<<<grid_size, block>>>(in, n, out);
        error = cudaGetLastError();
    }
    return error;
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    __shared__ float sum_of_warp[32];
    const int my_lane = threadIdx.x & 31;
    const int my_warp = threadIdx.x >> 5;
    const int number_of_warps = (blockDim.x + 31) >> 5;

    const float first_round = warp_sum_first(value);
    if (my_lane == 0)
        sum_of_warp[my_warp] = first_round;
    __syncthreads();
    if (my_warp != 0)
        return 0.0f;

    float second_round = 0.0f;
    if (my_lane < number_of_warps)
        second_round = sum_of_warp[my_lane];
    return warp_sum_first(second_round);
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    const size_t begin = blockIdx.x * (size_t)block;
    const size_t rest = n - begin;
    const unsigned count = rest < block ? (unsigned)rest : block;
    const float total = block_sum(threadIdx.x < count ? in[begin + threadIdx.x] : 0.0f);
    if (threadIdx.x)
        return;
    out[blockIdx.x] = total;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): launch whole warps (about 5 lines)
    cudaError_t error = cudaSuccess;
    if (n > 0) {
        dim3 grid_size((unsigned)((n - 1) / block + 1));
        dim3 block_size(((block - 1) | 31u) + 1);
        sum_blocks_kernel<<<grid_size, block_size>>>(in, n, block, out);
        error = cudaGetLastError();
    }
    return error;
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const size_t threads_of_grid = (size_t)gridDim.x * blockDim.x;
    float my_sum = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads_of_grid)
        my_sum += in[i];
    my_sum = block_sum(my_sum);
    if (threadIdx.x == 0)
        atomicAdd(sum, my_sum);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    if (cudaError_t problem = cudaMemset(sum, 0, sizeof *sum))
        return problem;
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n + 8 * block - 1) / (8 * (size_t)block);
    if (blocks > 1024)
        blocks = 1024;
    sum_grid_kernel<<<(unsigned)blocks, block>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(4)
}
