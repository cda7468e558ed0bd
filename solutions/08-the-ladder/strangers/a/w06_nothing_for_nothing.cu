// Wrong: where n is 0 the launcher returns at once and *sum keeps what it held, instead of 0.
// Kind: empty
/*
 * Lab 08: the ladder. Handout: handouts/08-the-ladder.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the seven kernels, rung by rung (TODO 1 to 7). Each can
 * be tested when it is done, and most begin as a copy of the one before.
 */
#include "launches.cuh"

#define ALL_LANES 0xffffffffu

/* Launches the kernel on `in`, then itself on the partial sums. */
static cudaError_t sum_down(ladder_kernel *kernel, const int *in, size_t n, unsigned block,
                            size_t share, int *scratch, int *sum) {
    if (!kernel || !is_block(block))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;

    const size_t blocks = (n - 1) / share + 1;
    const cudaStream_t stream = 0;
    kernel<<<(unsigned)blocks, block, block * sizeof(int), stream>>>(in, n,
                                                                     blocks == 1 ? sum : scratch);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || blocks == 1)
        return error;
    return sum_down(kernel, scratch, blocks, block, share, scratch + blocks, sum);
}

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
    const int t = threadIdx.x, threads = blockDim.x;
    const size_t before = (size_t)blockIdx.x * threads, left = n - before;

    in += before;
    tile[t] = t < left ? in[t] : 0;
    __syncthreads();
    int stride = 1;
    do {
        if (t % (2 * stride) == 0)
            tile[t] += tile[t + stride];
        __syncthreads();
        stride *= 2;
    } while (stride < threads);
    if (!t)
        partials[blockIdx.x] = tile[0];
    // END TODO(1)
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    // TODO(1): hand the kernel to sum_by_levels (1 line)
    return sum_down(sum_divergent_kernel, in, n, block, block, scratch, sum);
    // END TODO(1)
}

/* Rung 2, interleaved addressing with bank conflicts: thread t makes the t-th addition. */
__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    // TODO(2): the same, but thread t adds at word 2 * stride * t (about 13 lines)
    extern __shared__ int tile[];
    const int t = threadIdx.x, threads = blockDim.x;
    const size_t before = (size_t)blockIdx.x * threads, left = n - before;

    in += before;
    tile[t] = t < left ? in[t] : 0;
    __syncthreads();
    int stride = 1;
    do {
        if (2 * stride * t < threads)
            tile[2 * stride * t] += tile[2 * stride * t + stride];
        __syncthreads();
        stride *= 2;
    } while (stride < threads);
    if (!t)
        partials[blockIdx.x] = tile[0];
    // END TODO(2)
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    // TODO(2): hand the kernel to sum_by_levels (1 line)
    return sum_down(sum_strided_kernel, in, n, block, block, scratch, sum);
    // END TODO(2)
}

/* Rung 3, sequential addressing. */
__global__ void sum_sequential_kernel(const int *in, size_t n, int *partials) {
    // TODO(3): the same, but the stride halves, and thread t adds at word t (about 12 lines)
    extern __shared__ int tile[];
    const int t = threadIdx.x, threads = blockDim.x;
    const size_t before = (size_t)blockIdx.x * threads, left = n - before;

    in += before;
    tile[t] = t < left ? in[t] : 0;
    __syncthreads();
    int stride = threads;
    do {
        stride /= 2;
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    } while (stride > 1);
    if (!t)
        partials[blockIdx.x] = tile[0];
    // END TODO(3)
}

extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch,
                                      int *sum) {
    // TODO(3): hand the kernel to sum_by_levels (1 line)
    return sum_down(sum_sequential_kernel, in, n, block, block, scratch, sum);
    // END TODO(3)
}

/* Rung 4, first add during load: a block's share is 2 * blockDim.x ints, its tile still blockDim.x. */
__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials) {
    // TODO(4): load two ints and put their sum into the tile; the rest as before (about 15 lines)
    extern __shared__ int tile[];
    const int t = threadIdx.x, threads = blockDim.x;
    const size_t before = (size_t)blockIdx.x * threads * 2, left = n - before;

    in += before;
    tile[t] = (t < left ? in[t] : 0) + (t + threads < left ? in[t + threads] : 0);
    __syncthreads();
    int stride = threads;
    do {
        stride /= 2;
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    } while (stride > 1);
    if (!t)
        partials[blockIdx.x] = tile[0];
    // END TODO(4)
}

extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    // TODO(4): hand the kernel to sum_by_levels, with the block's share (1 line)
    return sum_down(sum_first_add_kernel, in, n, block, 2 * block, scratch, sum);
    // END TODO(4)
}

/*
 * The sum of tile[0] to tile[63], in lane 0; what the other lanes get is of no use. All lanes of one
 * warp call it, each with its number, behind a barrier of the block. It may overwrite the tile.
 */
__device__ int last_warp(int *tile, unsigned lane) {
    // TODO(5): six additions, written out one by one (about 7 lines)
    int *const mine = tile + lane;
    int sum = mine[0] + mine[32];
    sum += __shfl_down_sync(ALL_LANES, sum, 16);
    sum += __shfl_down_sync(ALL_LANES, sum, 8);
    sum += __shfl_down_sync(ALL_LANES, sum, 4);
    sum += __shfl_down_sync(ALL_LANES, sum, 2);
    sum += __shfl_down_sync(ALL_LANES, sum, 1);
    return sum;
    // END TODO(5)
}

/* Rung 5, the last warp unrolled. */
__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    // TODO(5): the loop ends where 64 words are left; last_warp adds those (about 18 lines)
    extern __shared__ int tile[];
    const int t = threadIdx.x, threads = blockDim.x;
    const size_t before = (size_t)blockIdx.x * threads * 2, left = n - before;

    in += before;
    tile[t] = (t < left ? in[t] : 0) + (t + threads < left ? in[t + threads] : 0);
    __syncthreads();
    for (int words = threads; words > 64;) {
        words /= 2;
        if (t < words)
            tile[t] += tile[t + words];
        __syncthreads();
    }
    if (t < warpSize) {
        const int total = last_warp(tile, t);
        if (!t)
            partials[blockIdx.x] = total;
    }
    // END TODO(5)
}

extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    // TODO(5): hand the kernel to sum_by_levels (1 line)
    return sum_down(sum_last_warp_kernel, in, n, block, 2 * block, scratch, sum);
    // END TODO(5)
}

/*
 * The sum of `mine` over a block of BLOCK threads, in thread 0; what the others get is of no use. All
 * of them must call it. `tile` has room for BLOCK ints.
 */
template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    // TODO(6): the tree without a loop: an `if` on BLOCK for each step (about 22 lines)
    int *const word = tile + threadIdx.x;

    *word = mine;
    __syncthreads();
#define STEP(half)                                                                                 \
    if (BLOCK > half) {                                                                            \
        if (threadIdx.x < half)                                                                    \
            *word += word[half];                                                                   \
        __syncthreads();                                                                           \
    }
    STEP(512)
    STEP(256)
    STEP(128)
    STEP(64)
#undef STEP
    return threadIdx.x < 32 ? last_warp(tile, threadIdx.x) : mine;
    // END TODO(6)
}

/* Rung 6, completely unrolled. */
template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    // TODO(6): load two ints, sum the block, store (about 9 lines)
    extern __shared__ int tile[];
    const int t = threadIdx.x;
    const size_t before = (size_t)blockIdx.x * BLOCK * 2, left = n - before;

    in += before;
    const int mine = (t < left ? in[t] : 0) + (t + BLOCK < left ? in[t + BLOCK] : 0);
    const int total = block_sum<BLOCK>(tile, mine);
    if (!t)
        partials[blockIdx.x] = total;
    // END TODO(6)
}

/* The kernel that was compiled for blocks of this size; NULL where there is none. */
static inline ladder_kernel *unrolled_kernel(unsigned block) {
    // TODO(6): one case for each of the five sizes (about 8 lines)
    switch (block) {
#define CASE(size)                                                                                 \
    case size:                                                                                     \
        return sum_unrolled_kernel<size>
        CASE(64);
        CASE(128);
        CASE(256);
        CASE(512);
        CASE(1024);
#undef CASE
    default:
        return NULL;
    }
    // END TODO(6)
}

extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch,
                                    int *sum) {
    // TODO(6): hand the kernel for this block to sum_by_levels (1 line)
    return sum_down(unrolled_kernel(block), in, n, block, 2 * block, scratch, sum);
    // END TODO(6)
}

/* Rung 7, many ints a thread: the blocks of the grid share all n ints, however many blocks there are.
 */
template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    // TODO(7): each thread adds every so many-th int; then as before (about 9 lines)
    extern __shared__ int tile[];
    const int *next = in + (size_t)blockIdx.x * BLOCK + threadIdx.x;
    const int *const end = in + n;

    int mine = 0;
    for (; next < end; next += (size_t)gridDim.x * BLOCK)
        mine += *next;
    const int total = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = total;
    // END TODO(7)
}

static inline ladder_kernel *many_kernel(unsigned block) {
    // TODO(7): as unrolled_kernel (about 8 lines)
    switch (block) {
#define CASE(size)                                                                                 \
    case size:                                                                                     \
        return sum_many_kernel<size>
        CASE(64);
        CASE(128);
        CASE(256);
        CASE(512);
        CASE(1024);
#undef CASE
    default:
        return NULL;
    }
    // END TODO(7)
}

extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(7): how many blocks? Hand them to sum_by_grid (about 4 lines)
    int device, processors;
    cudaError_t error = cudaGetDevice(&device);
    if (error != cudaSuccess)
        return error;
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;

    size_t blocks = processors < 64 ? 64 : processors > 256 ? 256 : processors;
    if (blocks > n / block / 8)
        blocks = n / block / 8;
    if (blocks == 0)
        blocks = 1;
    return sum_by_grid(many_kernel(block), in, n, block, blocks, scratch, sum);
    // END TODO(7)
}
