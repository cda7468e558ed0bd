// Right: cooperative groups for ranks and barriers, a tile class with an index operator, strides counted by a shift, cudaLaunchKernelEx for the launches.
/*
 * Lab 01: divergent reduction. Handout: handouts/01-divergent-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), the kernel (TODO 1), then the function that launches it (TODO 2).
 */
#include "sum_divergent.h"

#include <cooperative_groups.h>

namespace {

namespace cg = cooperative_groups;

class Tile {
  public:
    __device__ Tile(int *words, unsigned size) : words_(words), size_(size) {}
    __device__ unsigned size() const { return size_; }
    __device__ int &operator[](unsigned w) { return words_[w]; }
    __device__ bool has(unsigned w) const { return w < size_; }

  private:
    int *words_;
    unsigned size_;
};

template <typename Function> __device__ void for_strides(unsigned size, Function step) {
    for (unsigned k = 0; (1u << k) < size; ++k)
        step(1u << k);
}

} // namespace

/*
 * Predictions, before you run anything. All of them are about the kernel's first launch on full
 * blocks; -1 means "not answered". They cost no points: the grader sets them beside what it counted
 * on your own kernel.
 */
// TODO(0): answer the questions (4 numbers)

// A block of 32 threads is one warp. How often does it diverge at the `if` inside the loop?
extern "C" const int predicted_divergent_branches_32 = -1;

// A block of 512 threads, all its warps and all strides together: how often at that `if`?
extern "C" const int predicted_divergent_branches_512 = -1;

// How many barriers does each warp of a block of 512 threads wait at?
extern "C" const int predicted_barriers_of_a_warp = -1;

// Global memory comes in sectors of 32 bytes. How many does a block of 512 threads read?
extern "C" const int predicted_load_sectors_512 = -1;

// END TODO(0)

/*
 * One block sums one tile: blockDim.x neighbouring ints, of which the last block may have fewer.
 * The tile lies in dynamic shared memory, one int a thread. partials[blockIdx.x] gets its sum.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load the tile, then sum it in place with strides 1, 2, 4 … (about 14 lines)
    extern __shared__ int words[];
    const cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank();
    Tile tile(words, block.size());

    const size_t begin = size_t(blockIdx.x) * tile.size();
    tile[rank] = begin + rank < n ? in[begin + rank] : 0;
    block.sync();
    for_strides(tile.size(), [&](unsigned stride) {
        if (rank % (stride * 2) == 0 && tile.has(rank + stride))
            tile[rank] += tile[rank + stride];
        block.sync();
    });
    if (rank == 0)
        partials[blockIdx.x] = tile[0];
    // END TODO(1)
}

/*
 * Launches the kernel on `in`, then on the partial sums of the launch before, until one is left.
 */
extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue; // one thread a block would never leave fewer numbers

    // TODO(2): launch until one partial sum is left, and put that into *sum (about 16 lines)
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);

    cudaLaunchConfig_t how = {};
    how.blockDim = dim3(block);
    how.dynamicSmemBytes = block * sizeof(int);
    const int *from = in;
    size_t left = n;
    int *to = scratch;
    for (;;) {
        const size_t blocks = (left + block - 1) / block;
        how.gridDim = dim3(static_cast<unsigned>(blocks));
        if (blocks == 1)
            to = sum;
        const cudaError_t launched = cudaLaunchKernelEx(&how, sum_divergent_kernel, from, left, to);
        const cudaError_t noted = cudaGetLastError();
        if (launched != cudaSuccess)
            return launched;
        if (noted != cudaSuccess || blocks == 1)
            return noted;
        from = to;
        left = blocks;
        to += blocks;
    }
    // END TODO(2)
}
