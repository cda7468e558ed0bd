// Wrong: scan_warps_kernel waits at a barrier, which the scan of a warp must not need
// Kind: technique
/*
 * Lab 10: warp-shuffle scan. Handout: handouts/10-warp-shuffle-scan.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the scan of a warp (TODO 1), of a block (TODO 2), of
 * tiles (TODO 3), and several ints a thread (TODO 4). Each can be tested when it is done.
 */
#include "three_phases.cuh"

#define ALL_LANES 0xffffffffu
#define LANE ((int)threadIdx.x % 32)
#define WARP ((int)threadIdx.x / 32)

static size_t blocks_for(size_t n, unsigned block) {
    return n / block + (n % block ? 1 : 0);
}

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// scan_blocks, blocks of 256: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_256 = 80;

// The same: how often do its warps load from shared memory, or store there? (A warp's load is one.)
extern "C" const int predicted_shared_accesses_256 = 17;

// scan_blocks, blocks of 1024: how often do warps wait at a barrier, all 32 together?
extern "C" const int predicted_barriers_of_a_block_1024 = 64;

// scan_inclusive, 2^16 ints in blocks of 128, four ints a thread: how many shuffles in all?
extern "C" const int predicted_shuffles_of_four = 5160;

// END TODO(0)

/* Scans `value` over the 32 lanes of a warp: each lane gets the values of the lanes up to its own,
 * added up. All of them must call it. */
__device__ int warp_scan(int value) {
    // TODO(1): in steps d = 1, 2, 4, 8, 16, add what the lane d before you has (about 6 lines)
    const int lane = LANE;
#pragma unroll
    for (int step = 0; step < 5; ++step) {
        const int there = __shfl_up_sync(ALL_LANES, value, 1 << step);
        value += there * (lane >= (1 << step));
    }
    return value;
    // END TODO(1)
}

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(1): load, scan, store; lanes behind the end take part, too (about 5 lines)
    size_t at = blockIdx.x;
    at *= blockDim.x;
    at += threadIdx.x;
    int number = 0;
    if (at < n)
        number = in[at];
    number = warp_scan(number);
    __syncthreads();
    if (at < n)
        out[at] = number;
    // END TODO(1)
}

extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(1): launch; n may be 0 (about 4 lines)
    if (n) {
        dim3 grid((unsigned)blocks_for(n, block)), threads(block);
        scan_warps_kernel<<<grid, threads>>>(in, n, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(1)
}

/* The sum of all lanes, in every lane. */
__device__ int warp_sum(int value) {
    for (int d = 16; d; d /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, d);
    return value;
}

/* The same over all threads of a block, which has up to 32 whole warps. All of them must call it,
 * at most once in a kernel: it uses the totals. */
__device__ int block_scan(int value) {
    // TODO(2): scan in warps; the first warp scans the warps' totals; add them (about 12 lines)
    __shared__ int ends[32];

    if (WARP == 0)
        ends[LANE] = 0;
    __syncthreads();
    value = warp_scan(value);
    if (LANE == 31)
        ends[WARP] = value;
    __syncthreads();
    int part = ends[LANE];
    if (LANE >= WARP)
        part = 0;
    return value + warp_sum(part);
    // END TODO(2)
}

__global__ void scan_blocks_kernel(const int *in, size_t n, int *out) {
    // TODO(2): load, scan, store (about 5 lines)
    size_t at = blockIdx.x;
    at *= blockDim.x;
    at += threadIdx.x;
    int number = 0;
    if (at < n)
        number = in[at];
    number = block_scan(number);
    if (at < n)
        out[at] = number;
    // END TODO(2)
}

extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    if (n) {
        dim3 grid((unsigned)blocks_for(n, block)), threads(block);
        scan_blocks_kernel<<<grid, threads>>>(in, n, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
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
    int items[ITEMS], sums[ITEMS];

    load_items<ITEMS>(in, n, first, items);
    sums[0] = items[0];
    for (int k = 1; k < ITEMS; ++k)
        sums[k] = sums[k - 1] + items[k];
    int end = block_scan(sums[ITEMS - 1]);
    int begin = end - sums[ITEMS - 1];
    for (int k = 0; k < ITEMS; ++k)
        sums[k] += exclusive ? begin - items[k] : begin;
    store_items<ITEMS>(out, n, first, sums);
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = end;
    // END TODO(3)
}

static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals) {
    // TODO(3): launch; there may be no tiles (about 4 lines)
    if (tiles) {
        dim3 grid((unsigned)tiles), threads(block);
        scan_tiles_kernel<<<grid, threads>>>(in, n, exclusive, out, totals);
        return cudaGetLastError();
    }
    return cudaSuccess;
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
