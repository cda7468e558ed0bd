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

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_warps_all, 4,096 floats in blocks of 256: how many shuffles do all warps make together?
extern "C" const int predicted_shuffles_4096 = 640;

// sum_blocks, blocks of 96: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_96 = 20;

// The same: how many words does a block store to shared memory?
extern "C" const int predicted_shared_words_96 = 3;

// sum_blocks, blocks of 1,024: how many barriers does each warp wait at? (Lab 02: 11.)
extern "C" const int predicted_barriers_of_a_warp_1024 = 1;

// END TODO(0)

/* The sum of `value` over the 32 lanes of a warp, in each of them. All of them must call it. */
__device__ float warp_sum_all(float value) {
    // TODO(1): five exchanges with the lane whose number differs in one bit (about 3 lines)
    // After the step with `bit`, each lane has the sum of the 2 * bit lanes that differ from it in
    // the bits up to that one: all 32 in the end. Every lane adds the same pairs, in the same order.
    for (unsigned bit = 1; bit < 32; bit *= 2)
        value += __shfl_xor_sync(ALL_LANES, value, bit);
    return value;
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    // Lanes past the end bring 0 and stay: the mask names all 32.
    float sum = warp_sum_all(i < n ? in[i] : 0);
    if (i < n)
        out[i] = sum;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    sum_warps_all_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    // Lanes at the upper edge get their own value back. What they make of it reaches no lane that
    // lane 0 still asks.
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta);
    return value;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    float sum = warp_sum_first(i < n ? in[i] : 0);
    if (i < n && threadIdx.x % 32 == 0)
        out[i / 32] = sum;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    sum_warps_first_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    __shared__ float sums[32]; // one a warp; a block has at most 32 of them
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    value = warp_sum_first(value);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads(); // the first warp reads what all of them wrote
    if (warp == 0)   // a whole warp: the shuffles in here have all their lanes
        value = warp_sum_first(lane < n_warps ? sums[lane] : 0);
    return value;
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * block + t;

    float sum = block_sum(t < block && i < n ? in[i] : 0);
    if (t == 0)
        out[blockIdx.x] = sum;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    unsigned threads = (block + 31) / 32 * 32;

    if (n == 0)
        return cudaSuccess;
    sum_blocks_kernel<<<(unsigned)((n + block - 1) / block), threads>>>(in, n, block, out);
    return cudaGetLastError();
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    enum { QUADS = 4 }; // loads of a thread that are under way at once, of 16 bytes each
    const size_t tile = (size_t)blockDim.x * QUADS * 4, n_tiles = n / tile;
    float mine = 0;

    // What limits this loop is how many bytes are on their way from memory. None of the loads of a
    // turn waits for another: all are sent before the first addition needs one.
    for (size_t i = blockIdx.x; i < n_tiles; i += gridDim.x) {
        const float4 *from = (const float4 *)(in + i * tile) + threadIdx.x;
        float4 quads[QUADS];
#pragma unroll
        for (unsigned k = 0; k < QUADS; k++)
            quads[k] = from[k * blockDim.x]; // neighbouring lanes, neighbouring words
#pragma unroll
        for (unsigned k = 0; k < QUADS; k++)
            mine += (quads[k].x + quads[k].y) + (quads[k].z + quads[k].w);
    }

    // The rest, less than a tile, is for the block whose turn it would be.
    if (blockIdx.x == n_tiles % gridDim.x)
        for (size_t i = n_tiles * tile + threadIdx.x; i < n; i += blockDim.x)
            mine += in[i];

    mine = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine); // one a block
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    int device = 0, n_multiprocessors = 0, resident = 0; // blocks of a multiprocessor at a time
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);

    if (error != cudaSuccess || n == 0)
        return error;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n_multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sum_grid_kernel, block, 0);

    // As many blocks as the device holds at once: more would add block sums and atomics, and speed
    // nothing up. Fewer where n has fewer tiles.
    size_t tile = (size_t)block * 16, tiles = (n + tile - 1) / tile;
    size_t most = (size_t)n_multiprocessors * resident;
    sum_grid_kernel<<<(unsigned)(tiles < most ? tiles : most), block>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(4)
}
