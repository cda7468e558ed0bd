// Wrong: what a word says and its sum may be loaded one after the other, since each load takes the whole word.
// Kind: volatile
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

/* Zeros into the words of so many blocks, and into the ticket behind them. */
static cudaError_t clear(unsigned long long *state, size_t blocks) {
    return cudaMemsetAsync(state, 0, sizeof(unsigned long long) * state_words(blocks), 0);
}

/* The ticket: there is a word for each block of the grid before it. */
__device__ unsigned *ticket_of(unsigned long long *state) {
    return reinterpret_cast<unsigned *>(state + gridDim.x);
}

/* The block's ticket: 0 for the first block that comes, then 1, 2 … The same in all its threads. All
 * of them must call it, once a kernel. */
__device__ unsigned take_ticket(unsigned *ticket) {
    // TODO(1): one thread takes it; all threads learn it (about 6 lines)
    __shared__ unsigned shared_ticket;
    const bool takes = threadIdx.x == blockDim.x - 1;

    if (takes) {
        shared_ticket = atomicAdd(ticket, 1u);
    }
    __syncthreads();
    const unsigned ours = shared_ticket;
    return ours;
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
    cudaError_t status = cudaSuccess;

    if (n_blocks != 0) {
        status = cudaMemset(ticket, 0, sizeof(unsigned));
        if (status == cudaSuccess) {
            tickets_kernel<<<dim3(n_blocks), dim3(block)>>>(ticket, taken);
            status = cudaGetLastError();
        }
    }
    return status;
    // END TODO(1)
}

/* What comes before the tile, whose total is given: waits until words[tile - 1] tells of all up to
 * there, and stores to words[tile] what is known then. One thread calls it. */
__device__ int chain(volatile unsigned long long *words, unsigned tile, int total) {
    // TODO(2): wait, store, return (about 8 lines)
    int left = 0;

    if (tile != 0) {
        unsigned long long w = words[tile - 1];
        while (status_of(w) == NOTHING)
            w = words[tile - 1];
        left = sum_of(w);
    }
    words[tile] = make_word(OF_ALL, left + total);
    return left;
    // END TODO(2)
}

__global__ void pass_kernel(const int *in, unsigned long long *state, int *out) {
    // TODO(2): the block takes a ticket; one thread does the rest (about 5 lines)
    const unsigned place = take_ticket(ticket_of(state));

    if (threadIdx.x > 0)
        return;
    const int own = in[place];
    out[place] = own + chain(state, place, own);
    // END TODO(2)
}

extern "C" cudaError_t pass_along(const int *in, size_t n, unsigned block, unsigned long long *state,
                                  int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(2): clear ticket and words, launch n blocks (about 6 lines)
    cudaError_t status = cudaSuccess;

    if (n > 0) {
        status = clear(state, n);
        if (status == cudaSuccess) {
            pass_kernel<<<dim3((unsigned)n), dim3(block)>>>(in, state, out);
            status = cudaGetLastError();
        }
    }
    return status;
    // END TODO(2)
}

/* The same as chain(), without waiting for a whole sum where totals of tiles are there to be added
 * up. All lanes of one warp call it; each gets the sum. */
__device__ int look_back(volatile unsigned long long *words, unsigned tile, int total) {
    // TODO(4): tell of the tile; look at words before it; tell of all (about 25 lines)
    const unsigned lane = threadIdx.x & 31;
    int before = 0;
    bool found = tile == 0;

    if (lane == 0)
        words[tile] = make_word(found ? OF_ALL : OF_TILE, total);
    for (unsigned nearest = tile; !found;) { // how many words are left
        unsigned status = OF_ALL;
        int value = 0;
        if (lane < nearest) {
            status = status_of(words[nearest - 1 - lane]);
            value = sum_of(words[nearest - 1 - lane]);
        }
        int first = __ffs(__ballot_sync(ALL_LANES, status == OF_ALL)) - 1; // -1: none
        bool counts = first < 0 || lane <= first;
        if (__any_sync(ALL_LANES, counts && status == NOTHING))
            continue;
        value = counts ? value : 0;
        for (int other = 1; other < 32; other <<= 1)
            value += __shfl_xor_sync(ALL_LANES, value, other);
        before += value;
        nearest -= 32;
        found = first >= 0;
    }
    if (lane == 0 && tile > 0)
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
    look_kernel<<<dim3(1), dim3(64)>>>(words, tile, total, before);
    return cudaGetLastError();
    // END TODO(4)
}

/* One block a tile. With `looks_back`, one warp calls look_back(), else one thread chain(). */
template <bool looks_back>
__global__ void __launch_bounds__(1024)
    scan_kernel(const int *in, size_t n, unsigned long long *state, int *out) {
    // TODO(3): ticket, load_tile, scan_tile, what comes before, store_tile (about 14 lines)
    __shared__ int shared_before;
    const unsigned tile = take_ticket(ticket_of(state));
    int4 items[VECS];

    load_tile(in, n, tile, items);
    const int total = scan_tile(items);
    if constexpr (looks_back) {
        if (threadIdx.x / 32 == 0) {
            const int sum = look_back(state, tile, total);
            if (threadIdx.x == 0)
                shared_before = sum;
        }
    } else {
        if (threadIdx.x == 0)
            shared_before = chain(state, tile, total);
    }
    __syncthreads();
    const int before = shared_before;
    store_tile(out, n, tile, before, items);
    // END TODO(3)
}

template <bool looks_back>
static cudaError_t scan(const int *in, size_t n, unsigned block, unsigned long long *state,
                        int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(3): clear, launch scan_kernel<looks_back> (about 7 lines)
    const size_t blocks = n_tiles(n, block);
    cudaError_t status = cudaSuccess;

    if (blocks > 0) {
        status = clear(state, blocks);
        if (status == cudaSuccess) {
            scan_kernel<looks_back><<<dim3((unsigned)blocks), dim3(block)>>>(in, n, state, out);
            status = cudaGetLastError();
        }
    }
    return status;
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
