// Wrong: The thread before is taken to be a shuffle away, also for the first lane of a warp.
// Kind: shuffle
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
extern "C" const int predicted_shuffles_of_a_block_256 = 88;

// The same: how often do its warps load from shared memory, or store there? (A warp's load is one.)
extern "C" const int predicted_shared_accesses_256 = 16;

// scan_blocks, blocks of 1024: how often do warps wait at a barrier, all 32 together?
extern "C" const int predicted_barriers_of_a_block_1024 = 32;

// scan_inclusive, 2^16 ints in blocks of 128, four ints a thread: how many shuffles in all?
extern "C" const int predicted_shuffles_of_four = 5676;

/* Where this thread stands. */
static __device__ unsigned my_lane() {
    return threadIdx.x & 31;
}

static __device__ unsigned my_warp() {
    return threadIdx.x >> 5;
}

static __device__ size_t my_place() {
    return threadIdx.x + blockDim.x * (size_t)blockIdx.x;
}

/* One launch with a thread for each of n places. */
static cudaError_t for_each_place(void (*kernel)(const int *, size_t, int *), const int *in,
                                  size_t n, unsigned block, int *out) {
    size_t grid = n / block + (n % block != 0);

    if (grid == 0)
        return cudaSuccess;
    if (grid > 0x7fffffffu)
        return cudaErrorInvalidConfiguration;
    kernel<<<dim3((unsigned)grid), dim3(block)>>>(in, n, out);
    return cudaGetLastError();
}

// END TODO(0)

/* Scans `value` over the 32 lanes of a warp: each lane gets the values of the lanes up to its own,
 * added up. All of them must call it. */
__device__ int warp_scan(int value) {
    // TODO(1): in steps d = 1, 2, 4, 8, 16, add what the lane d before you has (about 6 lines)
    for (unsigned d = 1; d <= 16; d <<= 1) {
        int other = __shfl_up_sync(ALL_LANES, value, d);

        value += my_lane() < d ? 0 : other;
    }
    return value;
    // END TODO(1)
}

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(1): load, scan, store; lanes behind the end take part, too (about 5 lines)
    size_t place = my_place();
    bool there = place < n;
    int up_to_here = warp_scan(there ? in[place] : 0);

    if (!there)
        return;
    out[place] = up_to_here;
    // END TODO(1)
}

extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(1): launch; n may be 0 (about 4 lines)
    return for_each_place(scan_warps_kernel, in, n, block, out);
    // END TODO(1)
}

/* The same over all threads of a block, which has up to 32 whole warps. All of them must call it,
 * at most once in a kernel: it uses the totals. */
__device__ int block_scan(int value) {
    // TODO(2): scan in warps; the first warp scans the warps' totals; add them (about 12 lines)
    __shared__ int total_of_warp[32];
    int in_warp = warp_scan(value);

    if (my_lane() == 31)
        total_of_warp[my_warp()] = in_warp;
    __syncthreads();

    // Each warp scans the totals for itself, so nobody has to wait again.
    int total = my_lane() < blockDim.x / 32 ? total_of_warp[my_lane()] : 0;
    int in_front = warp_scan(total) - total;

    return in_warp + __shfl_sync(ALL_LANES, in_front, my_warp());
    // END TODO(2)
}

__global__ void scan_blocks_kernel(const int *in, size_t n, int *out) {
    // TODO(2): load, scan, store (about 5 lines)
    size_t place = my_place();
    bool there = place < n;
    int up_to_here = block_scan(there ? in[place] : 0);

    if (!there)
        return;
    out[place] = up_to_here;
    // END TODO(2)
}

extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    return for_each_place(scan_blocks_kernel, in, n, block, out);
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
    int part[ITEMS];
    size_t place = my_place() * ITEMS;

    load_items<ITEMS>(in, n, place, part);

    int all = part[0];

    for (int i = 1; i < ITEMS; i++)
        all += part[i];

    int up_to_here = block_scan(all), carry = __shfl_up_sync(ALL_LANES, up_to_here, 1);

    if (threadIdx.x == 0)
        carry = 0;

    for (int i = 0; i < ITEMS; i++) {
        int next = carry + part[i];

        part[i] = exclusive ? carry : next;
        carry = next;
    }
    store_items<ITEMS>(out, n, place, part);
    if (totals && threadIdx.x + 1 == blockDim.x)
        totals[blockIdx.x] = up_to_here;
    // END TODO(3)
}

static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals) {
    // TODO(3): launch; there may be no tiles (about 4 lines)
    if (tiles > 0x7fffffffu)
        return cudaErrorInvalidConfiguration;
    if (tiles > 0) {
        dim3 grid((unsigned)tiles);

        scan_tiles_kernel<<<grid, block>>>(in, n, exclusive, out, totals);
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
