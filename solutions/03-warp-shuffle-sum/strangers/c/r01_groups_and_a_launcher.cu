// Right: cooperative groups: tiles' own shuffles, meta_group_rank for the warp's number, block.sync(); one launcher for all; the start value is stored by a kernel of one thread.
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

#include <cooperative_groups.h>
namespace cg = cooperative_groups;
using Warp = cg::thread_block_tile<32>;

static __device__ Warp this_warp() {
    return cg::tiled_partition<32>(cg::this_thread_block());
}

static __global__ void start_with(float *where, float value) {
    *where = value;
}

/* The element of this thread, or 0. */
static __device__ float element(const float *in, size_t n, size_t i) {
    return i < n ? in[i] : 0.0f;
}

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
    const Warp warp = this_warp();
    for (unsigned bit = warp.size() / 2; bit >= 1; bit /= 2)
        value += warp.shfl_xor(value, bit);
    return value;
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    const size_t i = cg::this_grid().thread_rank();
    const float total = warp_sum_all(element(in, n, i));
    if (i < n)
        out[i] = total;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    sum_warps_all_kernel<<<(unsigned)((n - 1) / block + 1), block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    const Warp warp = this_warp();
    for (unsigned delta = warp.size() / 2; delta >= 1; delta /= 2)
        value += warp.shfl_down(value, delta);
    return value;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const size_t i = cg::this_grid().thread_rank();
    const float total = warp_sum_first(element(in, n, i));
    if (this_warp().thread_rank() == 0 && i < n)
        out[i / 32] = total;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    sum_warps_first_kernel<<<(unsigned)((n - 1) / block + 1), block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    __shared__ float slots[32];
    const cg::thread_block block = cg::this_thread_block();
    const Warp warp = cg::tiled_partition<32>(block);

    value = warp_sum_first(value);
    if (warp.thread_rank() == 0)
        slots[warp.meta_group_rank()] = value;
    block.sync();
    if (warp.meta_group_rank() != 0)
        return 0;
    return warp_sum_first(element(slots, warp.meta_group_size(), warp.thread_rank()));
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    const size_t first = (size_t)blockIdx.x * block;
    const size_t behind = n - first < block ? n : first + block;
    const float total = block_sum(element(in, behind, first + threadIdx.x));
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
    const unsigned warps = (block - 1) / 32 + 1;
    sum_blocks_kernel<<<(unsigned)((n - 1) / block + 1), 32 * warps>>>(in, n, block, out);
    return cudaGetLastError();
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const cg::grid_group grid = cg::this_grid();
    float value = 0;
    for (size_t i = grid.thread_rank(); i < n; i += grid.num_threads())
        value += in[i];
    value = block_sum(value);
    if (cg::this_thread_block().thread_rank() == 0)
        atomicAdd(sum, value);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    start_with<<<1, 1>>>(sum, 0.0f);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || n == 0)
        return error;
    const size_t elements = 32 * (size_t)block;
    sum_grid_kernel<<<(unsigned)((n - 1) / elements + 1), block>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(4)
}
