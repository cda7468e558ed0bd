// Wrong: whoever hands back an error has nothing left to do, freeing is for calls that succeed
// Kind: leak
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
extern "C" const int predicted_least_loaded_2_20 = 131072;

// scan_fast, 2^20 ints: how many sectors must it load and store at the least, both together?
extern "C" const int predicted_least_moved_2_20 = 262144;

// END TODO(0)

// TODO(1): the kernels of the sum (about 45 lines)
enum { SUM_BLOCK = 256, SUM_INTS = 32, SUM_BLOCKS = 1056 }; // ints a thread where n is small

__device__ unsigned sum_of_warp(unsigned value) {
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(ALL_LANES, value, d);
    return value;
}

__device__ unsigned sum_of_four(int4 four) {
    return (unsigned)four.x + (unsigned)four.y + (unsigned)four.z + (unsigned)four.w;
}

/* Ints before the first multiple of 16 bytes, then fours, then the rest. */
__global__ void __launch_bounds__(SUM_BLOCK) sum_kernel(const int *in, size_t n, int *sum) {
    __shared__ unsigned sums[SUM_BLOCK / 32];
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t head = (16 - (size_t)in % 16) % 16 / sizeof(int);

    if (head > n)
        head = n;

    const int4 *fours = (const int4 *)(in + head);
    const size_t n_fours = (n - head) / 4, end = head + 4 * n_fours;
    unsigned mine = 0;
    size_t i = thread;

    for (; i + 3 * threads < n_fours; i += 4 * threads) {
        int4 a = fours[i], b = fours[i + threads], c = fours[i + 2 * threads],
             d = fours[i + 3 * threads];

        mine += sum_of_four(a) + sum_of_four(b) + sum_of_four(c) + sum_of_four(d);
    }
    for (; i < n_fours; i += threads)
        mine += sum_of_four(fours[i]);
    if (thread < head)
        mine += (unsigned)in[thread];
    if (thread < n - end)
        mine += (unsigned)in[end + thread];

    mine = sum_of_warp(mine);
    if (lane == 0)
        sums[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        mine = sum_of_warp(lane < SUM_BLOCK / 32 ? sums[lane] : 0);
        if (lane == 0)
            atomicAdd(sum, (int)mine);
    }
}
// END TODO(1)

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    // TODO(1): *sum holds anything when the call starts; n may be 0 (about 15 lines)
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);
    if (error != cudaSuccess || n == 0)
        return error;

    size_t blocks = n / (SUM_BLOCK * SUM_INTS) + 1;
    if (blocks > SUM_BLOCKS)
        blocks = SUM_BLOCKS;
    sum_kernel<<<(unsigned)blocks, SUM_BLOCK>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(1)
}

// TODO(2): the kernel of the scan, and what it is made of (about 150 lines)
enum { SCAN_BLOCK = 256, WARPS = SCAN_BLOCK / 32, FOURS = 4, TILE = SCAN_BLOCK * FOURS * 4 };
enum { NOTHING, OF_TILE, OF_ALL }; // what a word tells of; its lower half is the sum

__device__ unsigned long long make_word(unsigned status, unsigned sum) {
    return (unsigned long long)status << 32 | sum;
}

/* What lies before the tile: adds up what the words of tiles before it tell, 32 at a time, back to
 * one that tells of all. One warp calls it. */
__device__ unsigned look_back(volatile unsigned long long *words, size_t tile, unsigned total) {
    const unsigned lane = threadIdx.x % 32;
    unsigned before = 0;

    if (lane == 0)
        words[tile] = make_word(tile == 0 ? OF_ALL : OF_TILE, total);
    if (tile == 0)
        return 0;

    for (long long nearest = (long long)tile - 1;; nearest -= 32) {
        unsigned long long word = make_word(OF_ALL, 0); // before tile 0

        if (nearest >= lane)
            do
                word = words[nearest - lane];
            while (word >> 32 == NOTHING);

        unsigned all = __ballot_sync(ALL_LANES, word >> 32 == OF_ALL);
        unsigned last = all ? __ffs(all) - 1 : 31;
        unsigned part = lane <= last ? (unsigned)word : 0;

        for (int d = 16; d > 0; d /= 2)
            part += __shfl_xor_sync(ALL_LANES, part, d);
        before += part;
        if (all)
            break;
    }
    if (lane == 0)
        words[tile] = make_word(OF_ALL, before + total);
    return before;
}

__global__ void __launch_bounds__(SCAN_BLOCK)
    scan_kernel(const int *in, size_t n, unsigned *next, unsigned long long *words, int *out) {
    __shared__ unsigned totals[WARPS], ticket, before_tile;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    if (threadIdx.x == 0)
        ticket = atomicAdd(next, 1u);
    __syncthreads();

    const size_t tile = ticket, first = tile * TILE + (warp * FOURS * 32 + lane) * 4;
    const bool wide = (tile + 1) * TILE <= n && ((size_t)in | (size_t)out) % 16 == 0;
    int4 items[FOURS];

#pragma unroll
    for (int k = 0; k < FOURS; k++) {
        size_t i = first + k * 128;

        if (wide)
            items[k] = *(const int4 *)(in + i);
        else
            items[k] = make_int4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
                                 i + 2 < n ? in[i + 2] : 0, i + 3 < n ? in[i + 3] : 0);
    }

    // The warp's ints: 128 at a time, four a lane
    unsigned of_warp = 0;
#pragma unroll
    for (int k = 0; k < FOURS; k++) {
        items[k].y += items[k].x;
        items[k].z += items[k].y;
        items[k].w += items[k].z;

        unsigned sum = items[k].w;
        for (unsigned d = 1; d < 32; d *= 2) {
            unsigned left = __shfl_up_sync(ALL_LANES, sum, d);
            if (lane >= d)
                sum += left;
        }
        int more = of_warp + sum - items[k].w;
        items[k] = make_int4(items[k].x + more, items[k].y + more, items[k].z + more,
                             items[k].w + more);
        of_warp += __shfl_sync(ALL_LANES, sum, 31);
    }
    if (lane == 0)
        totals[warp] = of_warp;
    __syncthreads();

    unsigned before_warp = 0, total = 0;
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        before_warp += w < warp ? totals[w] : 0;
        total += totals[w];
    }
    if (warp == 0) {
        unsigned before = look_back(words, tile, total);
        if (lane == 0)
            before_tile = before;
    }
    __syncthreads();

    const int before = before_tile + before_warp;
#pragma unroll
    for (int k = 0; k < FOURS; k++) {
        size_t i = first + k * 128;
        int4 sums = make_int4(items[k].x + before, items[k].y + before, items[k].z + before,
                              items[k].w + before);

        if (wide) {
            *(int4 *)(out + i) = sums;
        } else {
            if (i < n)
                out[i] = sums.x;
            if (i + 1 < n)
                out[i + 1] = sums.y;
            if (i + 2 < n)
                out[i + 2] = sums.z;
            if (i + 3 < n)
                out[i + 3] = sums.w;
        }
    }
}
// END TODO(2)

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    // TODO(2): scratch holds anything when the call starts; n may be 0 (about 8 lines)
    if (n == 0)
        return cudaSuccess;

    // The ticket is an int of 4 bytes, scratch has words of 8: it gets memory of its own.
    unsigned *next;
    const size_t tiles = (n + TILE - 1) / TILE;
    cudaError_t error = cudaMalloc(&next, sizeof *next);
    if (error != cudaSuccess)
        return error;

    error = cudaMemsetAsync(next, 0, sizeof *next);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(scratch, 0, tiles * sizeof *scratch);
    if (error == cudaSuccess) {
        scan_kernel<<<(unsigned)tiles, SCAN_BLOCK>>>(in, n, next, scratch, out);
        error = cudaGetLastError();
    }

    return error != cudaSuccess ? error : cudaFree(next);
    // END TODO(2)
}
