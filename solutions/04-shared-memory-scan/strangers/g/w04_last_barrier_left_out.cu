// Wrong: nothing comes behind the last step of the loop, so its last barrier can be left out, though the exclusive form is taken from the neighbour's word
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
enum { ITEMS = 1 }; // neighbouring ints that a thread takes
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    unsigned n_threads = blockDim.x, t = threadIdx.x, d = 1;

    temp[t] = value;
    __syncthreads();
    while (d < n_threads) {
        if (t >= d)
            value += temp[t - d];
        __syncthreads();
        temp[t] = value;
        d <<= 1;
        if (d < n_threads)
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
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockDim.x * blockIdx.x + t;
    int sum = i < n ? in[i] : 0;

    sum = scan_block(sum, temp);
    if (t == blockDim.x - 1 && totals != NULL)
        totals[blockIdx.x] = sum;
    if (exclusive)
        sum = t == 0 ? 0 : temp[t - 1];
    if (i < n)
        out[i] = sum;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const size_t i = (size_t)blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        out[i] = out[i] + offsets[blockIdx.x];
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

    size_t n_tiles = (n - 1) / block + 1;
    if (n_tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    bool one = n_tiles == 1;
    size_t shared = block * sizeof(int);

    scan_tiles_kernel<<<n_tiles, block, shared>>>(in, n, exclusive, out, one ? NULL : scratch);
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess && !one) {
        e = scan(scratch, n_tiles, block, true, scratch + n_tiles, scratch);
        if (e == cudaSuccess) {
            add_offsets_kernel<<<n_tiles, block>>>(out, n, scratch);
            e = cudaGetLastError();
        }
    }
    return e;
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
