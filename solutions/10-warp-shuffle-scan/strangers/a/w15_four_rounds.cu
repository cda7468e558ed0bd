// Wrong: four ints a thread are taken for four rounds of the block's scan, each with all its shuffles, so nothing is shared among the four
// Kind: loop size
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
extern "C" const int predicted_shuffles_of_a_block_256 = 45;

// The same: how often do its warps load from shared memory, or store there? (A warp's load is one.)
extern "C" const int predicted_shared_accesses_256 = 17;

// scan_blocks, blocks of 1024: how often do warps wait at a barrier, all 32 together?
extern "C" const int predicted_barriers_of_a_block_1024 = 64;

// scan_inclusive, 2^16 ints in blocks of 128, four ints a thread: how many shuffles in all?
extern "C" const int predicted_shuffles_of_four = 12900;

static size_t blocks_for(size_t n, unsigned block) {
    return (n + block - 1) / block;
}

__device__ int step(int value, unsigned d) {
    int other = __shfl_up_sync(ALL_LANES, value, d);
    return threadIdx.x % 32 >= d ? value + other : value;
}

/* Scans `value` over the 32 lanes of a warp: each lane gets the values of the lanes up to its own,
 * added up. All of them must call it. */
__device__ int warp_scan(int value) {
    value = step(value, 1);
    value = step(value, 2);
    value = step(value, 4);
    value = step(value, 8);
    return step(value, 16);
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

    if (n == 0)
        return cudaSuccess;
    scan_warps_kernel<<<(unsigned)blocks_for(n, block), block>>>(in, n, out);
    return cudaGetLastError();
}

/* The same over all threads of a block, which has up to 32 whole warps. All of them must call it,
 * once a kernel is enough. */
__device__ int block_scan(int value) {
    __shared__ int words[32]; // first the warps' totals, then their scan
    unsigned t = threadIdx.x, warp = t / 32;
    int sum = warp_scan(value);

    if (t % 32 == 31)
        words[warp] = sum;
    __syncthreads();
    if (t < 32)
        words[t] = warp_scan(t < blockDim.x / 32 ? words[t] : 0);
    __syncthreads();
    return warp > 0 ? sum + words[warp - 1] : sum;
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

    if (n == 0)
        return cudaSuccess;
    scan_blocks_kernel<<<(unsigned)blocks_for(n, block), block>>>(in, n, out);
    return cudaGetLastError();
}

enum { ITEMS = 4 }; // neighbouring ints that a thread takes

/*
 * Each block scans one tile: blockDim.x * ITEMS neighbouring ints, of which the last one may have
 * fewer. totals[blockIdx.x] gets the tile's sum, where totals is not NULL. out may be in.
 */
__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    __shared__ int round_total;
    size_t first = (size_t)blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
    int done = 0; // the sum of the rounds before

    for (int round = 0; round < ITEMS; round++) {
        size_t i = first + round * blockDim.x;
        int value = i < n ? in[i] : 0;
        int sum = block_scan(value);

        if (i < n)
            out[i] = done + (exclusive ? sum - value : sum);
        if (threadIdx.x == blockDim.x - 1)
            round_total = sum;
        __syncthreads();
        done += round_total;
    }
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = done;
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
