// Right: warps exchange by __shfl_sync with computed lanes in a recursive template, every warp sums the slots, launches go through a variadic cudaLaunchKernel.
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


template <int BIT> struct exchange {
    static __device__ float all(float value) {
        float other = __shfl_sync(ALL_LANES, value, (threadIdx.x ^ BIT) & 31);
        return exchange<BIT / 2>::all(value + other);
    }
};
template <> struct exchange<0> {
    static __device__ float all(float value) {
        return value;
    }
};

template <typename... P, typename... Q>
static cudaError_t start(void (*kernel)(P...), size_t blocks, size_t threads, Q... given) {
    if (blocks == 0)
        return cudaSuccess;
    auto go = [&](P... parameters) {
        void *addresses[] = {(void *)&parameters...};
        cudaError_t refused = cudaLaunchKernel((const void *)kernel, dim3((unsigned)blocks),
                                               dim3((unsigned)threads), addresses, 0, 0);
        cudaError_t pending = cudaGetLastError();
        return refused != cudaSuccess ? refused : pending;
    };
    return go(given...);
}
// END TODO(0)

/* The sum of `value` over the 32 lanes of a warp, in each of them. All of them must call it. */
__device__ float warp_sum_all(float value) {
    // TODO(1): five exchanges with the lane whose number differs in one bit (about 3 lines)
    return exchange<16>::all(value);
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    size_t first = (size_t)blockIdx.x * blockDim.x;
    unsigned have = n - first < blockDim.x ? (unsigned)(n - first) : blockDim.x;
    in += first;
    out += first;
    bool mine = threadIdx.x < have;
    float sum = warp_sum_all(mine ? in[threadIdx.x] : -0.0f);
    if (mine)
        out[threadIdx.x] = sum;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    return start(sum_warps_all_kernel, (n + block - 1) / block, block, in, n, out);
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    // The nearest neighbour first: what lane 0 needs comes from lanes that have it by then.
    for (unsigned delta = 1; delta != 32; delta += delta)
        value = __shfl_down_sync(ALL_LANES, value, delta, warpSize) + value;
    return value;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const size_t me = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const float sum = warp_sum_first(me >= n ? 0.f : in[me]);
    if ((me & 31) != 0 || me >= n)
        return;
    out[me >> 5] = sum;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    return start(sum_warps_first_kernel, (n + block - 1) / block, block, in, n, out);
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    // All warps sum the slots, not only the first.
    __shared__ float slots[32];
    float *slot = slots + threadIdx.x / 32;
    value = warp_sum_first(value);
    if (threadIdx.x % 32 == 0)
        *slot = value;
    __syncthreads();
    value = 0;
    if (threadIdx.x % 32 < blockDim.x / 32)
        value = slots[threadIdx.x % 32];
    return warp_sum_all(value);
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    // gridDim.y slices of blocks, since gridDim.x is limited
    const size_t share = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
    const float *p = in + share * block + threadIdx.x;
    float value = 0;
    if (threadIdx.x < block && share * block + threadIdx.x < n)
        value = *p;
    value = block_sum(value);
    if (threadIdx.x == 0 && share * block < n)
        out[share] = value;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    size_t blocks = n / block + (n % block != 0), slices = 1;
    while (blocks / slices >= 0x7fffffff)
        slices *= 2;
    if (n == 0)
        return cudaSuccess;
    unsigned threads = (block + 31) & ~31u;
    dim3 grid((unsigned)((blocks + slices - 1) / slices), (unsigned)slices);
    sum_blocks_kernel<<<grid, threads>>>(in, n, block, out);
    return cudaGetLastError();
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    // A thread's 16 elements: four quads, a block's width apart.
    const size_t tile = (size_t)blockDim.x * 16;
    float mine = 0;
    for (size_t begin = tile * blockIdx.x; begin < n; begin += tile * gridDim.x) {
        float4 quad[4];
#pragma unroll
        for (int turn = 0; turn < 4; turn++) {
            size_t i = begin + 4 * ((size_t)turn * blockDim.x + threadIdx.x);
            if (i + 4 <= n) {
                quad[turn] = *(const float4 *)(in + i);
            } else {
                quad[turn].x = i < n ? in[i] : 0;
                quad[turn].y = i + 1 < n ? in[i + 1] : 0;
                quad[turn].z = i + 2 < n ? in[i + 2] : 0;
                quad[turn].w = 0;
            }
        }
#pragma unroll
        for (int turn = 0; turn < 4; turn++)
            mine += (quad[turn].x + quad[turn].y) + (quad[turn].z + quad[turn].w);
    }
    float share = block_sum(mine);
    if (threadIdx.x == blockDim.x - 1) // each thread knows it
        atomicAdd(sum, share);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    cudaError_t cleared = cudaMemset(sum, 0, sizeof *sum);
    size_t tiles = (n + 16 * (size_t)block - 1) / (16 * (size_t)block);
    return cleared != cudaSuccess
               ? cleared
               : start(sum_grid_kernel, tiles > 792 ? 792 : tiles, block, in, n, sum);
    // END TODO(4)
}
