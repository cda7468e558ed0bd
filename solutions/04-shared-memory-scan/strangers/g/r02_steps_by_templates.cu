// Right: three ints a thread, and each step of the block's scan is a template that calls the next one; the phases are closures that follow each other in one condition
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

/* The steps from distance D on, each of them a function of its own. */
template <unsigned D> struct steps_from {
    static __device__ __forceinline__ unsigned take(unsigned sum, unsigned *mine) {
        if (D >= blockDim.x)
            return sum;

        const bool adds = threadIdx.x >= D;
        if (adds)
            sum += *(mine - D);
        __syncthreads();
        if (adds)
            *mine = sum;
        __syncthreads();
        return steps_from<2 * D>::take(sum, mine);
    }
};

template <> struct steps_from<1024> {
    static __device__ __forceinline__ unsigned take(unsigned sum, unsigned *) {
        return sum;
    }
};
// END TODO(5)

/*
 * Scans one value a thread over the block: thread t gets the values of threads 0 to t, added up.
 * All threads of the block call it. temp: as much shared memory as your launches ask for.
 */
__device__ int scan_block(int value, int *temp) {
    // TODO(1): in steps d = 1, 2, 4 …, add what the thread d before you has (about 10 lines)
    unsigned *mine = reinterpret_cast<unsigned *>(temp) + threadIdx.x;

    *mine = (unsigned)value;
    __syncthreads();
    return (int)steps_from<1>::take(*mine, mine);
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
    const int last = ITEMS - 1;
    size_t end = ((size_t)blockIdx.x * blockDim.x + threadIdx.x + 1) * ITEMS;
    unsigned sums[ITEMS];

    // Sums from the left within the thread, in its registers
    for (int k = 0; k < ITEMS; k++) {
        size_t i = end - ITEMS + k;

        sums[k] = (k > 0 ? sums[k - 1] : 0u) + (i < n ? (unsigned)in[i] : 0u);
    }

    unsigned mine = sums[last], all = (unsigned)scan_block((int)mine, temp);

    // and back from the right: the last place first
    for (int k = last; k >= 0; k--) {
        size_t i = end - ITEMS + k;
        unsigned within = exclusive ? (k > 0 ? sums[k - 1] : 0u) : sums[k];

        if (i < n)
            out[i] = (int)(all - mine + within);
    }
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = (int)all;
    // END TODO(2)
}

/* Adds offsets[blockIdx.x] to each int of the block's tile. */
__global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    // TODO(3): add what comes before the tile (about 8 lines)
    const unsigned tile = blockDim.x * ITEMS;
    const size_t begin = (size_t)blockIdx.x * tile;
    int *from = out + begin, *to = n - begin > tile ? from + tile : out + n;

    for (int *p = from + threadIdx.x; p < to; p += blockDim.x)
        *p += offsets[blockIdx.x];
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
    cudaError_t error = cudaSuccess;

    if (n > 0) {
        const size_t tile = (size_t)block * ITEMS, more = (n - 1) / tile;

        if (more >= 0x7fffffff)
            return cudaErrorInvalidConfiguration;
        auto tiles = [=] {
            scan_tiles_kernel<<<(unsigned)(more + 1), block, sizeof(int) * (size_t)block>>>(
                in, n, exclusive, out, more ? scratch : NULL);
            return cudaGetLastError();
        };
        auto totals = [=] { return scan(scratch, more + 1, block, true, scratch + more + 1, scratch); };
        auto adding = [=] {
            add_offsets_kernel<<<(unsigned)(more + 1), block>>>(out, n, scratch);
            return cudaGetLastError();
        };

        if (!(error = tiles()) && more && !(error = totals()))
            error = adding();
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
