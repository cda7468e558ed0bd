// Right: two arrays in shared memory that change roles: one barrier a step.
/*
 * Lab 04: shared-memory scan. Handout: handouts/04-shared-memory-scan.md
 *
 * Write what the TODO regions ask for, and nothing outside them. The order of work: answer the
 * predictions (TODO 0), scan a block (TODO 1), scan tiles (TODO 2), put the tiles together (TODO 3
 * and TODO 4). TODO 5 is for speed, and for when everything else passes.
 */
#include "scan_shared.h"

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own code.
 */
// TODO(0): answer the questions (4 numbers)

// How many barriers does each warp wait at while a block of 512 threads scans its tile?
extern "C" const int predicted_barriers_of_a_warp = -1;

// A block of 512 threads, all warps and all steps: how often does one diverge at `t >= d`?
extern "C" const int predicted_divergent_branches_512 = -1;

// 100,000 ints in blocks of 512 threads: how many kernels are launched for one scan?
extern "C" const int predicted_launches = -1;

// How often does each int cross the memory's pins, read or written, in a scan of 2^18 ints?
extern "C" const int predicted_crossings_of_an_int = -1;

// END TODO(0)

// TODO(5): let a thread take several neighbouring ints (1 number; 16-byte loads: 25 lines)
enum { ITEMS = 1 }; // neighbouring ints that a thread takes
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp is blockDim.x ints of shared memory.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    // two arrays that change roles
    int *from = temp, *to = temp + blockDim.x;
    from[threadIdx.x] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        if (threadIdx.x >= d)
            value += from[threadIdx.x - d];
        to[threadIdx.x] = value;
        __syncthreads();
        int *swap = from;
        from = to;
        to = swap;
    }
    return value;
    // END TODO(1)
}

/*
 * Each block scans one tile: blockDim.x * ITEMS neighbouring ints, of which the last one may have
 * fewer. totals[blockIdx.x] gets the tile's sum, where totals is not NULL. out may be in.
 */
__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out,
                                  int *totals) {
    // TODO(2): scan the tile, inclusive or exclusive, and store its total (about 20 lines)
    extern __shared__ int temp[];
    const size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int item[ITEMS];
    int sum = 0;
    for (int k = 0; k < ITEMS; k++) {
        item[k] = first + k < n ? in[first + k] : 0;
        sum += item[k];
    }
    const int upto = scan_block(sum, temp);
    int run = upto - sum;
    for (int k = 0; k < ITEMS; k++) {
        int before = run;
        run += item[k];
        if (first + k < n)
            out[first + k] = exclusive ? before : run;
    }
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = upto;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    size_t i = (size_t)blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
    int offset = offsets[blockIdx.x];
    for (int k = 0; k < ITEMS && i < n; k++) {
        out[i] += offset;
        i += blockDim.x;
    }
    // END TODO(3)
}

/*
 * Scans n ints: the tiles by themselves, then their totals, then adds to each tile the totals of
 * all tiles before it. out may be in.
 */
static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue; // a tile of one int would never leave fewer totals

    // TODO(4): three phases, the middle one by this function itself (about 20 lines)
#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess)                                                                \
            return status_;                                                                        \
    } while (0)

    if (!n)
        return cudaSuccess;
    const size_t tile = (size_t)block * ITEMS;
    const size_t tiles = (n - 1) / tile + 1;
    int *totals = scratch, *rest = scratch + tiles;

    scan_tiles_kernel<<<tiles, block, 2 * block * sizeof *totals>>>(in, n, exclusive, out, totals);
    TRY(cudaGetLastError());
    if (tiles == 1)
        return cudaSuccess;
    TRY(scan(totals, tiles, block, true, rest, totals));
    add_offsets_kernel<<<tiles, block>>>(out, n, totals);
    TRY(cudaGetLastError());
    return cudaSuccess;
#undef TRY
    // END TODO(4)
}

extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, false, scratch, out);
}

extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out) {
    return scan(in, n, block, true, scratch, out);
}
