// Wrong: *sum is not cleared, so the atomics add to what it holds when the call starts.
// Kind: clear
/*
 * Lab 14: capstone. Handout: handouts/14-capstone.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the sum (TODO 1), then the scan (TODO 2). Each can be
 * tested when it is done. Block, grid and means are yours to choose.
 */
#include "capstone.h"

#define ALL_LANES 0xffffffffu

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted.
 */
// TODO(0): answer the questions (2 numbers)

// sum_fast, 2^20 ints: how many sectors of 32 bytes must it load at the least?
extern "C" const int predicted_least_loaded_2_20 = 32768;

// scan_fast, 2^20 ints: how many sectors must it load and store at the least, both together?
extern "C" const int predicted_least_moved_2_20 = 65536;

// END TODO(0)

// TODO(1): the kernels of the sum (about 45 lines)
/* Sum by warps that know nothing of each other: no shared memory, no barrier. */
struct warp_summer {
    enum { threads = 256, rows = 8, row = 128, ints = row * rows };

    const int *from;     // at a multiple of 16 bytes, maybe up to 3 ints before the array
    size_t begin, end;   // the array's ints, counted from there

    __device__ unsigned guarded(size_t i) const {
        return i >= begin && i < end ? from[i] : 0;
    }
    __device__ unsigned piece(size_t first) const {
        unsigned s = 0;
        const unsigned lane = threadIdx.x % 32;
        if (first >= begin && first + ints <= end) {
            int4 q[rows];
#pragma unroll
            for (int r = 0; r < rows; r++)
                q[r] = ((const int4 *)(from + first))[r * 32 + lane];
#pragma unroll
            for (int r = 0; r < rows; r++)
                s += q[r].x + q[r].y + q[r].z + q[r].w;
        } else {
            for (unsigned i = lane; i < ints; i += 32)
                s += guarded(first + i);
        }
        return s;
    }
};

__global__ void sum_by_warps(const int *in, size_t n, unsigned *sum) {
    warp_summer all;
    all.begin = (size_t)in % 16 / 4;
    all.end = all.begin + n;
    all.from = in - all.begin;
    const size_t warps = (size_t)gridDim.x * (warp_summer::threads / 32);
    const size_t warp = ((size_t)blockIdx.x * warp_summer::threads + threadIdx.x) / 32;

    unsigned s = 0;
    for (size_t first = warp * warp_summer::ints; first < all.end; first += warps * warp_summer::ints)
        s += all.piece(first);
    s += __shfl_down_sync(ALL_LANES, s, 16);
    s += __shfl_down_sync(ALL_LANES, s, 8);
    s += __shfl_down_sync(ALL_LANES, s, 4);
    s += __shfl_down_sync(ALL_LANES, s, 2);
    s += __shfl_down_sync(ALL_LANES, s, 1);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, s);
}
// END TODO(1)

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    // TODO(1): *sum holds anything when the call starts; n may be 0 (about 15 lines)
    cudaError_t e = cudaSuccess;
    if (n != 0) {
        const size_t of_block = (size_t)warp_summer::ints * (warp_summer::threads / 32) * 2;
        size_t blocks = (n + 3 + of_block - 1) / of_block;
        if (blocks > 1024)
            blocks = 1024;
        sum_by_warps<<<(unsigned)blocks, warp_summer::threads>>>(in, n, (unsigned *)sum);
        e = cudaGetLastError();
    }
    return e;
    // END TODO(1)
}

// TODO(2): the kernel of the scan, and what it is made of (about 150 lines)
enum { NOTHING, OF_TILE, OF_ALL };

__device__ unsigned long long make_word(unsigned status, int sum) {
    return (unsigned long long)status << 32 | (unsigned)sum;
}

/* All lanes of one warp call it: tells of the tile, and returns the sum of the tiles before. */
__device__ int before_tile(volatile unsigned long long *words, unsigned tile, int total) {
    const int lane = threadIdx.x % 32;
    int before = 0;

    if (tile > 0) {
        if (lane == 0)
            words[tile] = make_word(OF_TILE, total);
        for (long long at = (long long)tile - 1 - lane;;) {
            const unsigned long long word = at >= 0 ? words[at] : make_word(OF_ALL, 0);
            const unsigned status = (unsigned)(word >> 32);
            const unsigned silent = __ballot_sync(ALL_LANES, status == NOTHING);
            const unsigned all = __ballot_sync(ALL_LANES, status == OF_ALL);
            const int nearest = all ? __ffs(all) - 1 : 31;

            if (silent & (ALL_LANES >> (31 - nearest)))
                continue;
            int part = lane <= nearest ? (int)(unsigned)word : 0;
            for (int d = 16; d > 0; d /= 2)
                part += __shfl_xor_sync(ALL_LANES, part, d);
            before += part;
            if (all)
                break;
            at -= 32;
        }
    }
    if (lane == 0)
        words[tile] = make_word(OF_ALL, before + total);
    return before;
}

constexpr unsigned THREADS = 128, TAKES = 32, TILE = THREADS * TAKES;

/* Where the int i of a tile lies in shared memory: one word in 33 is left empty. */
__device__ unsigned place(unsigned i) {
    return i + i / 32;
}

__global__ void scan_padded(const int *in, size_t n, unsigned long long *scratch, int *out) {
    extern __shared__ int memory[]; // place(TILE) ints
    __shared__ unsigned ticket;
    __shared__ int sums[THREADS / 32 + 1]; // of warps; the last word: of tiles before
    const unsigned t = threadIdx.x, lane = t % 32;

    if (t == THREADS - 1)
        ticket = atomicAdd((unsigned *)&scratch[0], 1u);
    __syncthreads();
    const size_t offset = ticket * (size_t)TILE;
    const unsigned count = n - offset < TILE ? (unsigned)(n - offset) : TILE;

#pragma unroll
    for (unsigned k = 0; k < TAKES; k++) {
        const unsigned i = k * THREADS + t;
        memory[place(i)] = i < count ? in[offset + i] : 0;
    }
    __syncthreads();
    int own[TAKES];
#pragma unroll
    for (unsigned k = 0; k < TAKES; k++)
        own[k] = memory[t * 33 + k] + (k > 0 ? own[k - 1] : 0);
    int prefix = own[TAKES - 1];
#pragma unroll
    for (unsigned d = 1; d < 32; d += d) {
        const int left = __shfl_up_sync(ALL_LANES, prefix, d);
        if (lane >= d)
            prefix += left;
    }
    if (lane == 31)
        sums[t / 32] = prefix;
    __syncthreads();
    int add = prefix - own[TAKES - 1];
    int total = 0;
    for (unsigned w = 0; w < THREADS / 32; w++) {
        if (w < t / 32)
            add += sums[w];
        total += sums[w];
    }
    if (t < 32) {
        const int b = before_tile(scratch + 1, ticket, total);
        if (t == 0)
            sums[THREADS / 32] = b;
    }
    __syncthreads();
    add += sums[THREADS / 32];
#pragma unroll
    for (unsigned k = 0; k < TAKES; k++)
        memory[t * 33 + k] = own[k] + add;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < TAKES; k++) {
        const unsigned i = k * THREADS + t;
        if (i < count)
            out[offset + i] = memory[place(i)];
    }
}
// END TODO(2)

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    // TODO(2): scratch holds anything when the call starts; n may be 0 (about 8 lines)
    if (n != 0) {
        const size_t blocks = (n - 1) / TILE + 1;
        cudaError_t status = cudaMemsetAsync(scratch, 0, sizeof(unsigned long long) * (blocks + 1));
        if (status != cudaSuccess)
            return status;
        const size_t bytes = (TILE + TILE / 32) * sizeof(int);
        scan_padded<<<(unsigned)blocks, THREADS, bytes>>>(in, n, scratch, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(2)
}
