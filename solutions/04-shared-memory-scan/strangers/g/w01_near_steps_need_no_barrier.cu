// Wrong: for distances below 32 the neighbour is in the own warp, whose lanes run in step, so the step needs no barrier between its reads and its writes
// Kind: barrier
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

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    const unsigned t = threadIdx.x;

    temp[t] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        int left = t >= d ? temp[t - d] : 0;

        if (d >= 32)
            __syncthreads();
        value += left;
        temp[t] = value;
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
    extern __shared__ int temp[];
    const size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    const bool four = first + ITEMS <= n && ((size_t)in % 16 | (size_t)out % 16) == 0;
    int items[ITEMS], own = 0;

    if (four) {
        int4 quad = *(const int4 *)(in + first);

        items[0] = quad.x;
        items[1] = quad.y;
        items[2] = quad.z;
        items[3] = quad.w;
    } else {
        for (int k = 0; k < ITEMS; k++)
            items[k] = first + k < n ? in[first + k] : 0;
    }
    for (int k = 0; k < ITEMS; k++)
        own += items[k];

    int sum = scan_block(own, temp);
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;

    int before = sum - own;
    for (int k = 0; k < ITEMS; k++) {
        int item = items[k];

        items[k] = exclusive ? before : before + item;
        before += item;
    }
    if (four) {
        *(int4 *)(out + first) = make_int4(items[0], items[1], items[2], items[3]);
    } else {
        for (int k = 0; k < ITEMS; k++)
            if (first + k < n)
                out[first + k] = items[k];
    }
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    const int before = offsets[blockIdx.x];

    if (first + ITEMS <= n && (size_t)out % 16 == 0) {
        int4 quad = *(int4 *)(out + first);

        *(int4 *)(out + first) = make_int4(quad.x + before, quad.y + before, quad.z + before,
                                           quad.w + before);
    } else {
        for (int k = 0; k < ITEMS; k++)
            if (first + k < n)
                out[first + k] += before;
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
    const size_t tile = (size_t)block * ITEMS;
    const size_t tiles = n / tile + (n % tile > 0);

    if (tiles == 0)
        return cudaSuccess;
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;

    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                      tiles > 1 ? scratch : NULL);
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
