// Right: a loop down the levels and up again in place of the recursion, two halves of one array that are swapped by exclusive or, and no adding to the first tile of a level
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

struct level {
    int *at;
    size_t ints, tiles;
};
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    // Two halves of one array; `half` is 0 or blockDim.x and says which one is read.
    unsigned half = 0, other = blockDim.x, d = 1;
    volatile int *words = temp;

    words[threadIdx.x] = value;
    do {
        __syncthreads();
        if (!(threadIdx.x < d))
            value += words[half + threadIdx.x - d];
        words[other + threadIdx.x] = value;
        half ^= other, other ^= half, half ^= other;
    } while ((d += d) < blockDim.x);
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
    const size_t begin = (size_t)blockIdx.x * blockDim.x;
    const unsigned here = n - begin < blockDim.x ? (unsigned)(n - begin) : blockDim.x;
    const bool here_too = threadIdx.x < here;
    int number = here_too ? *(in + begin + threadIdx.x) : 0, sum = scan_block(number, temp);

    if (here_too)
        (out + begin)[threadIdx.x] = sum - (exclusive ? number : 0);
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const size_t begin = (size_t)blockIdx.x * blockDim.x;

    if (threadIdx.x < n - begin)
        (out + begin)[threadIdx.x] += offsets[blockIdx.x];
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
    // Down the levels and up again, without recursion. Level 0 is the array; each further one has
    // the totals of the one before. The first tile of a level has nothing before it: it is left out
    // on the way up.
    struct level levels[65];
    int depth = 0;
    cudaError_t error = cudaSuccess;

    levels[0].at = out;
    levels[0].ints = n;
    for (; n > 0; depth++) {
        struct level *here = levels + depth;

        here->tiles = here->ints / block + (here->ints % block != 0);
        if (here->tiles > 0x7fffffff)
            return cudaErrorInvalidConfiguration;
        here[1].at = depth == 0 ? scratch : here->at + here->ints;
        here[1].ints = here->tiles;
        scan_tiles_kernel<<<(unsigned)here->tiles, block, 2 * sizeof(int) * block>>>(
            depth == 0 ? in : here->at, here->ints, depth > 0 || exclusive, here->at,
            here->tiles == 1 ? NULL : here[1].at);
        if ((error = cudaGetLastError()) != cudaSuccess)
            return error;
        if (here->tiles == 1)
            break;
    }
    while (depth-- > 0) {
        struct level *here = levels + depth;

        add_offsets_kernel<<<(unsigned)here->tiles - 1, block>>>(here->at + block, here->ints - block,
                                                                here[1].at + 1);
        if ((error = cudaGetLastError()) != cudaSuccess)
            break;
    }
    return error;
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
