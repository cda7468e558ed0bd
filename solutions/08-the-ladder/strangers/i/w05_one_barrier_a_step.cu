// Wrong: all lanes of the last warp add in place, with one __syncwarp a step: a lane overwrites the word that another one still has to read
// Kind: race
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

/* Adds the upper half of `words` words of the tile to the lower half, again and again, until `end`
 * words are left. All threads of the block call it, and each has stored its word before. */
__device__ void fold(int *tile, unsigned words, unsigned end) {
    __syncthreads();
    while (words > end) {
        words /= 2;
        if (threadIdx.x < words)
            tile[threadIdx.x] += tile[threadIdx.x + words];
        __syncthreads();
    }
}

/* in[i] + in[i + distance], where those exist. */
__device__ int load_two(const int *in, size_t n, size_t i, unsigned distance) {
    int sum = 0;

    if (i < n)
        sum = in[i];
    if (i + distance < n)
        sum += in[i + distance];
    return sum;
}

/*
 * Rung 1, interleaved addressing with divergence: lab 01. One block sums one tile: blockDim.x
 * neighbouring ints, of which the last block may have fewer. The tile lies in dynamic shared memory.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load, add with strides 1, 2, 4 … where t is a multiple, store (about 12 lines)
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x;

    tile[t] = t < n - first ? in[first + t] : 0;
    __syncthreads();
    for (unsigned width = 2; width <= blockDim.x; width *= 2) {
        if (t % width == 0)
            tile[t] += tile[t + width / 2];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[t];
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
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        const unsigned word = 2 * stride * t;

        if (word < blockDim.x)
            tile[word] += tile[word + stride];
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
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    tile[threadIdx.x] = i < n ? in[i] : 0;
    fold(tile, blockDim.x, 1);
    if (threadIdx.x == 0)
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
    const size_t first = (size_t)blockIdx.x * (2 * blockDim.x);

    tile[threadIdx.x] = load_two(in, n, first + threadIdx.x, blockDim.x);
    fold(tile, blockDim.x, 1);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = tile[0];
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
    tile[lane] += tile[lane + 32];
    __syncwarp();
    tile[lane] += tile[lane + 16];
    __syncwarp();
    tile[lane] += tile[lane + 8];
    __syncwarp();
    tile[lane] += tile[lane + 4];
    __syncwarp();
    tile[lane] += tile[lane + 2];
    __syncwarp();
    tile[lane] += tile[lane + 1];
    return tile[lane];
    // END TODO(5)
}

/* Rung 5, the last warp unrolled. */
__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    // TODO(5): the loop ends where 64 words are left; last_warp adds those (about 18 lines)
    extern __shared__ int tile[];
    const size_t first = (size_t)blockIdx.x * (2 * blockDim.x);

    tile[threadIdx.x] = load_two(in, n, first + threadIdx.x, blockDim.x);
    fold(tile, blockDim.x, 64);
    if (threadIdx.x < 32) {
        const int sum = last_warp(tile, threadIdx.x);

        if (threadIdx.x == 0)
            partials[blockIdx.x] = sum;
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
    const unsigned t = threadIdx.x;

    tile[t] = mine;
    __syncthreads();
    if (BLOCK >= 1024) {
        if (t < 512)
            tile[t] += tile[t + 512];
        __syncthreads();
    }
    if (BLOCK >= 512) {
        if (t < 256)
            tile[t] += tile[t + 256];
        __syncthreads();
    }
    if (BLOCK >= 256) {
        if (t < 128)
            tile[t] += tile[t + 128];
        __syncthreads();
    }
    if (BLOCK >= 128) {
        if (t < 64)
            tile[t] += tile[t + 64];
        __syncthreads();
    }
    return t < 32 ? last_warp(tile, t) : 0;
    // END TODO(6)
}

/* Rung 6, completely unrolled. */
template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    // TODO(6): load two ints, sum the block, store (about 9 lines)
    extern __shared__ int tile[];
    const size_t i = (size_t)blockIdx.x * (2 * BLOCK) + threadIdx.x;
    const int sum = block_sum<BLOCK>(tile, load_two(in, n, i, BLOCK));

    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
    // END TODO(6)
}

/* The kernel that was compiled for blocks of this size; NULL where there is none. */
static inline ladder_kernel *unrolled_kernel(unsigned block) {
    // TODO(6): one case for each of the five sizes (about 8 lines)
    return block == 64     ? sum_unrolled_kernel<64>
           : block == 128  ? sum_unrolled_kernel<128>
           : block == 256  ? sum_unrolled_kernel<256>
           : block == 512  ? sum_unrolled_kernel<512>
           : block == 1024 ? sum_unrolled_kernel<1024>
                           : NULL;
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
    const size_t threads = (size_t)gridDim.x * BLOCK;
    int mine = 0;

    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += threads)
        mine += in[i];

    // The sums of the warps go into the first words of the tile; the first warp adds those.
    extern __shared__ int tile[];
    for (unsigned bit = 16; bit > 0; bit /= 2)
        mine += __shfl_xor_sync(ALL_LANES, mine, bit);
    if (threadIdx.x % 32 == 0)
        tile[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < BLOCK / 32 ? tile[threadIdx.x] : 0;
        for (unsigned bit = 16; bit > 0; bit /= 2)
            mine += __shfl_xor_sync(ALL_LANES, mine, bit);
        if (threadIdx.x == 0)
            partials[blockIdx.x] = mine;
    }
    // END TODO(7)
}

static inline ladder_kernel *many_kernel(unsigned block) {
    // TODO(7): as unrolled_kernel (about 8 lines)
    return block == 64     ? sum_many_kernel<64>
           : block == 128  ? sum_many_kernel<128>
           : block == 256  ? sum_many_kernel<256>
           : block == 512  ? sum_many_kernel<512>
           : block == 1024 ? sum_many_kernel<1024>
                           : NULL;
    // END TODO(7)
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(7): how many blocks? Hand them to sum_by_grid (about 4 lines)
    const size_t share = 8 * (size_t)block; // 8 ints a thread at least, but in the last block
    const size_t blocks = n / share + (n % share != 0);

    return sum_by_grid(many_kernel(block), in, n, block, blocks < 4096 ? blocks : 4096, scratch, sum);
    // END TODO(7)
}
