// Wrong: a thread with at least one int moves four, and so reads and writes up to three ints beyond the end.
// Kind: bound
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
enum { ITEMS = 4 }; // neighbouring ints that a thread takes

__device__ bool whole(const int *p, size_t n, size_t at) {
    return at < n && (size_t)(p + at) % 16 == 0;
}

__device__ int4 load_items(const int *p, size_t n, size_t at) {
    if (whole(p, n, at))
        return *(const int4 *)(p + at);
    int4 v = make_int4(0, 0, 0, 0);
    if (at < n)
        v.x = p[at];
    if (at + 1 < n)
        v.y = p[at + 1];
    if (at + 2 < n)
        v.z = p[at + 2];
    if (at + 3 < n)
        v.w = p[at + 3];
    return v;
}

__device__ void store_items(int *p, size_t n, size_t at, int4 v) {
    if (whole(p, n, at)) {
        *(int4 *)(p + at) = v;
        return;
    }
    if (at < n)
        p[at] = v.x;
    if (at + 1 < n)
        p[at + 1] = v.y;
    if (at + 2 < n)
        p[at + 2] = v.z;
    if (at + 3 < n)
        p[at + 3] = v.w;
}
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp is blockDim.x ints of shared memory.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    unsigned t = threadIdx.x;
    temp[t] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        int before = 0;
        if (t >= d)
            before = temp[t - d];
        __syncthreads();
        if (t >= d) {
            value += before;
            temp[t] = value;
        }
        __syncthreads();
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
    extern __shared__ int shared[];
    const size_t at = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    const int4 u = load_items(in, n, at);
    const int sum = u.x + u.y + u.z + u.w;
    const int upto = scan_block(sum, shared);
    int4 v;
    v.x = upto - sum + (exclusive ? 0 : u.x);
    v.y = v.x + (exclusive ? u.x : u.y);
    v.z = v.y + (exclusive ? u.y : u.z);
    v.w = v.z + (exclusive ? u.z : u.w);
    store_items(out, n, at, v);
    if (threadIdx.x + 1 == blockDim.x && totals != nullptr)
        totals[blockIdx.x] = upto;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const int offset = offsets[blockIdx.x];
    if (offset == 0)
        return; // nothing to add
    const size_t at = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int4 v = load_items(out, n, at);
    v.x += offset;
    v.y += offset;
    v.z += offset;
    v.w += offset;
    store_items(out, n, at, v);
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
    if (n == 0)
        return cudaSuccess;
    size_t tile = (size_t)block * ITEMS;
    size_t tiles = (n + tile - 1) / tile;
    size_t bytes = block * sizeof(int);
    int *totals = tiles > 1 ? scratch : NULL;
    scan_tiles_kernel<<<(unsigned)tiles, block, bytes>>>(in, n, exclusive, out, totals);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1)
        return error;
    error = scan(scratch, tiles, block, true, scratch + tiles, scratch);
    if (error != cudaSuccess)
        return error;
    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, scratch);
    return cudaGetLastError();
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
