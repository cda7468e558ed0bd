// Wrong: an unsigned is thought to be wide enough for the number of an int; in scans of more than 2^32 ints it begins again at 0
// Kind: overflow index type
/*
 * Lab 10: warp-shuffle scan. Handout: handouts/10-warp-shuffle-scan.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the scan of a warp (TODO 1), of a block (TODO 2), of
 * tiles (TODO 3), and several ints a thread (TODO 4). Each can be tested when it is done.
 */
#include "three_phases.cuh"

#define ALL_LANES 0xffffffffu

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// scan_blocks, blocks of 256: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_256 = 46;

// The same: how often do its warps load from shared memory, or store there? (A warp's load is one.)
extern "C" const int predicted_shared_accesses_256 = 18;

// scan_blocks, blocks of 1024: how often do warps wait at a barrier, all 32 together?
extern "C" const int predicted_barriers_of_a_block_1024 = 64;

// scan_inclusive, 2^16 ints in blocks of 128, four ints a thread: how many shuffles in all?
extern "C" const int predicted_shuffles_of_four = 3354;

/* Scans `value` over the 32 lanes of a warp: each lane gets the values of the lanes up to its own,
 * added up. All of them must call it. */
__device__ int warp_scan(int value) {
    const unsigned lane = threadIdx.x & 31;

#pragma unroll
    for (unsigned d = 1; d <= 16; d <<= 1) {
        const int left = __shfl_up_sync(ALL_LANES, value, d);
        value += lane < d ? 0 : left;
    }
    return value;
}

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    const size_t at = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    int value = 0;

    if (at < n)
        value = in[at];
    value = warp_scan(value);
    if (at < n)
        out[at] = value;
}

extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    if (n == 0)
        return cudaSuccess;
    const size_t grid = (n - 1) / block + 1;
    scan_warps_kernel<<<(unsigned)grid, block>>>(in, n, out);
    return cudaGetLastError();
}

/* The same over all threads of a block, which has up to 32 whole warps. All of them must call it,
 * once a kernel is enough. */
__device__ int block_scan(int value) {
    __shared__ int sums[32], carry[32];
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;

    value = warp_scan(value);
    if (lane == 31)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        const int upto = warp_scan(lane < warps ? sums[lane] : 0);
        const int left = __shfl_up_sync(ALL_LANES, upto, 1);
        carry[lane] = lane == 0 ? 0 : left;
    }
    __syncthreads();
    return value + carry[warp];
}

__global__ void scan_blocks_kernel(const int *in, size_t n, int *out) {
    const size_t at = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    int value = 0;

    if (at < n)
        value = in[at];
    value = block_scan(value);
    if (at < n)
        out[at] = value;
}

extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    if (n == 0)
        return cudaSuccess;
    const size_t grid = (n - 1) / block + 1;
    scan_blocks_kernel<<<(unsigned)grid, block>>>(in, n, out);
    return cudaGetLastError();
}

enum { ITEMS = 4 }; // neighbouring ints that a thread takes

/*
 * Each block scans one tile: blockDim.x * ITEMS neighbouring ints, of which the last one may have
 * fewer. totals[blockIdx.x] gets the tile's sum, where totals is not NULL. out may be in.
 */
__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    const unsigned first = ITEMS * (threadIdx.x + blockDim.x * blockIdx.x);
    int mine[ITEMS];
    int sum = 0;

    load_items<ITEMS>(in, n, first, mine);
    for (int i = 0; i < ITEMS; i++)
        sum += mine[i];

    const int upto = block_scan(sum);
    int running = upto - sum;
    for (int i = 0; i < ITEMS; i++) {
        const int next = running + mine[i];
        mine[i] = exclusive ? running : next;
        running = next;
    }
    store_items<ITEMS>(out, n, first, mine);
    if (totals && threadIdx.x + 1 == blockDim.x)
        totals[blockIdx.x] = upto;
}

static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals) {
    if (!tiles)
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
