// Wrong: only whole groups of four are stored, so the last one to three ints of an n that is no multiple of 4 are never written.
// Kind: tail
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
    __shared__ unsigned mine;

    if (threadIdx.x == 0)
        mine = atomicAdd(ticket, 1u);
    __syncthreads();
    return mine;
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
    if (tile == 0) { // nobody to wait for
        words[0] = make_word(OF_ALL, total);
        return 0;
    }
    unsigned long long word = words[tile - 1];
    while (status_of(word) == NOTHING)
        word = words[tile - 1];
    const int before = sum_of(word);
    words[tile] = make_word(OF_ALL, before + total);
    return before;
    // END TODO(2)
}

__global__ void pass_kernel(const int *in, unsigned long long *state, int *out) {
    // TODO(2): the block takes a ticket; one thread does the rest (about 5 lines)
    const unsigned mine = take_ticket((unsigned *)(state + gridDim.x));

    if (threadIdx.x == 0) {
        const int x = in[mine];
        out[mine] = chain(state, mine, x) + x;
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
    int before = 0;

    // Lane 0 goes back alone; the others get what it found.
    if (threadIdx.x % 32 == 0) {
        if (tile > 0) {
            words[tile] = make_word(OF_TILE, total);
            for (unsigned k = tile; k-- > 0;) {
                unsigned long long word;
                while (status_of(word = words[k]) == NOTHING)
                    ;
                before += sum_of(word);
                if (status_of(word) == OF_ALL)
                    break;
            }
        }
        words[tile] = make_word(OF_ALL, before + total);
    }
    return __shfl_sync(0xffffffffu, before, 0);
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

/* Inclusive sums of a warp's lanes. */
static __device__ int sums_of_warp(int value) {
    const unsigned lane = threadIdx.x % 32;

    for (unsigned d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, value, d);
        if (lane >= d)
            value += other;
    }
    return value;
}

/* A warp has 32 * ITEMS ints in a row: ROWS rows of 32 int4, lane l the int4 number l of each. */
enum { ROWS = ITEMS / 4, ROW_INTS = 128 };

static __device__ void load_rows(const int *in, size_t n, size_t first, int4 *row) {
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const size_t i = first + r * ROW_INTS;
        if (i + 4 <= n) {
            row[r] = *(const int4 *)(in + i);
        } else {
            row[r].x = i < n ? in[i] : 0;
            row[r].y = i + 1 < n ? in[i + 1] : 0;
            row[r].z = i + 2 < n ? in[i + 2] : 0;
            row[r].w = 0;
        }
    }
}

static __device__ void store_rows(int *out, size_t n, size_t first, const int4 *row, int before) {
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const size_t i = first + r * ROW_INTS;
        const int4 v = make_int4(row[r].x + before, row[r].y + before, row[r].z + before,
                                 row[r].w + before);
        if (i + 4 <= n) {
            *(int4 *)(out + i) = v;
        }
    }
}

/* Scans the warp's rows; returns the warp's total to all lanes. */
static __device__ int scan_rows(int4 *row) {
    int carry = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        row[r].y += row[r].x;
        row[r].z += row[r].y;
        row[r].w += row[r].z;
        const int upto = sums_of_warp(row[r].w);
        const int before = carry + upto - row[r].w;
        row[r].x += before;
        row[r].y += before;
        row[r].z += before;
        row[r].w += before;
        carry += __shfl_sync(0xffffffffu, upto, 31);
    }
    return carry;
}

/* One block a tile. With `looks_back`, one warp calls look_back(), else one thread chain(). */
template <bool looks_back>
__global__ void __launch_bounds__(1024)
    scan_kernel(const int *in, size_t n, unsigned long long *state, int *out) {
    // TODO(3): ticket, load_tile, scan_tile, what comes before, store_tile (about 14 lines)
    __shared__ int warp_totals[32];
    __shared__ int before_tile;
    const unsigned tile = take_ticket((unsigned *)(state + gridDim.x));
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t first = ((size_t)tile * blockDim.x + warp * 32) * ITEMS + lane * 4;
    int4 row[ROWS];

    load_rows(in, n, first, row);
    const int own = scan_rows(row);
    if (lane == 0)
        warp_totals[warp] = own;
    __syncthreads();
    const int mine = lane < blockDim.x / 32 ? warp_totals[lane] : 0;
    const int upto = sums_of_warp(mine);
    const int total = __shfl_sync(0xffffffffu, upto, 31);
    const int before_warp = __shfl_sync(0xffffffffu, upto - mine, warp);
    if (looks_back) {
        if (warp == 0) {
            const int before = look_back(state, tile, total);
            if (lane == 0)
                before_tile = before;
        }
    } else if (threadIdx.x == 0) {
        before_tile = chain(state, tile, total);
    }
    __syncthreads();
    store_rows(out, n, first, row, before_warp + before_tile);
    // END TODO(3)
}

template <bool looks_back>
static cudaError_t scan(const int *in, size_t n, unsigned block, unsigned long long *state,
                        int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;

    // TODO(3): clear, launch scan_kernel<looks_back> (about 7 lines)
    const size_t tiles = n_tiles(n, block);

    if (n == 0)
        return cudaSuccess;
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
