// Wrong: the chain stores sum and status as two accesses with no fence between, so the status may be seen before the sum.
// Kind: fence
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
extern "C" const int predicted_stored_of_2_16 = 8192;

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
    cudaError_t status = cudaSuccess;
    if (n_blocks != 0)
        status = cudaMemsetAsync(ticket, 0, 4);
    if (n_blocks != 0 && status == cudaSuccess) {
        tickets_kernel<<<dim3(n_blocks), dim3(block)>>>(ticket, taken);
        status = cudaGetLastError();
    }
    return status;
    // END TODO(1)
}

/* What comes before the tile, whose total is given: waits until words[tile - 1] tells of all up to
 * there, and stores to words[tile] what is known then. One thread calls it. */
__device__ int chain(volatile unsigned long long *words, unsigned tile, int total) {
    // TODO(2): wait, store, return (about 8 lines)
    // The two halves of a word by themselves: [2 * i] is the sum, [2 * i + 1] the status.
    volatile unsigned *half = (volatile unsigned *)words;
    const size_t own = 2 * (size_t)tile;
    unsigned before = 0;

    if (tile > 0) {
        while (half[own - 1] != OF_ALL)
            ;
        __threadfence();
        before = half[own - 2];
    }
    half[own] = before + (unsigned)total;
    half[own + 1] = OF_ALL;
    return (int)before;
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
    const unsigned lane = threadIdx.x & 31;

    if (tile == 0) {
        if (lane == 0)
            words[0] = make_word(OF_ALL, total);
        return 0;
    }
    if (lane == 0)
        words[tile] = make_word(OF_TILE, total);

    int before = 0;
    unsigned end = tile; // tiles below `end` are not added up yet
    bool done = false;
    while (!done) {
        unsigned long long word;
        unsigned known, all, upto;
        do {
            word = lane < end ? words[end - 1 - lane] : make_word(OF_ALL, 0);
            known = __ballot_sync(~0u, status_of(word) != NOTHING);
            all = __ballot_sync(~0u, status_of(word) == OF_ALL);
            // the lowest bit of `all`, and all bits below it
            upto = all ? all ^ (all - 1) : ~0u;
        } while ((known & upto) != upto);
        int part = (upto >> lane & 1) ? sum_of(word) : 0;
        #pragma unroll
        for (int d = 1; d < 32; d <<= 1)
            part += __shfl_xor_sync(~0u, part, d);
        before += part;
        done = all != 0;
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

/* One thread's four ints, and helpers to scan a row of them across a warp. */
struct quad {
    int v[4];

    __device__ void load(const int *p, size_t left) {
        if (left >= 4) {
            const int4 q = *reinterpret_cast<const int4 *>(p);
            v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
        } else {
#pragma unroll
            for (int k = 0; k < 4; k++)
                v[k] = (size_t)k < left ? p[k] : 0;
        }
    }
    __device__ void store(int *p, size_t left, int add) const {
        if (left >= 4) {
            *reinterpret_cast<int4 *>(p) = make_int4(v[0] + add, v[1] + add, v[2] + add, v[3] + add);
        } else {
#pragma unroll
            for (int k = 0; k < 4; k++)
                if ((size_t)k < left)
                    p[k] = v[k] + add;
        }
    }
    /* Scans the warp's 128 ints; returns their sum in lane 31. */
    __device__ int scan() {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int k = 1; k < 4; k++)
            v[k] += v[k - 1];
        int sum = v[3];
        for (int d = 1; d <= 16; d += d) {
            const int left = __shfl_up_sync(~0u, sum, d);
            sum += lane < d ? 0 : left;
        }
        const int before = sum - v[3];
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] += before;
        return sum;
    }
};

/* One block a tile. With `looks_back`, one warp calls look_back(), else one thread chain(). */
template <bool looks_back>
__global__ void __launch_bounds__(1024)
    scan_kernel(const int *in, size_t n, unsigned long long *state, int *out) {
    // TODO(3): ticket, load_tile, scan_tile, what comes before, store_tile (about 14 lines)
    constexpr int rows = ITEMS / 4;
    __shared__ int totals[rows * 32]; // row by row, a word for each warp
    __shared__ int sum_before;
    const unsigned tile = take_ticket((unsigned *)(state + gridDim.x));
    const size_t row_ints = (size_t)blockDim.x * 4;
    const size_t first = tile * row_ints * rows + threadIdx.x * 4;
    const int warps = blockDim.x / 32, warp = threadIdx.x / 32;
    quad q[rows];

#pragma unroll
    for (int r = 0; r < rows; r++) {
        const size_t i = first + r * row_ints;
        q[r].load(in + i, i < n ? n - i : 0);
    }
#pragma unroll
    for (int r = 0; r < rows; r++) {
        const int sum = q[r].scan();
        if (threadIdx.x % 32 == 31)
            totals[r * warps + warp] = sum;
    }
    __syncthreads();
    int total = 0;
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) {
            for (int k = 0; k < rows * warps; k++) {
                const int t = totals[k];
                totals[k] = total;
                total += t;
            }
        }
        total = __shfl_sync(~0u, total, 0);
        int before = 0;
        if (looks_back)
            before = look_back(state, tile, total);
        else if (threadIdx.x == 0)
            before = chain(state, tile, total);
        if (threadIdx.x == 0)
            sum_before = before;
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < rows; r++) {
        const size_t i = first + r * row_ints;
        q[r].store(out + i, i < n ? n - i : 0, totals[r * warps + warp] + sum_before);
    }
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
