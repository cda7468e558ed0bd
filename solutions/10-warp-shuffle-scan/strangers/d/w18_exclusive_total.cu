// Wrong: the total is the last item as stored, which lacks the last int in the exclusive form
// Kind: form
/*
 * Lab 10: warp-shuffle scan. Handout: handouts/10-warp-shuffle-scan.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the scan of a warp (TODO 1), of a block (TODO 2), of
 * tiles (TODO 3), and several ints a thread (TODO 4). Each can be tested when it is done.
 */
#include "three_phases.cuh"

#define ALL_LANES 0xffffffffu

static __device__ int scan_lanes(int v, unsigned mask) {
    const int laneId = threadIdx.x & 31;
    int offset = 1;
    do {
        const int t = __shfl_up_sync(mask, v, offset);
        if (laneId >= offset)
            v += t;
        offset += offset;
    } while (offset != 32);
    return v;
}

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// scan_blocks, blocks of 256: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_256 = 46;

// The same: how often do its warps load from shared memory, or store there? (A warp's load is one.)
extern "C" const int predicted_shared_accesses_256 = 18;

// scan_blocks, blocks of 1024: how often do warps wait at a barrier, all 32 together?
extern "C" const int predicted_barriers_of_a_block_1024 = 64;

// scan_inclusive, 2^16 ints in blocks of 128, four ints a thread: how many shuffles in all?
extern "C" const int predicted_shuffles_of_four = 3354;

// END TODO(0)

/* Scans `value` over the 32 lanes of a warp: each lane gets the values of the lanes up to its own,
 * added up. All of them must call it. */
__device__ int warp_scan(int value) {
    // TODO(1): in steps d = 1, 2, 4, 8, 16, add what the lane d before you has (about 6 lines)
    return scan_lanes(value, ALL_LANES);
    // END TODO(1)
}

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(1): load, scan, store; lanes behind the end take part, too (about 5 lines)
    const size_t idx = threadIdx.x + blockDim.x * (size_t)blockIdx.x;
    int v = 0;
    if (idx < n)
        v = in[idx];
    v = scan_lanes(v, ALL_LANES);
    if (idx < n)
        out[idx] = v;
    // END TODO(1)
}

extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(1): launch; n may be 0 (about 4 lines)
    size_t numBlocks = (n + block - 1) / block;
    if (numBlocks != 0)
        scan_warps_kernel<<<dim3((unsigned)numBlocks, 1, 1), dim3(block, 1, 1)>>>(in, n, out);
    else
        return cudaSuccess;
    return cudaGetLastError();
    // END TODO(1)
}

/* The same over all threads of a block, which has up to 32 whole warps. All of them must call it,
 * at most once in a kernel: it uses the totals. */
__device__ int block_scan(int value) {
    // TODO(2): scan in warps; the first warp scans the warps' totals; add them (about 12 lines)
    extern __shared__ int warpSums[]; // a word for each warp
    const int laneId = threadIdx.x & 31;
    const int warpId = threadIdx.x >> 5;
    const int numWarps = blockDim.x >> 5;

    value = warp_scan(value);
    if (numWarps == 1)
        return value;
    if (laneId == 31)
        warpSums[warpId] = value;
    __syncthreads();
    if (warpId == 0) {
        int s = 0;
        if (laneId < numWarps)
            s = warpSums[laneId];
        s = __shfl_up_sync(ALL_LANES, warp_scan(s), 1);
        if (laneId == 0)
            s = 0;
        if (laneId < numWarps)
            warpSums[laneId] = s;
    }
    __syncthreads();
    return value + warpSums[warpId];
    // END TODO(2)
}

__global__ void scan_blocks_kernel(const int *in, size_t n, int *out) {
    // TODO(2): load, scan, store (about 5 lines)
    const size_t idx = threadIdx.x + blockDim.x * (size_t)blockIdx.x;
    int v = 0;
    if (idx < n)
        v = in[idx];
    v = block_scan(v);
    if (idx < n)
        out[idx] = v;
    // END TODO(2)
}

extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    size_t numBlocks = (n + block - 1) / block;
    if (numBlocks == 0)
        return cudaSuccess;
    const unsigned grid = (unsigned)numBlocks;
    const size_t sharedBytes = block / 32 * sizeof(int);
    scan_blocks_kernel<<<grid, block, sharedBytes>>>(in, n, out);
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
    const size_t first = (threadIdx.x + blockDim.x * (size_t)blockIdx.x) * ITEMS;
    int items[ITEMS], orig[ITEMS];

    load_items<ITEMS>(in, n, first, items);
    for (int k = 0; k < ITEMS; k++) {
        orig[k] = items[k];
        if (k > 0)
            items[k] += items[k - 1];
    }
    const int threadSum = items[ITEMS - 1];
    const int blockIncl = block_scan(threadSum);
    const int blockExcl = blockIncl - threadSum;
    for (int k = 0; k < ITEMS; k++) {
        items[k] += blockExcl;
        if (exclusive)
            items[k] -= orig[k];
    }
    store_items<ITEMS>(out, n, first, items);
    if (totals != nullptr && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = items[ITEMS - 1];
    // END TODO(3)
}

static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals) {
    // TODO(3): launch; there may be no tiles (about 4 lines)
    if (tiles == 0)
        return cudaSuccess;
    const size_t sharedBytes = block / 32 * sizeof(int);
    scan_tiles_kernel<<<(unsigned)tiles, block, sharedBytes>>>(in, n, exclusive, out, totals);
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
