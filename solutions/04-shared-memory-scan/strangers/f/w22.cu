// Wrong: the work runs in a stream of its own that does not wait for the default stream.
// Kind: stream
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
enum { ITEMS = 2 }; // neighbouring ints that a thread takes
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    int *from = temp;
    int *to = temp + blockDim.x;
    from[threadIdx.x] = value;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step += step) {
        if (threadIdx.x >= step)
            value += from[threadIdx.x - step];
        to[threadIdx.x] = value;
        __syncthreads();
        int *other = from;
        from = to;
        to = other;
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
    extern __shared__ int two_arrays[];
    const size_t at = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    const int a = at < n ? in[at] : 0;
    const int b = at + 1 < n ? in[at + 1] : 0;
    const int last = scan_block(a + b, two_arrays);
    if (at < n)
        out[at] = exclusive ? last - b - a : last - b;
    if (at + 1 < n)
        out[at + 1] = exclusive ? last - b : last;
    if (totals != nullptr && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = last;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const size_t at = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    const int more = offsets[blockIdx.x];
    if (at < n)
        out[at] += more;
    if (at + 1 < n)
        out[at + 1] += more;
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

    int *array[64];   // what is scanned on each level, level 0 being out
    size_t length[64];
    int level = 0;
    array[0] = out;
    length[0] = n;
    const size_t tile = (size_t)block * ITEMS;
    cudaStream_t stream;
    cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (error != cudaSuccess)
        return error;

    // up: scan the tiles of each level, until one tile is left
    while (error == cudaSuccess) {
        const size_t tiles = (length[level] - 1) / tile + 1;
        if (tiles > 2147483647) {
            error = cudaErrorInvalidConfiguration;
            break;
        }
        int *totals = tiles > 1 ? scratch : nullptr;
        scan_tiles_kernel<<<(unsigned)tiles, block, 2 * sizeof(int) * block, stream>>>(
            level == 0 ? in : array[level], length[level], level > 0 || exclusive, array[level],
            totals);
        error = cudaGetLastError();
        if (tiles == 1)
            break;
        level++;
        array[level] = totals;
        length[level] = tiles;
        scratch += tiles;
    }

    // down: add each level's sums to the level below it
    for (; error == cudaSuccess && level > 0; level--) {
        add_offsets_kernel<<<(unsigned)length[level], block, 0, stream>>>(
            array[level - 1], length[level - 1], array[level]);
        error = cudaGetLastError();
    }
    const cudaError_t waited = cudaStreamSynchronize(stream);
    const cudaError_t destroyed = cudaStreamDestroy(stream);
    if (error == cudaSuccess)
        error = waited != cudaSuccess ? waited : destroyed;
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
