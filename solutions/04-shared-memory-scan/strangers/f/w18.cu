// Wrong: blocks are rounded up to whole warps, so where block is no multiple of 32 the launches have other blocks than asked for.
// Kind: launch
/*
 * Lab 04: shared-memory scan. Handout: handouts/04-shared-memory-scan.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), scan a block (TODO 1), scan tiles (TODO 2), put the tiles together
 * (TODO 3 and TODO 4). TODO 5 is for speed, and for when everything else passes.
 */
#include "scan_shared.h"

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own code.
 */
// TODO(0): answer the questions (4 numbers)

// How many barriers does each warp wait at while a block of 128 threads scans its tile?
extern "C" const int predicted_barriers_of_a_warp_128 = 8;

// A block of 1,024 threads, all warps and all steps: how often does one diverge at `t >= d`?
extern "C" const int predicted_divergent_branches_1024 = 5;

// 20,000 ints in blocks of 32 threads: how many kernels are launched for one scan?
extern "C" const int predicted_launches_20000 = 5;

// A scan of 2^18 ints in blocks of 256: how often is each int moved between global memory and the
// chip, loads and stores counted together? (A copy loads it once and stores it once: 2.)
extern "C" const int predicted_moves_of_an_int = 4;

// END TODO(0)

// TODO(5): how many neighbouring ints a thread takes; 1 is right, 4 quicker (1 number)
enum { ITEMS = 1 }; // neighbouring ints that a thread takes
// END TODO(5)

/* Thread t's word in one of the two arrays. */
__device__ static int *slot(int *temp, unsigned side, unsigned t) {
    return temp + side * blockDim.x + t;
}

static cudaError_t launched() {
    return cudaGetLastError();
}

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    const unsigned me = threadIdx.x;
    unsigned side = 0;
    *slot(temp, side, me) = value;
    __syncthreads();
    for (unsigned dist = 1; dist < blockDim.x; dist <<= 1) {
        int mine = *slot(temp, side, me);
        if (me >= dist)
            mine += *slot(temp, side, me - dist);
        *slot(temp, 1 - side, me) = mine;
        side = 1 - side;
        __syncthreads();
    }
    return *slot(temp, side, me);
    // END TODO(1)
}

/*
 * Each block scans one tile: blockDim.x * ITEMS neighbouring ints, of which the last one may have
 * fewer. totals[blockIdx.x] gets the tile's sum, where totals is not NULL. out may be in.
 */
__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out,
                                  int *totals) {
    // TODO(2): scan the tile, inclusive or exclusive, and store its total (about 20 lines)
    extern __shared__ int buffers[];
    const size_t where = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const bool inside = where < n;
    int mine = 0;
    if (inside)
        mine = in[where];
    const int upto = scan_block(mine, buffers);
    if (inside) {
        if (exclusive)
            out[where] = upto - mine;
        else
            out[where] = upto;
    }
    if (totals && threadIdx.x + 1 == blockDim.x)
        totals[blockIdx.x] = upto;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const size_t where = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (where >= n)
        return;
    out[where] = out[where] + offsets[blockIdx.x];
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
    if (!n)
        return cudaSuccess;
    if (block <= 1024)
        block = (block + 31) / 32 * 32; // whole warps only
    const size_t blocks = n / block + (n % block ? 1 : 0);
    if (blocks > 2147483647u)
        return cudaErrorInvalidConfiguration;
    const dim3 grid((unsigned)blocks);
    const size_t bytes = 2 * sizeof(int) * block;
    cudaError_t e;

    if (blocks == 1) {
        scan_tiles_kernel<<<grid, block, bytes>>>(in, n, exclusive, out, NULL);
        return launched();
    }
    scan_tiles_kernel<<<grid, block, bytes>>>(in, n, exclusive, out, scratch);
    if ((e = launched()) != cudaSuccess)
        return e;
    if ((e = scan(scratch, blocks, block, true, scratch + blocks, scratch)) != cudaSuccess)
        return e;
    add_offsets_kernel<<<grid, block>>>(out, n, scratch);
    return launched();
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
