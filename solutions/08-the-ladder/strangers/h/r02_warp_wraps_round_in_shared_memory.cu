// Right: all 32 lanes of the last warp add wrapping round in shared memory between warp barriers, the unrolled tree adds four words a step, and all adds are unsigned
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

/* All of a thread's dynamic shared memory, as unsigned numbers: they add modulo 2^32 by the rules. */
__device__ static inline unsigned *words() {
    extern __shared__ unsigned all_words[];
    return all_words;
}

/* One kernel for each size, chosen by position: 64 is the first. */
template <template <unsigned> class HOLDER> struct chosen {
    static ladder_kernel *of(unsigned block) {
        switch (block / 64) {
        case 16:
            return block == 1024 ? HOLDER<1024>::get() : NULL;
        case 8:
            return block == 512 ? HOLDER<512>::get() : NULL;
        case 4:
            return block == 256 ? HOLDER<256>::get() : NULL;
        case 2:
            return block == 128 ? HOLDER<128>::get() : NULL;
        case 1:
            return block == 64 ? HOLDER<64>::get() : NULL;
        default:
            return NULL;
        }
    }
};

template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials);
template <unsigned BLOCK> __global__ void sum_many_kernel(const int *in, size_t n, int *partials);

template <unsigned BLOCK> struct unrolled_holder {
    static ladder_kernel *get() { return sum_unrolled_kernel<BLOCK>; }
};
template <unsigned BLOCK> struct many_holder {
    static ladder_kernel *get() { return sum_many_kernel<BLOCK>; }
};
// END TODO(0)

/*
 * Rung 1, interleaved addressing with divergence: lab 01. One block sums one tile: blockDim.x
 * neighbouring ints, of which the last block may have fewer. The tile lies in dynamic shared memory.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load, add with strides 1, 2, 4 … where t is a multiple, store (about 12 lines)
    unsigned *const w = words();
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;

    w[t] = 0;
    if (i < n)
        w[t] = (unsigned)in[i];
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride <<= 1, __syncthreads())
        if (t % (stride + stride) == 0)
            w[t] = w[t] + w[t + stride];
    if (t == 0)
        partials[blockIdx.x] = (int)w[0];
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
    unsigned *const w = words();
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;

    w[t] = 0;
    if (i < n)
        w[t] = (unsigned)in[i];
    __syncthreads();
    for (unsigned stride = 1, add = blockDim.x / 2; add; stride <<= 1, add >>= 1, __syncthreads())
        if (t < add)
            w[2 * t * stride] = w[2 * t * stride] + w[(2 * t + 1) * stride];
    if (t == 0)
        partials[blockIdx.x] = (int)w[0];
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
    unsigned *const w = words();
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;

    unsigned mine = i < n ? (unsigned)in[i] : 0u;
    w[t] = mine;
    __syncthreads();
    // Own word in a register all the time; the tile holds it for those who ask.
    for (unsigned add = blockDim.x / 2; add; add >>= 1, __syncthreads())
        if (t < add)
            w[t] = mine += w[t + add];
    if (t == 0)
        partials[blockIdx.x] = (int)mine;
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
    unsigned *const w = words();
    const unsigned t = threadIdx.x, share = 2 * blockDim.x;
    const size_t i = (size_t)blockIdx.x * share + t;

    unsigned mine = i < n ? (unsigned)in[i] : 0u;
    mine += n > blockDim.x && i < n - blockDim.x ? (unsigned)in[i + blockDim.x] : 0u;
    w[t] = mine;
    __syncthreads();
    for (unsigned add = blockDim.x / 2; add; add >>= 1, __syncthreads())
        if (t < add)
            w[t] = mine += w[t + add];
    if (t == 0)
        partials[blockIdx.x] = (int)mine;
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
    // In shared memory: read, wait, write, wait. Lanes wrap round, so that every lane of 32 adds 32
    // words, each once.
    unsigned *const w = (unsigned *)tile;
    unsigned mine = w[lane] + w[lane + 32];
    __syncwarp();
    w[lane] = mine;
    __syncwarp();
    mine += w[(lane + 16) % 32];
    __syncwarp();
    w[lane] = mine;
    __syncwarp();
    mine += w[(lane + 8) % 32];
    __syncwarp();
    w[lane] = mine;
    __syncwarp();
    mine += w[(lane + 4) % 32];
    __syncwarp();
    w[lane] = mine;
    __syncwarp();
    mine += w[(lane + 2) % 32];
    __syncwarp();
    w[lane] = mine;
    __syncwarp();
    mine += w[(lane + 1) % 32];
    return (int)mine;
    // END TODO(5)
}

/* Rung 5, the last warp unrolled. */
__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    // TODO(5): the loop ends where 64 words are left; last_warp adds those (about 18 lines)
    int *const tile = (int *)words();
    const unsigned t = threadIdx.x, share = 2 * blockDim.x;
    const size_t i = (size_t)blockIdx.x * share + t;

    unsigned mine = i < n ? (unsigned)in[i] : 0u;
    mine += n > blockDim.x && i < n - blockDim.x ? (unsigned)in[i + blockDim.x] : 0u;
    tile[t] = (int)mine;
    __syncthreads();
    for (unsigned add = blockDim.x / 2; add > 32; add >>= 1, __syncthreads())
        if (t < add)
            tile[t] = (int)(mine += (unsigned)tile[t + add]);
    if (t >= 32)
        return; // no barrier of the block is left
    const int all = last_warp(tile, t);
    if (t == 0)
        partials[blockIdx.x] = all;
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
    const unsigned t = threadIdx.x;
    tile[t] = mine;
    __syncthreads();
    // Two steps of four words at once, where the block is large enough: fewer barriers.
    if (BLOCK == 1024) {
        if (t < 256)
            tile[t] += tile[t + 256] + (tile[t + 512] + tile[t + 768]);
        __syncthreads();
    }
    if (BLOCK == 512) {
        if (t < 128)
            tile[t] += tile[t + 128] + (tile[t + 256] + tile[t + 384]);
        __syncthreads();
    }
    if (BLOCK == 1024 || BLOCK == 256) {
        if (t < 64)
            tile[t] += tile[t + 64] + (tile[t + 128] + tile[t + 192]);
        __syncthreads();
    }
    if (BLOCK == 512 || BLOCK == 128) {
        if (t < 64)
            tile[t] += tile[t + 64];
        __syncthreads();
    }
    if (t < 32)
        mine = last_warp(tile, t);
    return mine;
    // END TODO(6)
}

/* Rung 6, completely unrolled. */
template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    // TODO(6): load two ints, sum the block, store (about 9 lines)
    const size_t i = (size_t)blockIdx.x * (2 * BLOCK) + threadIdx.x;
    const bool one = i < n, two = n > BLOCK && i < n - BLOCK;
    const unsigned a = one ? (unsigned)in[i] : 0u, b = two ? (unsigned)in[i + BLOCK] : 0u;
    const int all = block_sum<BLOCK>((int *)words(), (int)(a + b));
    if (threadIdx.x == 0)
        partials[blockIdx.x] = all;
    // END TODO(6)
}

/* The kernel that was compiled for blocks of this size; NULL where there is none. */
static inline ladder_kernel *unrolled_kernel(unsigned block) {
    // TODO(6): one case for each of the five sizes (about 8 lines)
    return chosen<unrolled_holder>::of(block);
    // END TODO(6)
}

extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch,
                                    int *sum) {
    // TODO(6): hand the kernel for this block to sum_by_levels (1 line)
    ladder_kernel *const kernel = unrolled_kernel(block);
    return sum_by_levels(kernel, in, n, block, block + block, scratch, sum);
    // END TODO(6)
}

/* Rung 7, many ints a thread: the blocks of the grid share all n ints, however many blocks there are.
 */
template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    // TODO(7): each thread adds every so many-th int; then as before (about 9 lines)
    // Two sums a thread, of every other turn.
    const size_t G = (size_t)gridDim.x * BLOCK;
    unsigned even = 0, odd = 0;
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    for (; i < n && n - i > G; i += 2 * G) {
        even += (unsigned)in[i];
        odd += (unsigned)in[i + G];
    }
    if (i < n)
        even += (unsigned)in[i];
    const int all = block_sum<BLOCK>((int *)words(), (int)(even + odd));
    if (threadIdx.x == 0)
        partials[blockIdx.x] = all;
    // END TODO(7)
}

static inline ladder_kernel *many_kernel(unsigned block) {
    // TODO(7): as unrolled_kernel (about 8 lines)
    return chosen<many_holder>::of(block);
    // END TODO(7)
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(7): how many blocks? Hand them to sum_by_grid (about 4 lines)
    const size_t each = (size_t)block << 4; // ints of a block, if not more
    const size_t blocks = n < each ? 1 : n / each > 1024 ? 1024 : n / each;
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
    // END TODO(7)
}
