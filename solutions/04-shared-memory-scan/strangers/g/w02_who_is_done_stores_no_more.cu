// Wrong: a thread with nothing further to its left has its sum already, so it need not store it into the other array
// Kind: shared
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

static __device__ size_t my_place() {
    return threadIdx.x + (size_t)blockDim.x * blockIdx.x;
}

static size_t tiles_of(size_t ints, unsigned threads) {
    return ints == 0 ? 0 : (ints - 1) / threads + 1;
}
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    int *from = temp, *to = temp + blockDim.x;
    const int me = threadIdx.x, all = blockDim.x;

    from[me] = value;
    for (int reach = 1; reach < all; reach += reach) {
        __syncthreads();
        if (me >= reach) {
            value += from[me - reach];
            to[me] = value;
        }

        int *old = from;
        from = to;
        to = old;
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
    extern __shared__ int both_arrays[];
    size_t place = my_place();
    bool inside = place < n;
    int number = inside ? in[place] : 0;
    int up_to_here = scan_block(number, both_arrays);

    if (inside)
        out[place] = exclusive ? up_to_here - number : up_to_here;
    if (totals && threadIdx.x + 1 == blockDim.x)
        totals[blockIdx.x] = up_to_here;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    size_t place = my_place();

    if (place >= n)
        return;
    out[place] += offsets[blockIdx.x];
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
    size_t n_tiles = tiles_of(n, block);
    size_t bytes = (size_t)block * 2 * sizeof(int);

    if (n_tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    dim3 grid((unsigned)n_tiles);

    switch (n_tiles) {
    case 0:
        return cudaSuccess;
    case 1:
        scan_tiles_kernel<<<grid, block, bytes>>>(in, n, exclusive, out, NULL);
        return cudaGetLastError();
    default:
        scan_tiles_kernel<<<grid, block, bytes>>>(in, n, exclusive, out, scratch);
    }
    if (cudaError_t refused = cudaGetLastError())
        return refused;

    int *further = scratch + n_tiles;
    if (cudaError_t refused = scan(scratch, n_tiles, block, true, further, scratch))
        return refused;
    add_offsets_kernel<<<grid, block>>>(out, n, scratch);
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
