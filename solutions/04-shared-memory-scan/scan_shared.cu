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

// One load of 16 bytes where all four ints are there; a level of totals can begin anywhere, but
// 16-byte accesses need multiples of 16. Ints behind the end count as 0, which changes no sum.
static __device__ void load_items(const int *in, size_t n, size_t first, int items[ITEMS]) {
    if (first + ITEMS <= n && (size_t)in % sizeof(int4) == 0) {
        int4 four = *(const int4 *)(in + first);
        items[0] = four.x, items[1] = four.y, items[2] = four.z, items[3] = four.w;
    } else {
        for (int i = 0; i < ITEMS; i++)
            items[i] = first + i < n ? in[first + i] : 0;
    }
}

static __device__ void store_items(int *out, size_t n, size_t first, const int items[ITEMS]) {
    if (first + ITEMS <= n && (size_t)out % sizeof(int4) == 0) {
        *(int4 *)(out + first) = make_int4(items[0], items[1], items[2], items[3]);
    } else {
        for (int i = 0; i < ITEMS; i++)
            if (first + i < n)
                out[first + i] = items[i];
    }
}
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    unsigned t = threadIdx.x;

    temp[t] = value;
    __syncthreads();

    // Before the step with distance d, temp[t] is the sum of the d values up to and with t's own
    // (of all, where there are fewer); after it, of 2d values.
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        int left = t >= d ? temp[t - d] : 0;
        __syncthreads(); // nobody writes before all have read …
        value += left;
        temp[t] = value;
        __syncthreads(); // … and nobody reads before all have written
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
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int items[ITEMS], own = 0;

    // The block's scan takes log2(block) steps with two barriers each, whatever its values stand
    // for: here each stands for ITEMS ints, so that the steps are shared among as many more.
    load_items(in, n, first, items);
    for (int i = 0; i < ITEMS; i++)
        own += items[i];

    // Inclusive less one's own is exclusive. (For a maximum, which has no "less", one would fetch
    // the neighbour's value from shared memory instead.)
    int before = scan_block(own, temp) - own;

    for (int i = 0; i < ITEMS; i++) {
        int up_to = before + items[i];
        items[i] = exclusive ? before : up_to;
        before = up_to;
    }
    store_items(out, n, first, items);

    // The last thread's inclusive value is the total in both forms.
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = before;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int items[ITEMS], offset = offsets[blockIdx.x];

    load_items(out, n, first, items);
    for (int i = 0; i < ITEMS; i++)
        items[i] += offset;
    store_items(out, n, first, items);
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
        return cudaSuccess; // a grid of no blocks can't be launched, and there is nothing to do

    size_t tile = (size_t)block * ITEMS;
    size_t tiles = (n + tile - 1) / tile; // rounded up: the last tile may be partial
    int *totals = tiles > 1 ? scratch : NULL;

    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       totals);
    cudaError_t error = cudaGetLastError(); // a refused launch says so only here
    if (error != cudaSuccess || tiles == 1)
        return error;

    // What comes before a tile are the totals of the tiles before it, its own not among them:
    // exclusive, whatever was asked for. In place: each block reads its tile before it writes it,
    // and no other block looks there.
    error = scan(totals, tiles, block, true, scratch + tiles, totals);
    if (error != cudaSuccess)
        return error;

    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, totals);
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
