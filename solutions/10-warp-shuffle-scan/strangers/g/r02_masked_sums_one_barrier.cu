// Right: one barrier is enough, since each warp sums the totals of the warps before it by itself, with a butterfly of xor-shuffles in place of a scan.
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
// TODO(0): answer the questions (4 numbers)

// scan_blocks, blocks of 256: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_256 = 80;

// The same: how often do its warps load from shared memory, or store there? (A warp's load is one.)
extern "C" const int predicted_shared_accesses_256 = 15;

// scan_blocks, blocks of 1024: how often do warps wait at a barrier, all 32 together?
extern "C" const int predicted_barriers_of_a_block_1024 = 32;

// scan_inclusive, 2^16 ints in blocks of 128, four ints a thread: how many shuffles in all?
extern "C" const int predicted_shuffles_of_four = 5160;

static unsigned grid_for(size_t n, size_t per_block) {
    const size_t blocks = n / per_block + (n % per_block != 0);
    return blocks > 0x80000000 ? 0x80000000u : (unsigned)blocks; // so many are refused
}

/* Each thread's int goes through `scan`, and back to the same place. */
template <typename Scan>
__device__ void through(const int *in, size_t n, int *out, Scan scan) {
    const size_t place = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    const bool there = place < n;
    int value = 0;

    if (there)
        value = in[place];
    value = scan(value);
    if (there)
        out[place] = value;
}

/* Items 0 to N - 1 become sums of themselves and those before. */
template <int N> __device__ void add_up(int *items) {
    if constexpr (N > 1) {
        add_up<N - 1>(items);
        items[N - 1] += items[N - 2];
    }
}

// END TODO(0)

/* Scans `value` over the 32 lanes of a warp: each lane gets the values of the lanes up to its own,
 * added up. All of them must call it. */
__device__ int warp_scan(int value) {
    // TODO(1): in steps d = 1, 2, 4, 8, 16, add what the lane d before you has (about 6 lines)
    const int lane = threadIdx.x & 31;
    auto step = [&](int d) {
        const int left = __shfl_sync(ALL_LANES, value, lane < d ? lane : lane - d);
        value += lane < d ? 0 : left;
    };
    step(1), step(2), step(4), step(8), step(16);
    return value;
    // END TODO(1)
}

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(1): load, scan, store; lanes behind the end take part, too (about 5 lines)
    through(in, n, out, [](int value) { return warp_scan(value); });
    // END TODO(1)
}

extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(1): launch; n may be 0 (about 4 lines)
    if (const unsigned grid = grid_for(n, block)) {
        scan_warps_kernel<<<grid, block>>>(in, n, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(1)
}

/* The same over all threads of a block, which has up to 32 whole warps. All of them must call it,
 * at most once in a kernel: it uses the totals. */
__device__ int block_scan(int value) {
    // TODO(2): scan in warps; the first warp scans the warps' totals; add them (about 12 lines)
    __shared__ int totals[1024 / 32];
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

    value = warp_scan(value);
    if (lane == 31)
        totals[warp] = value;
    __syncthreads();

    int before = lane < warp ? totals[lane] : 0;
    for (int bit = 1; bit < 32; bit += bit)
        before += __shfl_xor_sync(ALL_LANES, before, bit);
    return before + value;
    // END TODO(2)
}

__global__ void scan_blocks_kernel(const int *in, size_t n, int *out) {
    // TODO(2): load, scan, store (about 5 lines)
    through(in, n, out, [](int value) { return block_scan(value); });
    // END TODO(2)
}

extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    if (const unsigned grid = grid_for(n, block)) {
        scan_blocks_kernel<<<grid, block>>>(in, n, out);
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
    const size_t first = (size_t)ITEMS * (threadIdx.x + (size_t)blockIdx.x * blockDim.x);
    int around[1 + ITEMS], *items = around + 1; // around[i] is what comes before item i

    around[0] = 0;
    load_items<ITEMS>(in, n, first, items);
    add_up<ITEMS>(items);
    const int last = block_scan(items[ITEMS - 1]), before = last - items[ITEMS - 1];
    for (int &sum : around)
        sum += before;
    if (exclusive)
        store_items<ITEMS>(out, n, first, around);
    else
        store_items<ITEMS>(out, n, first, items);
    if (totals != nullptr && threadIdx.x + 1 == blockDim.x)
        totals[blockIdx.x] = last;
    // END TODO(3)
}

static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals) {
    // TODO(3): launch; there may be no tiles (about 4 lines)
    if (tiles != 0)
        scan_tiles_kernel<<<grid_for(tiles, 1), block>>>(in, n, exclusive, out, totals);
    return tiles != 0 ? cudaGetLastError() : cudaSuccess;
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
