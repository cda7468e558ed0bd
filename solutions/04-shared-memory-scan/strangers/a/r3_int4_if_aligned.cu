// Right: int4 loads and stores where the address allows it, single ints elsewhere; lambda for the neighbour.
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
enum { ITEMS = 4 }; // neighbouring ints that a thread takes
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp is blockDim.x ints of shared memory.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    auto read_left = [temp](unsigned distance) -> int {
        if (threadIdx.x < distance)
            return 0;
        return temp[threadIdx.x - distance];
    };
    temp[threadIdx.x] = value;
    __syncthreads();
    for (unsigned step = 0; (1u << step) < blockDim.x; ++step) {
        int from_left = read_left(1u << step);
        __syncthreads();
        temp[threadIdx.x] += from_left;
        __syncthreads();
    }
    return temp[threadIdx.x];
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
    const bool in_is_aligned = (size_t)in % 16 == 0;
    const bool out_is_aligned = (size_t)out % 16 == 0;
    int4 four = make_int4(0, 0, 0, 0);
    if (in_is_aligned && first + 3 < n) {
        four = *(const int4 *)(in + first);
    } else {
        if (first < n)
            four.x = in[first];
        if (first + 1 < n)
            four.y = in[first + 1];
        if (first + 2 < n)
            four.z = in[first + 2];
        if (first + 3 < n)
            four.w = in[first + 3];
    }
    const int own_sum = four.x + four.y + four.z + four.w;
    const int inclusive_of_thread = scan_block(own_sum, temp);
    const int before = inclusive_of_thread - own_sum;

    int4 result;
    result.x = before + (exclusive ? 0 : four.x);
    result.y = result.x + (exclusive ? four.x : four.y);
    result.z = result.y + (exclusive ? four.y : four.z);
    result.w = result.z + (exclusive ? four.z : four.w);
    if (out_is_aligned && first + 3 < n) {
        *(int4 *)(out + first) = result;
    } else {
        if (first < n)
            out[first] = result.x;
        if (first + 1 < n)
            out[first + 1] = result.y;
        if (first + 2 < n)
            out[first + 2] = result.z;
        if (first + 3 < n)
            out[first + 3] = result.w;
    }
    if (totals && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = inclusive_of_thread;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    const int before_tile = offsets[blockIdx.x];
    if ((size_t)out % 16 == 0 && first + 3 < n) {
        int4 *place = (int4 *)(out + first);
        int4 four = *place;
        four.x += before_tile;
        four.y += before_tile;
        four.z += before_tile;
        four.w += before_tile;
        *place = four;
    } else {
        for (size_t place = first; place < first + 4 && place < n; place++)
            out[place] += before_tile;
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
        return cudaSuccess;
    size_t ints_of_tile = (size_t)block * ITEMS;
    size_t number_of_tiles = (n + ints_of_tile - 1) / ints_of_tile;
    int *totals = number_of_tiles > 1 ? scratch : NULL;

    scan_tiles_kernel<<<number_of_tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       totals);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || number_of_tiles == 1)
        return error;

    error = scan(totals, number_of_tiles, block, true, scratch + number_of_tiles, totals);
    if (error != cudaSuccess)
        return error;

    add_offsets_kernel<<<number_of_tiles, block>>>(out, n, totals);
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
