// Wrong: sum_halving adds with saturation (OpenCL's add_sat), so a sum beyond the ints' range sticks at the largest int instead of wrapping around at 2^32.
// Kind: operator arithmetic
/*
 * Lab 02: less divergent reduction. Handout: handouts/02-less-divergent-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), write the version between (TODO 1), then the one with
 * the halving stride (TODO 2).
 */
#include "sum_by_levels.cuh"

/* a + b without undefined behaviour where it overflows */
static __device__ int safe_add(int a, int b) {
    int c;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b));
    return c;
}

/*
 * Predictions, before you run anything. All of them are about a kernel's first launch on full
 * blocks; -1 means "not answered". They cost no points: the grader sets them beside what it counted
 * on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_halving in a block of 1024 threads: how often do its warps diverge at the `if` in the loop?
extern "C" const int predicted_divergent_branches_1024 = 5;

// The same block: how often does a warp go through an addition, all warps and steps together?
extern "C" const int predicted_warp_additions_1024 = 36;

// sum_halving in a block of 48 threads: how often do its warps diverge at that `if`?
extern "C" const int predicted_divergent_branches_48 = 6;

// sum_strided in a block of 512 threads: how many passes of the 32 banks are there beyond those
// that the same accesses would need without a conflict? An addition reads two words and writes one.
extern "C" const int predicted_strided_conflicts_512 = 225;

// END TODO(0)

/*
 * Between lab 01 and the halving stride: the tree of lab 01, words and all, but thread t does the
 * t-th addition of each step. One block sums one tile into partials[blockIdx.x]; the tile is
 * dynamic shared memory, one int a thread.
 */
__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load, add with strides 1, 2, 4 … at word 2 * stride * t, store (about 13 lines)
    extern __shared__ int words[];
    int t = threadIdx.x, size = blockDim.x;
    size_t at = blockIdx.x;
    at = at * size + t;
    words[t] = 0;
    if (at < n)
        words[t] = in[at];
    for (int k = 0; (1 << k) < size; k++) {
        __syncthreads();
        int left = t << (k + 1), right = left + (1 << k);
        if (right < size)
            words[left] += words[right];
    }
    if (!t)
        partials[blockIdx.x] = words[0];
    // END TODO(1)
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    // TODO(1): hand the kernel to sum_by_levels (1 line)
    return sum_by_levels(&sum_strided_kernel, in, n, block, scratch, sum);
    // END TODO(1)
}

/*
 * The first half of the threads add what lies half a tile further on; then the first quarter; and
 * so on. Tile, result and launch are as above.
 */
__global__ void sum_halving_kernel(const int *in, size_t n, int *partials) {
    // TODO(2): load, add with a stride that halves, store (about 13 lines)
    extern __shared__ int local[];
    const unsigned lid = threadIdx.x;
    const size_t gid = (size_t)blockIdx.x * blockDim.x + lid;

    local[lid] = gid < n ? in[gid] : 0;
    __syncthreads();
    for (unsigned len = blockDim.x, half; len > 1; len = half) {
        half = (len + 1) >> 1;
        if (lid + half < len)
            local[lid] = safe_add(local[lid], local[lid + half]);
        __syncthreads();
    }
    if (lid == 0)
        partials[blockIdx.x] = local[0];
    // END TODO(2)
}

extern "C" cudaError_t sum_halving(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    // TODO(2): hand the kernel to sum_by_levels (1 line)
    return sum_by_levels(sum_halving_kernel, in, n, block, scratch, sum);
    // END TODO(2)
}
