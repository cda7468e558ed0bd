// Wrong: the totals are copied to the host and scanned there instead of by a kernel.
// Kind: technique
/*
 * Lab 04: shared-memory scan. Handout: handouts/04-shared-memory-scan.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), scan a block (TODO 1), scan tiles (TODO 2), put the tiles together
 * (TODO 3 and TODO 4). TODO 5 is for speed, and for when everything else passes.
 */
#include "scan_shared.h"

#include <stdlib.h>

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own code.
 */
// TODO(0): answer the questions (4 numbers)

// How many barriers does each warp wait at while a block of 128 threads scans its tile?
extern "C" const int predicted_barriers_of_a_warp_128 = 15;

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

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    const unsigned t = threadIdx.x;
    int sum = value;
    unsigned d = 1;
    temp[t] = sum;
    __syncthreads();
    while (true) {
        int left = 0;
        if (t >= d)
            left = temp[t - d];
        __syncthreads();
        sum += left;
        temp[t] = sum;
        d += d;
        if (d >= blockDim.x)
            break; // the caller waits, if it reads temp
        __syncthreads();
    }
    return sum;
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
    const unsigned t = threadIdx.x;
    const size_t i = t + (size_t)blockDim.x * blockIdx.x;
    int x = 0;
    if (i < n)
        x = in[i];
    const int sum = scan_block(x, temp);
    __syncthreads();
    if (i < n) {
        if (!exclusive)
            out[i] = sum;
        else if (t > 0)
            out[i] = temp[t - 1];
        else
            out[i] = 0;
    }
    if (t == blockDim.x - 1 && totals != 0)
        totals[blockIdx.x] = sum;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const size_t i = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    if (i < n && blockIdx.x > 0) // nothing comes before the first tile
        out[i] += offsets[blockIdx.x];
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
    size_t tiles = n / block;
    if (tiles * block < n)
        tiles++;
    if (tiles > 2147483647)
        return cudaErrorInvalidConfiguration;

    cudaError_t err;
    scan_tiles_kernel<<<tiles, block, block * sizeof *scratch>>>(in, n, exclusive, out,
                                                                 tiles > 1 ? scratch : 0);
    err = cudaGetLastError();
    if (err != cudaSuccess)
        return err;
    if (tiles == 1)
        return cudaSuccess;

    unsigned *sums = (unsigned *)malloc(tiles * sizeof *sums);
    if (sums == NULL)
        return cudaErrorMemoryAllocation;
    err = cudaMemcpy(sums, scratch, tiles * sizeof *sums, cudaMemcpyDeviceToHost);
    if (err == cudaSuccess) {
        unsigned before = 0;
        for (size_t i = 0; i < tiles; i++) {
            unsigned sum = sums[i];
            sums[i] = before;
            before += sum;
        }
        err = cudaMemcpy(scratch, sums, tiles * sizeof *sums, cudaMemcpyHostToDevice);
    }
    free(sums);
    if (err != cudaSuccess)
        return err;

    add_offsets_kernel<<<tiles, block>>>(out, n, scratch);
    err = cudaGetLastError();
    return err;
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
