// Right: shuffles, lane numbers and the barrier are those of CUDA's cooperative groups
/*
 * Lab 10: warp-shuffle scan. Handout: handouts/10-warp-shuffle-scan.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the scan of a warp (TODO 1), of a block (TODO 2), of
 * tiles (TODO 3), and several ints a thread (TODO 4). Each can be tested when it is done.
 */
#include "three_phases.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define ALL_LANES 0xffffffffu

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// scan_blocks, blocks of 256: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_256 = 45;

// The same: how often do its warps load from shared memory, or store there? (A warp's load is one.)
extern "C" const int predicted_shared_accesses_256 = 18;

// scan_blocks, blocks of 1024: how often do warps wait at a barrier, all 32 together?
extern "C" const int predicted_barriers_of_a_block_1024 = 64;

// scan_inclusive, 2^16 ints in blocks of 128, four ints a thread: how many shuffles in all?
extern "C" const int predicted_shuffles_of_four = 3225;

/* Scans `value` over the 32 lanes of a warp: each lane gets the values of the lanes up to its own,
 * added up. All of them must call it. */
__device__ int warp_scan(int value) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());

    for (unsigned d = 1; d < warp.num_threads(); d *= 2) {
        int other = warp.shfl_up(value, d);
        if (warp.thread_rank() >= d)
            value += other;
    }
    return value;
}

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int value = warp_scan(i < n ? in[i] : 0);

    if (i < n)
        out[i] = value;
}

extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    size_t blocks = n / block + (n % block > 0);
    if (blocks == 0)
        return cudaSuccess;
    scan_warps_kernel<<<(unsigned)blocks, block>>>(in, n, out);
    return cudaGetLastError();
}

/* The same over all threads of a block, which has up to 32 whole warps. All of them must call it,
 * once a kernel is enough. */
__device__ int block_scan(int value) {
    __shared__ int before[32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int sum = warp_scan(value);

    if (warp.thread_rank() == warp.num_threads() - 1)
        before[warp.meta_group_rank()] = sum;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        int total = warp.thread_rank() < warp.meta_group_size() ? before[warp.thread_rank()] : 0;
        before[warp.thread_rank()] = warp_scan(total) - total;
    }
    block.sync();
    return before[warp.meta_group_rank()] + sum;
}

__global__ void scan_blocks_kernel(const int *in, size_t n, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int value = block_scan(i < n ? in[i] : 0);

    if (i < n)
        out[i] = value;
}

extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    size_t blocks = n / block + (n % block > 0);
    if (blocks == 0)
        return cudaSuccess;
    scan_blocks_kernel<<<(unsigned)blocks, block>>>(in, n, out);
    return cudaGetLastError();
}

enum { ITEMS = 4 }; // neighbouring ints that a thread takes

/*
 * Each block scans one tile: blockDim.x * ITEMS neighbouring ints, of which the last one may have
 * fewer. totals[blockIdx.x] gets the tile's sum, where totals is not NULL. out may be in.
 */
__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int items[ITEMS], sum = 0;

    load_items<ITEMS>(in, n, first, items);
    for (int i = 0; i < ITEMS; i++)
        sum += items[i];
    int before = block_scan(sum) - sum;
    for (int i = 0; i < ITEMS; i++) {
        int own = items[i];
        items[i] = exclusive ? before : before + own;
        before += own;
    }
    store_items<ITEMS>(out, n, first, items);
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = before;
}

static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals) {
    if (tiles == 0)
        return cudaSuccess;
    scan_tiles_kernel<<<(unsigned)tiles, block>>>(in, n, exclusive, out, totals);
    return cudaGetLastError();
}

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    return three_phases<ITEMS>(in, n, block, false, scratch, out);
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    return three_phases<ITEMS>(in, n, block, true, scratch, out);
}
