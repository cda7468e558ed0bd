// Wrong: four ints are stored at once even if fewer than four are left, so up to three words behind out are overwritten.
// Kind: bound
/*
 * Lab 04: shared-memory scan. Handout: handouts/04-shared-memory-scan.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), scan a block (TODO 1), scan tiles (TODO 2), put the tiles together
 * (TODO 3 and TODO 4). TODO 5 is for speed, and for when everything else passes.
 */
#include "scan_shared.h"

#include <stdint.h>

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
enum { ITEMS = 4 }; // neighbouring ints that a thread takes
// END TODO(5)

__device__ static bool is_aligned(const int *p) {
    return (uintptr_t)p % sizeof(int4) == 0;
}

/* Four ints from `first` on; 0 for those behind the end. */
__device__ static int4 load4(const int *in, size_t first, size_t n) {
    if (first + 4 <= n && is_aligned(in + first))
        return *(const int4 *)(in + first);
    int4 a = make_int4(0, 0, 0, 0);
    if (first < n)
        a.x = in[first];
    if (first + 1 < n)
        a.y = in[first + 1];
    if (first + 2 < n)
        a.z = in[first + 2];
    if (first + 3 < n)
        a.w = in[first + 3];
    return a;
}

__device__ static void store4(int *out, size_t first, size_t n, int4 a) {
    if (first < n && is_aligned(out + first)) {
        *(int4 *)(out + first) = a;
        return;
    }
    if (first < n)
        out[first] = a.x;
    if (first + 1 < n)
        out[first + 1] = a.y;
    if (first + 2 < n)
        out[first + 2] = a.z;
    if (first + 3 < n)
        out[first + 3] = a.w;
}

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    int *const my_word = temp + threadIdx.x;
    *my_word = value;
    __syncthreads();
    unsigned d = 1;
    do {
        int left = 0;
        if (threadIdx.x >= d)
            left = *(my_word - d);
        __syncthreads();
        *my_word = value += left;
        __syncthreads();
        d <<= 1;
    } while (d < blockDim.x);
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
    extern __shared__ int words[];
    const size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    const int4 a = load4(in, first, n);
    const int sum = a.x + a.y + a.z + a.w;
    const int scanned = scan_block(sum, words);

    int4 r;
    r.x = scanned - sum;
    if (!exclusive)
        r.x += a.x;
    r.y = r.x + (exclusive ? a.x : a.y);
    r.z = r.y + (exclusive ? a.y : a.z);
    r.w = r.z + (exclusive ? a.z : a.w);
    store4(out, first, n, r);

    if (threadIdx.x == blockDim.x - 1 && totals != NULL)
        totals[blockIdx.x] = scanned;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const size_t begin = (size_t)blockIdx.x * blockDim.x * ITEMS;
    const int offset = offsets[blockIdx.x];
    for (unsigned k = threadIdx.x; k < blockDim.x * ITEMS; k += blockDim.x) {
        const size_t i = begin + k;
        if (i < n)
            out[i] += offset;
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
    if (n == 0)
        return cudaSuccess; // a launch of no blocks would be refused

    const size_t per_tile = (size_t)ITEMS * block;
    const size_t tiles = n / per_tile + (n % per_tile > 0);
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    const bool is_alone = tiles == 1;

    scan_tiles_kernel<<<(unsigned)tiles, block, sizeof(int) * block>>>(in, n, exclusive, out,
                                                                       is_alone ? NULL : scratch);
    cudaError_t status = cudaGetLastError();
    if (is_alone || status != cudaSuccess)
        return status;

    status = scan(scratch, tiles, block, true, &scratch[tiles], scratch);
    if (status != cudaSuccess)
        return status;

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
