// Right: rung 5 lets the warp with the highest number add the last 64 words, the unrolled tree is a recursive template, and rung 7 goes from the last int to the first
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

/* Two ints of the tile, added where they lie. */
__device__ static inline void fold(int *to, const int *from) {
    *to += *from;
}

/* Steps of FROM, FROM / 2, ... down to 64 threads, the next one by a template in turn. */
template <unsigned FROM> __device__ static inline void fold_down(int *tile, unsigned t) {
    if constexpr (FROM >= 64) {
        if (t < FROM)
            fold(tile + t, tile + t + FROM);
        __syncthreads();
        fold_down<FROM / 2>(tile, t);
    }
}
// END TODO(0)

/*
 * Rung 1, interleaved addressing with divergence: lab 01. One block sums one tile: blockDim.x
 * neighbouring ints, of which the last block may have fewer. The tile lies in dynamic shared memory.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load, add with strides 1, 2, 4 … where t is a multiple, store (about 12 lines)
    extern __shared__ int tile[];
    const int *const mine = in + (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int *const word = tile + threadIdx.x;

    *word = mine < in + n ? *mine : 0;
    __syncthreads();
    // The number of trailing zeros of t says how many strides it takes part in.
    for (unsigned step = 0; 1u << step != blockDim.x; ++step) {
        const unsigned low = (2u << step) - 1u;
        if (!(threadIdx.x & low))
            fold(word, word + (1u << step));
        __syncthreads();
    }
    if (!threadIdx.x)
        partials[blockIdx.x] = *word;
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
    const int *const mine = in + (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    tile[threadIdx.x] = mine < in + n ? *mine : 0;
    // `apart` is twice the stride; a barrier stands in front of each step and none behind the last:
    // thread 0 makes that one, and stores its sum.
    for (unsigned apart = 2; apart <= blockDim.x; apart += apart) {
        __syncthreads();
        if (threadIdx.x * apart < blockDim.x)
            fold(tile + threadIdx.x * apart, tile + threadIdx.x * apart + apart / 2);
    }
    if (!threadIdx.x)
        *(partials + blockIdx.x) = *tile;
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
    const int *const mine = in + (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    tile[threadIdx.x] = mine < in + n ? *mine : 0;
    for (unsigned words = blockDim.x; words > 1; words -= words / 2) {
        __syncthreads();
        if (threadIdx.x < words / 2)
            fold(tile + threadIdx.x, tile + threadIdx.x + words / 2);
    }
    if (!threadIdx.x)
        *(partials + blockIdx.x) = *tile;
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
    const size_t left = n - (size_t)blockIdx.x * 2 * blockDim.x; // at least 1
    const int *const first = in + (n - left);
    const unsigned t = threadIdx.x;

    int mine = 0;
    for (unsigned e = t; e < 2 * blockDim.x; e += blockDim.x)
        if (e < left)
            mine += first[e];
    tile[t] = mine;
    for (unsigned words = blockDim.x; words > 1; words /= 2) {
        __syncthreads();
        if (t < words / 2)
            fold(tile + t, tile + t + words / 2);
    }
    if (!t)
        *(partials + blockIdx.x) = *tile;
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
    // Butterflies: each lane gets the sum, lane 0 among them.
    int mine = tile[lane ^ 32] + tile[lane];
    mine += __shfl_xor_sync(ALL_LANES, mine, 1);
    mine += __shfl_xor_sync(ALL_LANES, mine, 2);
    mine += __shfl_xor_sync(ALL_LANES, mine, 4);
    mine += __shfl_xor_sync(ALL_LANES, mine, 8);
    mine += __shfl_xor_sync(ALL_LANES, mine, 16);
    return mine;
    // END TODO(5)
}

/* Rung 5, the last warp unrolled. */
__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    // TODO(5): the loop ends where 64 words are left; last_warp adds those (about 18 lines)
    // The last 64 words are added by the warp with the highest number, and its last lane stores.
    extern __shared__ int tile[];
    const size_t left = n - (size_t)blockIdx.x * 2 * blockDim.x; // at least 1
    const int *const first = in + (n - left);
    const unsigned t = threadIdx.x, others = blockDim.x - 32;

    int mine = 0;
    if (t < left)
        mine = first[t];
    if (t + blockDim.x < left)
        mine += first[t + blockDim.x];
    tile[t] = mine;
    __syncthreads();
    for (unsigned words = blockDim.x; words > 64; words /= 2) {
        if (t < words / 2)
            fold(tile + t, tile + t + words / 2);
        __syncthreads();
    }
    if (t >= others) {
        const int all = last_warp(tile, t - others);
        if (t == others + 31)
            partials[blockIdx.x] = all;
    }
    // END TODO(5)
}

extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    // TODO(5): hand the kernel to sum_by_levels (1 line)
    return sum_by_levels(sum_last_warp_kernel, in, n, block, 2 * block, scratch, sum);
    // END TODO(5)
}

/*
 * The sum of `mine` over a block of BLOCK threads, in thread 0; what the others get is of no use. All
 * of them must call it. `tile` has room for BLOCK ints.
 */
template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    // TODO(6): the tree without a loop: an `if` on BLOCK for each step (about 22 lines)
    tile[threadIdx.x] = mine;
    __syncthreads();
    fold_down<BLOCK / 2>(tile, threadIdx.x);
    if (threadIdx.x / 32 != 0)
        return mine;
    return last_warp(tile, threadIdx.x);
    // END TODO(6)
}

/* Rung 6, completely unrolled. */
template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    // TODO(6): load two ints, sum the block, store (about 9 lines)
    extern __shared__ int tile[];
    const size_t left = n - (size_t)blockIdx.x * (2 * BLOCK); // at least 1
    const int *const first = in + (n - left) + threadIdx.x;

    int two[2] = {0, 0};
    if (threadIdx.x < left)
        two[0] = *first;
    if (threadIdx.x + BLOCK < left)
        two[1] = first[BLOCK];
    const int all = block_sum<BLOCK>(tile, two[0] + two[1]);
    if (!threadIdx.x)
        partials[blockIdx.x] = all;
    // END TODO(6)
}

/* The kernel that was compiled for blocks of this size; NULL where there is none. */
static inline ladder_kernel *unrolled_kernel(unsigned block) {
    // TODO(6): one case for each of the five sizes (about 8 lines)
    return block == 64     ? &sum_unrolled_kernel<64>
           : block == 128  ? &sum_unrolled_kernel<128>
           : block == 256  ? &sum_unrolled_kernel<256>
           : block == 512  ? &sum_unrolled_kernel<512>
           : block == 1024 ? &sum_unrolled_kernel<1024>
                           : (ladder_kernel *)NULL;
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
    // From the last int to the first, and the tree's tile is a static one.
    __shared__ int tile[BLOCK];
    const size_t threads = (size_t)gridDim.x * BLOCK;
    const size_t me = (size_t)blockIdx.x * BLOCK + threadIdx.x;

    int mine = 0;
    for (size_t have = me < n ? (n - 1 - me) / threads + 1 : 0; have-- > 0;)
        mine += in[me + have * threads];
    mine = block_sum<BLOCK>(tile, mine);
    if (!threadIdx.x)
        partials[blockIdx.x] = mine;
    // END TODO(7)
}

static inline ladder_kernel *many_kernel(unsigned block) {
    // TODO(7): as unrolled_kernel (about 8 lines)
    return block == 64     ? &sum_many_kernel<64>
           : block == 128  ? &sum_many_kernel<128>
           : block == 256  ? &sum_many_kernel<256>
           : block == 512  ? &sum_many_kernel<512>
           : block == 1024 ? &sum_many_kernel<1024>
                           : (ladder_kernel *)NULL;
    // END TODO(7)
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(7): how many blocks? Hand them to sum_by_grid (about 4 lines)
    // Half as many blocks, until a thread has 8 ints and the second launch 8 a thread at most.
    size_t blocks = levels_n(n, block, 1) + (n == 0);
    while (blocks > 1 && (blocks * 8 * block > n || blocks > 8 * (size_t)block))
        blocks -= blocks / 2;
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
    // END TODO(7)
}
