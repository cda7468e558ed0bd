// Wrong: the barrier stands at the top of each step of rung 5, and none behind the loop, before the last warp reads what others stored
// Kind: barrier
/*
 * Lab 08: the ladder. Handout: handouts/08-the-ladder.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the seven kernels, rung by rung (TODO 1 to 7). Each can
 * be tested when it is done, and most begin as a copy of the one before.
 */
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

/*
 * Predictions, before you run anything. They are about a kernel's first launch on full blocks; -1
 * means "not answered". They cost no points: the grader sets them beside what it counted on your own
 * kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_divergent in a block of 1024 threads: how often do its warps diverge at the `if` in the loop?
extern "C" const int predicted_divergent_branches_1024 = 191;

// sum_strided in a block of 256 threads: how many passes of the 32 banks are there beyond those that
// the same accesses would need without a conflict? An addition reads two words and writes one.
extern "C" const int predicted_conflicts_256 = 105;

// sum_first_add of 2^20 ints in blocks of 256 threads: how many blocks has the first launch?
extern "C" const int predicted_first_add_blocks = 2048;

// sum_last_warp in a block of 256 threads: how many barriers of the block does each warp wait at?
extern "C" const int predicted_last_warp_barriers_256 = 3;

// END TODO(0)

/*
 * Rung 1, interleaved addressing with divergence: lab 01. One block sums one tile: blockDim.x
 * neighbouring ints, of which the last block may have fewer. The tile lies in dynamic shared memory.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load, add with strides 1, 2, 4 … where t is a multiple, store (about 12 lines)
    extern __shared__ int tile[];
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int mine = 0;

    if (i < n)
        mine = in[i];
    tile[threadIdx.x] = mine;
    for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
        __syncthreads();
        if ((threadIdx.x & (2 * stride - 1)) == 0)
            tile[threadIdx.x] += tile[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = tile[0];
    // END TODO(1)
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    // TODO(1): hand the kernel to sum_by_levels (1 line)
    return sum_by_levels(sum_divergent_kernel, in, n, block, block, scratch, sum);
    // END TODO(1)
}

/* Rung 2, interleaved addressing with bank conflicts: thread t makes the t-th addition. */
__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    // TODO(2): the same, but thread t adds at word 2 * stride * t (about 13 lines)
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x;
    int mine = 0;

    if (t < n - first)
        mine = in[first + t];
    tile[t] = mine;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t < blockDim.x / (2 * stride)) {
            int *word = tile + 2 * stride * t;

            word[0] += word[stride];
        }
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
    // END TODO(2)
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    // TODO(2): hand the kernel to sum_by_levels (1 line)
    return sum_by_levels(sum_strided_kernel, in, n, block, block, scratch, sum);
    // END TODO(2)
}

/* Rung 3, sequential addressing. */
__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials) {
    // TODO(3): the same, but the stride halves, and thread t adds at word t (about 12 lines)
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
    // END TODO(3)
}

extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch,
                                      int *sum) {
    // TODO(3): hand the kernel to sum_by_levels (1 line)
    return sum_by_levels(sum_sequential_kernel, in, n, block, block, scratch, sum);
    // END TODO(3)
}

/* Rung 4, first add during load: a block's share is 2 * blockDim.x ints, its tile still blockDim.x. */
__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials) {
    // TODO(4): load two ints and put their sum into the tile; the rest as before (about 15 lines)
    extern __shared__ int tile[];
    const unsigned block = blockDim.x;
    const size_t first = (size_t)block * 2 * blockIdx.x;
    const size_t left = n - first;
    int mine = 0;

    in += first;
    for (unsigned at = threadIdx.x; at < 2 * block; at += block)
        if (at < left)
            mine += in[at];
    tile[threadIdx.x] = mine;
    for (unsigned stride = block >> 1; stride != 0; stride >>= 1) {
        __syncthreads();
        if (threadIdx.x < stride)
            tile[threadIdx.x] = mine += tile[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
    // END TODO(4)
}

extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    // TODO(4): hand the kernel to sum_by_levels, with the block's share (1 line)
    return sum_by_levels(sum_first_add_kernel, in, n, block, 2 * block, scratch, sum);
    // END TODO(4)
}

/*
 * The sum of tile[0] to tile[63], in lane 0; what the other lanes get is of no use. All lanes of one
 * warp call it, each with its number, behind a barrier of the block. It may overwrite the tile.
 */
__device__ int last_warp(int *tile, unsigned lane) {
    // TODO(5): six additions, written out one by one (about 7 lines)
    int mine = tile[lane] + tile[lane + 32];

    mine += __shfl_down_sync(ALL_LANES, mine, 16);
    mine += __shfl_down_sync(ALL_LANES, mine, 8);
    mine += __shfl_down_sync(ALL_LANES, mine, 4);
    mine += __shfl_down_sync(ALL_LANES, mine, 2);
    mine += __shfl_down_sync(ALL_LANES, mine, 1);
    return mine;
    // END TODO(5)
}

/* Rung 5, the last warp unrolled. */
__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    // TODO(5): the loop ends where 64 words are left; last_warp adds those (about 18 lines)
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * (2 * blockDim.x) + t;
    const size_t j = i + blockDim.x;

    tile[t] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
    for (unsigned stride = blockDim.x / 2; stride >= 64; stride /= 2) {
        __syncthreads();
        if (t < stride)
            tile[t] += tile[t + stride];
    }
    if (t >= 32)
        return;

    const int sum = last_warp(tile, t);
    if (t == 0)
        partials[blockIdx.x] = sum;
    // END TODO(5)
}

extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    // TODO(5): hand the kernel to sum_by_levels (1 line)
    return sum_by_levels(sum_last_warp_kernel, in, n, block, 2 * block, scratch, sum);
    // END TODO(5)
}

/* WORDS words of the tile become 64, which have the same sum. All threads of the block call it,
 * behind a barrier, and leave it behind one. */
template <unsigned WORDS> __device__ void halve(int *tile) {
    if constexpr (WORDS > 64) {
        if (threadIdx.x < WORDS / 2)
            tile[threadIdx.x] += tile[threadIdx.x + WORDS / 2];
        __syncthreads();
        halve<WORDS / 2>(tile);
    }
}

/*
 * The sum of `mine` over a block of BLOCK threads, in thread 0; what the others get is of no use. All
 * of them must call it. `tile` has room for BLOCK ints.
 */
template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    // TODO(6): the tree without a loop: an `if` on BLOCK for each step (about 22 lines)
    tile[threadIdx.x] = mine;
    __syncthreads();
    halve<BLOCK>(tile);
    if (threadIdx.x < 32)
        mine = last_warp(tile, threadIdx.x);
    return mine;
    // END TODO(6)
}

/* Rung 6, completely unrolled. */
template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    // TODO(6): load two ints, sum the block, store (about 9 lines)
    extern __shared__ int tile[];
    const size_t i = (size_t)blockIdx.x * (2 * BLOCK) + threadIdx.x;
    int mine = 0;

    if (i < n)
        mine = in[i];
    if (i + BLOCK < n)
        mine += in[i + BLOCK];
    mine = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
    // END TODO(6)
}

/* The kernel that was compiled for blocks of this size; NULL where there is none. */
static inline ladder_kernel *unrolled_kernel(unsigned block) {
    // TODO(6): one case for each of the five sizes (about 8 lines)
    switch (block) {
    case 64:
        return sum_unrolled_kernel<64>;
    case 128:
        return sum_unrolled_kernel<128>;
    case 256:
        return sum_unrolled_kernel<256>;
    case 512:
        return sum_unrolled_kernel<512>;
    case 1024:
        return sum_unrolled_kernel<1024>;
    }
    return NULL;
    // END TODO(6)
}

extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch,
                                    int *sum) {
    // TODO(6): hand the kernel for this block to sum_by_levels (1 line)
    return sum_by_levels(unrolled_kernel(block), in, n, block, 2 * block, scratch, sum);
    // END TODO(6)
}

/* Rung 7, many ints a thread: the blocks of the grid share all n ints, however many blocks there are.
 */
template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    // TODO(7): each thread adds every so many-th int; then as before (about 9 lines)
    extern __shared__ int tile[];
    int mine = 0;

    for (size_t first = (size_t)blockIdx.x * BLOCK; first < n; first += (size_t)gridDim.x * BLOCK)
        if (threadIdx.x < n - first)
            mine += in[first + threadIdx.x];
    mine = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
    // END TODO(7)
}

static inline ladder_kernel *many_kernel(unsigned block) {
    // TODO(7): as unrolled_kernel (about 8 lines)
    switch (block) {
    case 64:
        return sum_many_kernel<64>;
    case 128:
        return sum_many_kernel<128>;
    case 256:
        return sum_many_kernel<256>;
    case 512:
        return sum_many_kernel<512>;
    case 1024:
        return sum_many_kernel<1024>;
    }
    return NULL;
    // END TODO(7)
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(7): how many blocks? Hand them to sum_by_grid (about 4 lines)
    size_t blocks = n / ((size_t)16 * block);

    if (blocks < 1)
        blocks = 1;
    if (blocks > 2048)
        blocks = 2048;
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
    // END TODO(7)
}
