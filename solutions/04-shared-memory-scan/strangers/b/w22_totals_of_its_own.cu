// Wrong: memory for the totals is allocated in each call and never freed, instead of the scratch that the caller lends.
// Kind: leak
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
    temp[threadIdx.x] = value;
    for (unsigned d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        const int left = threadIdx.x >= d ? temp[threadIdx.x - d] : 0;
        __syncthreads();
        if (threadIdx.x >= d)
            temp[threadIdx.x] = value += left;
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
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? in[i] : 0;
    int upto = scan_block(own, temp);
    if (i < n)
        out[i] = exclusive ? upto - own : upto;
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = upto;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int before = offsets[blockIdx.x];
    if (i >= n)
        return;
    out[i] = before + out[i];
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
    cudaError_t result = cudaSuccess;
    const size_t per_tile = (size_t)ITEMS * block;
    const unsigned tiles = (unsigned)(n / per_tile + (n % per_tile != 0));
    if (tiles > 0) {
        if (cudaMalloc((void **)&scratch, tiles * sizeof(int)) != cudaSuccess)
            return cudaErrorMemoryAllocation;
        scan_tiles_kernel<<<tiles, block, sizeof(int) * block>>>(in, n, exclusive, out, scratch);
        result = cudaGetLastError();
    }
    if (result == cudaSuccess && tiles > 1) {
        result = scan(scratch, tiles, block, true, scratch + tiles, scratch);
        if (result == cudaSuccess) {
            add_offsets_kernel<<<tiles, block>>>(out, n, scratch);
            result = cudaGetLastError();
        }
    }
    return result;
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
