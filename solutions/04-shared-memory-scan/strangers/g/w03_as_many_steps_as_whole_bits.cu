// Wrong: log2 of the block's size, rounded down, is the number of steps, whatever the size
// Kind: loop
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
enum { ITEMS = 2 }; // neighbouring ints that a thread takes

/* How many times 1 has to be doubled until it is no longer below `threads`. */
static __device__ int doublings(unsigned threads) {
    return 31 - __clz(threads);
}
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    int steps = doublings(blockDim.x), t = threadIdx.x;

    temp[t] = value;
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        const int neighbour = t - (1 << step);

        if (neighbour >= 0)
            value += temp[neighbour];
        __syncthreads();
        if (neighbour >= 0)
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
    size_t left = 2 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x), right = left + 1;
    int a = 0, b = 0;

    if (left < n)
        a = in[left];
    if (right < n)
        b = in[right];

    int with_both = scan_block(a + b, temp), with_a = with_both - b, with_none = with_a - a;

    if (left < n)
        out[left] = exclusive ? with_none : with_a;
    if (right < n)
        out[right] = exclusive ? with_a : with_both;
    if (threadIdx.x == blockDim.x - 1 && totals != nullptr)
        *(totals + blockIdx.x) = with_both;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    __shared__ int before;
    size_t i = (size_t)blockIdx.x * blockDim.x * ITEMS + threadIdx.x;

    if (threadIdx.x == 0)
        before = offsets[blockIdx.x];
    __syncthreads();
    for (int k = 0; k < ITEMS && i < n; k++, i += blockDim.x)
        out[i] += before;
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
    size_t per_block = (size_t)ITEMS * block, blocks = (n + per_block - 1) / per_block;

    if (n == 0)
        return cudaSuccess;
    if (n > per_block * 0x7fffffff)
        return cudaErrorInvalidConfiguration;

    int *totals = blocks == 1 ? nullptr : scratch;
    scan_tiles_kernel<<<(unsigned)blocks, block, sizeof(int) * block>>>(in, n, exclusive, out, totals);
    cudaError_t state = cudaGetLastError();

    if (state == cudaSuccess && totals)
        state = scan(totals, blocks, block, true, totals + blocks, totals);
    if (state == cudaSuccess && totals) {
        add_offsets_kernel<<<(unsigned)blocks, block>>>(out, n, totals);
        state = cudaGetLastError();
    }
    return state;
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
