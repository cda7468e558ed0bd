// Wrong: a shuffle from lane 0 tells all threads of the block what thread 0 has got.
// Kind: shuffle
/*
 * Lab 11: single-pass scan. Handout: handouts/11-single-pass-scan.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then tickets (TODO 1), a chain of blocks (TODO 2), the scan
 * of tiles by it (TODO 3), and the look back (TODO 4). Each can be tested when it is done.
 */
#include "tile.cuh"

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (3 numbers)

// scan_chained, 2^16 ints in blocks of 64: how many blocks has the launch that goes through `in`?
extern "C" const int predicted_tiles_of_2_16 = 32;

// The same launch: how many sectors of 32 bytes does it store, ints and words of `state` together?
extern "C" const int predicted_stored_of_2_16 = 8224;

// take_tickets, 40 blocks of 128 threads: how many atomics reach the ticket?
extern "C" const int predicted_atomics_of_40_blocks = 40;

// END TODO(0)

/* A word of `state` (shapes.h): it is loaded and stored in one access, so that both halves belong
 * together. */
__device__ unsigned long long make_word(unsigned status, int sum) {
    return (unsigned long long)status << 32 | (unsigned)sum;
}

__device__ unsigned status_of(unsigned long long word) {
    return (unsigned)(word >> 32);
}

__device__ int sum_of(unsigned long long word) {
    return (int)(unsigned)word;
}

/* The block's ticket: 0 for the first block that comes, then 1, 2 … The same in all its threads. All
 * of them must call it, once a kernel. */
__device__ unsigned take_ticket(unsigned *ticket) {
    // TODO(1): one thread takes it; all threads learn it (about 6 lines)
    unsigned mine = 0;

    if (threadIdx.x == 0)
        mine = atomicAdd(ticket, 1);
    return __shfl_sync(ALL_LANES, mine, 0);
    // END TODO(1)
}

__global__ void tickets_kernel(unsigned *ticket, unsigned *taken) {
    taken[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = take_ticket(ticket);
}

extern "C" cudaError_t take_tickets(unsigned n_blocks, unsigned block, unsigned *ticket,
                                    unsigned *taken) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(1): *ticket holds anything; n_blocks may be 0 (about 6 lines)
    if (n_blocks == 0)
        return cudaSuccess;
    cudaError_t error = cudaMemsetAsync(ticket, 0, sizeof *ticket);
    if (error != cudaSuccess)
        return error;
    tickets_kernel<<<n_blocks, block>>>(ticket, taken);
    return cudaGetLastError();
    // END TODO(1)
}

/* What comes before the tile, whose total is given: waits until words[tile - 1] tells of all up to
 * there, and stores to words[tile] what is known then. One thread calls it. */
__device__ int chain(volatile unsigned long long *words, unsigned tile, int total) {
    // TODO(2): wait, store, return (about 8 lines)
    int before = 0;

    if (tile > 0) {
        unsigned long long word;
        do
            word = words[tile - 1];
        while (status_of(word) != OF_ALL);
        before = sum_of(word);
    }
    words[tile] = make_word(OF_ALL, before + total);
    return before;
    // END TODO(2)
}

__global__ void pass_kernel(const int *in, unsigned long long *state, int *out) {
    // TODO(2): the block takes a ticket; one thread does the rest (about 5 lines)
    unsigned tile = take_ticket((unsigned *)state);

    if (threadIdx.x == 0) {
        int number = in[tile];
        out[tile] = chain(state + 1, tile, number) + number;
    }
    // END TODO(2)
}

extern "C" cudaError_t pass_along(const int *in, size_t n, unsigned block, unsigned long long *state,
                                  int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(2): clear ticket and words, launch n blocks (about 6 lines)
    if (n == 0)
        return cudaSuccess;
    cudaError_t error = cudaMemsetAsync(state, 0, state_words(n) * sizeof *state);
    if (error != cudaSuccess)
        return error;
    pass_kernel<<<(unsigned)n, block>>>(in, state, out);
    return cudaGetLastError();
    // END TODO(2)
}

/* The same as chain(), without waiting for a whole sum where totals of tiles are there to be added
 * up. All lanes of one warp call it; each gets the sum. */
__device__ int look_back(volatile unsigned long long *words, unsigned tile, int total) {
    // TODO(4): tell of the tile; look at words before it; tell of all (about 25 lines)
    unsigned lane = threadIdx.x % 32;

    if (tile == 0) {
        if (lane == 0)
            words[0] = make_word(OF_ALL, total);
        return 0;
    }
    if (lane == 0)
        words[tile] = make_word(OF_TILE, total);

    int before = 0;
    unsigned end = tile; // the words from here on are added up
    for (;;) {
        unsigned long long word = lane < end ? words[end - 1 - lane] : make_word(OF_ALL, 0);
        unsigned nothing = __ballot_sync(ALL_LANES, status_of(word) == NOTHING);
        unsigned all = __ballot_sync(ALL_LANES, status_of(word) == OF_ALL);
        unsigned wanted = all ? all ^ (all - 1) : ALL_LANES; // up to the nearest that tells of all

        if (nothing & wanted)
            continue;
        int sum = wanted >> lane & 1 ? sum_of(word) : 0;
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(ALL_LANES, sum, d);
        before += sum;
        if (all)
            break;
        end -= 32;
    }
    if (lane == 0)
        words[tile] = make_word(OF_ALL, before + total);
    return before;
    // END TODO(4)
}

/* For trying look_back() alone. The second warp is the block of the tile before. */
__global__ void look_kernel(volatile unsigned long long *words, unsigned tile, int total,
                            int *before) {
    if (threadIdx.x < 32) {
        before[threadIdx.x] = look_back(words, tile, total);
    } else if (threadIdx.x == 32 && tile > 0) {
        while (status_of(words[tile]) == NOTHING)
            ;
        words[tile - 1] = words[tile + 1];
    }
}

extern "C" cudaError_t look_from(unsigned long long *words, unsigned tile, int total, int *before) {
    // TODO(4): launch look_kernel in one block of 64 threads (2 lines)
    look_kernel<<<1, 64>>>(words, tile, total, before);
    return cudaGetLastError();
    // END TODO(4)
}

/* One block a tile. With `looks_back`, one warp calls look_back(), else one thread chain(). */
template <bool looks_back>
__global__ void __launch_bounds__(1024)
    scan_kernel(const int *in, size_t n, unsigned long long *state, int *out) {
    // TODO(3): ticket, load_tile, scan_tile, what comes before, store_tile (about 14 lines)
    __shared__ int before_tile;
    int4 items[VECS];
    unsigned tile = take_ticket((unsigned *)state);
    unsigned long long *words = state + 1;

    load_tile(in, n, tile, items);
    int total = scan_tile(items);
    if (threadIdx.x < (looks_back ? 32u : 1u)) {
        int before = looks_back ? look_back(words, tile, total) : chain(words, tile, total);
        if (threadIdx.x == 0)
            before_tile = before;
    }
    __syncthreads();
    store_tile(out, n, tile, before_tile, items);
    // END TODO(3)
}

template <bool looks_back>
static cudaError_t scan(const int *in, size_t n, unsigned block, unsigned long long *state,
                        int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(3): clear, launch scan_kernel<looks_back> (about 7 lines)
    if (n == 0)
        return cudaSuccess;
    size_t tiles = n_tiles(n, block);
    cudaError_t error = cudaMemsetAsync(state, 0, state_words(tiles) * sizeof *state);
    if (error != cudaSuccess)
        return error;
    scan_kernel<looks_back><<<(unsigned)tiles, block>>>(in, n, state, out);
    return cudaGetLastError();
    // END TODO(3)
}

extern "C" cudaError_t scan_chained(const int *in, size_t n, unsigned block,
                                    unsigned long long *state, int *out) {
    return scan<false>(in, n, block, state, out);
}

extern "C" cudaError_t scan_look_back(const int *in, size_t n, unsigned block,
                                      unsigned long long *state, int *out) {
    // TODO(4): as above (1 line)
    return scan<true>(in, n, block, state, out);
    // END TODO(4)
}
