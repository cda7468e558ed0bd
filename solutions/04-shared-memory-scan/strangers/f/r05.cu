// Right: three ints a thread, lambdas on the device and on the host, a thread's sum scanned with its own word read again in each step, phase 3 in another order than phase 1.
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
enum { ITEMS = 3 }; // neighbouring ints that a thread takes
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    const auto me = threadIdx.x;
    const auto all_write = [&](int x) {
        temp[me] = x;
        __syncthreads();
    };
    const auto all_read = [&](unsigned d) {
        int x = temp[me];
        if (me >= d)
            x += temp[me - d];
        __syncthreads();
        return x;
    };
    all_write(value);
    for (auto d = 1u; d < blockDim.x; d <<= 1)
        all_write(all_read(d));
    return temp[me];
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
    const unsigned long long tile = 1ull * blockDim.x * ITEMS;
    const unsigned long long first = tile * blockIdx.x + 1ull * threadIdx.x * ITEMS;
    const auto have = first >= n ? 0 : n - first < ITEMS ? int(n - first) : int(ITEMS);

    int v[ITEMS + 1]; // v[k]: the sum of the thread's first k ints
    v[0] = 0;
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        v[k + 1] = v[k] + (k < have ? in[first + k] : 0);

    const int upto = scan_block(v[ITEMS], temp);
    const int before = upto - v[ITEMS];
    const auto put = [&](int k, int x) {
        if (k < have)
            out[first + k] = before + x;
    };
#pragma unroll
    for (int k = ITEMS - 1; k >= 0; k--)
        put(k, exclusive ? v[k] : v[k + 1]);

    if (totals && threadIdx.x == blockDim.x - 1u)
        totals[blockIdx.x] = upto;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const unsigned long long begin = 1ull * blockIdx.x * blockDim.x * ITEMS;
    const int before = offsets[blockIdx.x];
    auto i = begin + threadIdx.x;
    for (int k = ITEMS; k-- > 0; i += blockDim.x)
        if (i < n)
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
    const auto tiles = [=] {
        const size_t tile = size_t{block} * ITEMS;
        return n / tile + (n % tile ? 1 : 0);
    }();
    if (tiles == 0)
        return cudaSuccess;
    if (tiles > 0x7fffffff)
        return cudaErrorInvalidConfiguration;

    const auto grid = static_cast<unsigned>(tiles);
    const auto totals = tiles == 1 ? nullptr : scratch;
    const auto phase1 = [&] {
        scan_tiles_kernel<<<grid, block, block * sizeof(int)>>>(in, n, exclusive, out, totals);
        return cudaGetLastError();
    };
    const auto phase2 = [&] { return scan(totals, tiles, block, true, totals + tiles, totals); };
    const auto phase3 = [&] {
        add_offsets_kernel<<<grid, block>>>(out, n, totals);
        return cudaGetLastError();
    };

    auto error = phase1();
    if (totals && !error)
        error = phase2();
    if (totals && !error)
        error = phase3();
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
