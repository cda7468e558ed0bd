// Wrong: scan_blocks launches its kernel for n = 0, too: a grid of no blocks
// Kind: empty input
/*
 * Lab 10: warp-shuffle scan. Handout: handouts/10-warp-shuffle-scan.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the scan of a warp (TODO 1), of a block (TODO 2), of
 * tiles (TODO 3), and several ints a thread (TODO 4). Each can be tested when it is done.
 */
#include "three_phases.cuh"
#include <limits.h>

#define ALL_LANES 0xffffffffu

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)
// scan_blocks, blocks of 256: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_256 = 45;

// The same: how often do its warps load from shared memory, or store there? (A warp's load is one.)
extern "C" const int predicted_shared_accesses_256 = 18;

// scan_blocks, blocks of 1024: how often do warps wait at a barrier, all 32 together?
extern "C" const int predicted_barriers_of_a_block_1024 = 64;

// scan_inclusive, 2^16 ints in blocks of 128, four ints a thread: how many shuffles in all?
extern "C" const int predicted_shuffles_of_four = 3225;
// END TODO(0)

/* How many blocks n ints need; more than there can be, where the number does not fit. */
static unsigned grid_for(size_t n, unsigned block) {
    size_t blocks = n / block + (n % block != 0);
    return blocks < UINT_MAX ? (unsigned)blocks : UINT_MAX;
}

/* Scans `value` over the 32 lanes of a warp: each lane gets the values of the lanes up to its own,
 * added up. All of them must call it. */
__device__ int warp_scan(int value) {
    // TODO(1): in steps d = 1, 2, 4, 8, 16, add what the lane d before you has (about 6 lines)
    const int lane = threadIdx.x & 31;
    int other;

    other = __shfl_up_sync(ALL_LANES, value, 1);
    value += lane >= 1 ? other : 0;
    other = __shfl_up_sync(ALL_LANES, value, 2);
    value += lane >= 2 ? other : 0;
    other = __shfl_up_sync(ALL_LANES, value, 4);
    value += lane >= 4 ? other : 0;
    other = __shfl_up_sync(ALL_LANES, value, 8);
    value += lane >= 8 ? other : 0;
    other = __shfl_up_sync(ALL_LANES, value, 16);
    value += lane >= 16 ? other : 0;
    return value;
    // END TODO(1)
}

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(1): load, scan, store; lanes behind the end take part, too (about 5 lines)
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int sum = warp_scan(i < n ? in[i] : 0);

    if (i < n)
        out[i] = sum;
    // END TODO(1)
}

extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(1): launch; n may be 0 (about 4 lines)
    if (n > 0) {
        scan_warps_kernel<<<grid_for(n, block), block>>>(in, n, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(1)
}

/* The same over all threads of a block, which has up to 32 whole warps. All of them must call it,
 * at most once in a kernel: it uses the totals. */
__device__ int block_scan(int value) {
    // TODO(2): scan in warps; the first warp scans the warps' totals; add them (about 12 lines)
    __shared__ int totals[32];
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

    value = warp_scan(value);
    if (lane == 31)
        totals[warp] = value;
    __syncthreads();

    // Every warp for itself: the sum of the totals of all warps before it, in all lanes.
    int before = lane < warp ? totals[lane] : 0;
    for (int d = 16; d > 0; d /= 2)
        before += __shfl_xor_sync(ALL_LANES, before, d);
    return before + value;
    // END TODO(2)
}

__global__ void scan_blocks_kernel(const int *in, size_t n, int *out) {
    // TODO(2): load, scan, store (about 5 lines)
    size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
    const bool inside = i < n;

    int value = 0;
    if (inside)
        value = in[i];
    value = block_scan(value);
    if (inside)
        out[i] = value;
    // END TODO(2)
}

extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    scan_blocks_kernel<<<grid_for(n, block), block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(2)
}

// TODO(4): how many neighbouring ints a thread takes: first 1, then 4 (1 number)
enum { ITEMS = 4 }; // neighbouring ints that a thread takes
// END TODO(4)

/*
 * Each block scans one tile: blockDim.x * ITEMS neighbouring ints, of which the last one may have
 * fewer. totals[blockIdx.x] gets the tile's sum, where totals is not NULL. out may be in.
 */
__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    // TODO(3): load_items, block_scan, store_items, the total (about 14 lines)
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int items[ITEMS], sum = 0;

    load_items<ITEMS>(in, n, first, items);
    for (int i = 0; i < ITEMS; i++)
        sum += items[i];

    int upto = block_scan(sum), running = upto - sum;
    for (int i = 0; i < ITEMS; i++) {
        int item = items[i];
        items[i] = exclusive ? running : running + item;
        running += item;
    }
    store_items<ITEMS>(out, n, first, items);
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = upto;
    // END TODO(3)
}

static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals) {
    // TODO(3): launch; there may be no tiles (about 4 lines)
    if (tiles == 0)
        return cudaSuccess;
    if (tiles > UINT_MAX)
        tiles = UINT_MAX; // too many as well
    scan_tiles_kernel<<<(unsigned)tiles, block>>>(in, n, exclusive, out, totals);
    return cudaGetLastError();
    // END TODO(3)
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
