// Wrong: scan_blocks asks for the last error twice, and the second time it is cudaSuccess again
// Kind: error
/*
 * Lab 10: warp-shuffle scan. Handout: handouts/10-warp-shuffle-scan.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the scan of a warp (TODO 1), of a block (TODO 2), of
 * tiles (TODO 3), and several ints a thread (TODO 4). Each can be tested when it is done.
 */
#include "three_phases.cuh"

#define ALL_LANES 0xffffffffu

/* One step. The predicate says whether there is a lane D before this one; else r is `value`. */
template <int D> static __device__ int step(int value) {
    int sum;
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 ".reg .s32 r;\n\t"
                 "shfl.sync.up.b32 r|p, %1, %2, 0, 0xffffffff;\n\t"
                 "@p add.s32 r, r, %1;\n\t"
                 "mov.b32 %0, r;\n\t"
                 "}"
                 : "=r"(sum)
                 : "r"(value), "n"(D));
    return sum;
}

static __device__ unsigned lane_number() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

static __device__ size_t thread_number() {
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static size_t blocks_of(size_t n, unsigned block) {
    return n / block + (n % block > 0);
}

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

/* Scans `value` over the 32 lanes of a warp: each lane gets the values of the lanes up to its own,
 * added up. All of them must call it. */
__device__ int warp_scan(int value) {
    // TODO(1): in steps d = 1, 2, 4, 8, 16, add what the lane d before you has (about 6 lines)
    value = step<1>(value);
    value = step<2>(value);
    value = step<4>(value);
    value = step<8>(value);
    return step<16>(value);
    // END TODO(1)
}

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(1): load, scan, store; lanes behind the end take part, too (about 5 lines)
    const size_t i = thread_number();
    const int got = i < n ? in[i] : 0, made = warp_scan(got);
    if (i < n)
        out[i] = made;
    // END TODO(1)
}

extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(1): launch; n may be 0 (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    scan_warps_kernel<<<(unsigned)blocks_of(n, block), block>>>(in, n, out);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    return cudaSuccess;
    // END TODO(1)
}

/* The same over all threads of a block, which has up to 32 whole warps. All of them must call it,
 * at most once in a kernel: it uses the totals. */
__device__ int block_scan(int value) {
    // TODO(2): scan in warps; the first warp scans the warps' totals; add them (about 12 lines)
    __shared__ int2 words[32]; // x: the warp's total, y: what comes before the warp
    const unsigned lane = lane_number(), warp = threadIdx.x / 32;
    const int sum = warp_scan(value);

    if (lane == 31)
        words[warp].x = sum;
    __syncthreads();
    if (warp == 0) {
        const int total = lane < blockDim.x / 32 ? words[lane].x : 0;
        words[lane].y = warp_scan(total) - total;
    }
    __syncthreads();
    return words[warp].y + sum;
    // END TODO(2)
}

__global__ void scan_blocks_kernel(const int *in, size_t n, int *out) {
    // TODO(2): load, scan, store (about 5 lines)
    const size_t i = thread_number();
    const int got = i < n ? in[i] : 0, made = block_scan(got);
    if (i < n)
        out[i] = made;
    // END TODO(2)
}

extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    scan_blocks_kernel<<<(unsigned)blocks_of(n, block), block>>>(in, n, out);
    if (cudaGetLastError() != cudaSuccess)
        return cudaGetLastError();
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
    const size_t first = thread_number() * ITEMS;
    int items[ITEMS], own = 0, i = ITEMS;

    load_items<ITEMS>(in, n, first, items);
    while (i > 0)
        own += items[--i];
    int upto = block_scan(own);
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = upto;
    for (i = ITEMS - 1; i >= 0; i--) { // from the last back to the first
        int before = upto - items[i];
        items[i] = exclusive ? before : upto;
        upto = before;
    }
    store_items<ITEMS>(out, n, first, items);
    // END TODO(3)
}

static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals) {
    // TODO(3): launch; there may be no tiles (about 4 lines)
    if (tiles == 0)
        return cudaSuccess;
    scan_tiles_kernel<<<(unsigned)tiles, block>>>(in, n, exclusive, out, totals);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
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
