// Wrong: the number of tiles is made of the lower 32 bits of n: from 2^32 ints on most of them are never scanned.
// Kind: overflow
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
#define SUM_BLOCK 256
#define SUM_MOST_BLOCKS 1024
#define SUM_INTS_OF_BLOCK (SUM_BLOCK * 64)

#define RETURN_IF_REFUSED(call)            \
    do {                                   \
        cudaError_t refused_ = (call);     \
        if (refused_ != cudaSuccess) {     \
            cudaGetLastError();            \
            return refused_;               \
        }                                  \
    } while (0)

/* The sum of a block's values, in thread 0. */
static __device__ unsigned sum_of_block(unsigned value)
{
    __shared__ unsigned of_warp[SUM_BLOCK / 32];
    unsigned d;

    for (d = 16; d >= 1; d >>= 1)
        value += __shfl_xor_sync(ALL_LANES, value, d);
    if ((threadIdx.x & 31) == 0)
        of_warp[threadIdx.x >> 5] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < SUM_BLOCK / 32 ? of_warp[threadIdx.x] : 0;
        for (d = 16; d >= 1; d >>= 1)
            value += __shfl_xor_sync(ALL_LANES, value, d);
    }
    return value;
}

static __global__ void sum_parts(const int *in, size_t n, unsigned long long *parts)
{
    size_t lead = ((0 - (size_t)in) & 15) / 4, i, id, all, n4;
    unsigned value = 0;
    const int4 *in4;

    if (lead > n)
        lead = n;
    in4 = (const int4 *)(in + lead);
    n4 = (n - lead) / 4;
    id = (size_t)blockIdx.x * SUM_BLOCK + threadIdx.x;
    all = (size_t)gridDim.x * SUM_BLOCK;

#pragma unroll 8
    for (i = id; i < n4; i += all) {
        int4 four = in4[i];
        value += (unsigned)four.x + (unsigned)four.y + (unsigned)four.z + (unsigned)four.w;
    }
    if (id < lead)
        value += (unsigned)in[id];
    i = lead + 4 * n4 + id;
    if (i < n)
        value += (unsigned)in[i];

    value = sum_of_block(value);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = value;
}

static __global__ void sum_of_parts(const unsigned long long *parts, unsigned n_parts, int *sum)
{
    unsigned value = 0, i;

    for (i = threadIdx.x; i < n_parts; i += SUM_BLOCK)
        value += (unsigned)parts[i];
    value = sum_of_block(value);
    if (threadIdx.x == 0)
        *sum = (int)value;
}
// END TODO(1)

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    // TODO(1): *sum holds anything when the call starts; n may be 0 (about 15 lines)
    size_t n_parts = n / SUM_INTS_OF_BLOCK + (n % SUM_INTS_OF_BLOCK > 0);

    if (n_parts > SUM_MOST_BLOCKS)
        n_parts = SUM_MOST_BLOCKS;
    if (n_parts > 0) {
        sum_parts<<<(unsigned)n_parts, SUM_BLOCK>>>(in, n, scratch);
        RETURN_IF_REFUSED(cudaGetLastError());
    }
    sum_of_parts<<<1, SUM_BLOCK>>>(scratch, (unsigned)n_parts, sum);
    return cudaGetLastError();
    // END TODO(1)
}

// TODO(2): the kernel of the scan, and what it is made of (about 150 lines)
#define SCAN_BLOCK 256
#define SCAN_EACH 19 /* odd, so that the lanes' runs begin in banks of their own */
#define SCAN_TILE (SCAN_BLOCK * SCAN_EACH)
#define TELLS_OF_TILE (1ull << 32)
#define TELLS_OF_ALL (2ull << 32)

static __device__ unsigned scan_of_warp(unsigned value)
{
    unsigned lane = threadIdx.x & 31, d, left;

#pragma unroll
    for (d = 1; d <= 16; d <<= 1) {
        left = __shfl_up_sync(ALL_LANES, value, d);
        if (lane >= d)
            value += left;
    }
    return value;
}

/* Warp 0 only. What all tiles before this one add up to. */
static __device__ unsigned ask_back(volatile unsigned long long *word, unsigned tile)
{
    unsigned lane = threadIdx.x & 31, sum = 0, none, all, use, d, part;
    unsigned long long seen;
    long long at = (long long)tile - 1 - lane;

    do {
        do {
            seen = at < 0 ? TELLS_OF_ALL : word[at];
            none = __ballot_sync(ALL_LANES, seen >> 32 == 0);
            all = __ballot_sync(ALL_LANES, seen >> 32 == 2);
            use = all == 0 ? ALL_LANES : ALL_LANES >> (32 - __ffs(all));
        } while (none & use);
        part = (use >> lane & 1) != 0 ? (unsigned)seen : 0;
        for (d = 16; d >= 1; d >>= 1)
            part += __shfl_xor_sync(ALL_LANES, part, d);
        sum += part;
        at -= 32;
    } while (all == 0);
    return sum;
}

static __global__ void __launch_bounds__(SCAN_BLOCK) scan_tiles(const int *in, size_t n, unsigned shift,
                                                                unsigned long long *scratch, int *out)
{
    __shared__ unsigned ints[SCAN_TILE], of_warp[SCAN_BLOCK / 32], number, earlier;
    volatile unsigned long long *word = scratch + 1;
    unsigned t = threadIdx.x, lane = t & 31, warp = t >> 5, tile, k, own, upto, run[SCAN_EACH];
    size_t start, i;
    int is_full;

    if (t == 0)
        number = atomicAdd((unsigned *)scratch, 1u);
    __syncthreads();
    tile = number;
    start = (size_t)tile * SCAN_TILE - shift; /* wraps around in tile 0: i < n is false below 0 */
    is_full = start < n && n - start >= SCAN_TILE;

    if (is_full) {
#pragma unroll
        for (k = 0; k < SCAN_EACH; k++)
            run[k] = (unsigned)in[start + k * SCAN_BLOCK + t];
    } else {
#pragma unroll
        for (k = 0; k < SCAN_EACH; k++) {
            i = start + k * SCAN_BLOCK + t;
            run[k] = i < n ? (unsigned)in[i] : 0;
        }
    }
#pragma unroll
    for (k = 0; k < SCAN_EACH; k++)
        ints[k * SCAN_BLOCK + t] = run[k];
    __syncthreads();

    own = 0;
#pragma unroll
    for (k = 0; k < SCAN_EACH; k++) {
        own += ints[t * SCAN_EACH + k];
        run[k] = own;
    }
    upto = scan_of_warp(own);
    if (lane == 31)
        of_warp[warp] = upto;
    __syncthreads();

    if (warp == 0) {
        unsigned mine = lane < SCAN_BLOCK / 32 ? of_warp[lane] : 0;
        unsigned sum = scan_of_warp(mine), total = __shfl_sync(ALL_LANES, sum, 31), before = 0;

        if (lane < SCAN_BLOCK / 32)
            of_warp[lane] = sum - mine;
        if (tile > 0) {
            if (lane == 0)
                word[tile] = TELLS_OF_TILE | total;
            before = ask_back(word, tile);
        }
        if (lane == 0) {
            word[tile] = TELLS_OF_ALL | (before + total);
            earlier = before;
        }
    }
    __syncthreads();

    upto += earlier + of_warp[warp] - own;
#pragma unroll
    for (k = 0; k < SCAN_EACH; k++)
        ints[t * SCAN_EACH + k] = run[k] + upto;
    __syncthreads();

    if (is_full) {
#pragma unroll
        for (k = 0; k < SCAN_EACH; k++)
            out[start + k * SCAN_BLOCK + t] = (int)ints[k * SCAN_BLOCK + t];
    } else {
        for (k = 0; k < SCAN_EACH; k++) {
            i = start + k * SCAN_BLOCK + t;
            if (i < n)
                out[i] = (int)ints[k * SCAN_BLOCK + t];
        }
    }
}
// END TODO(2)

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    // TODO(2): scratch holds anything when the call starts; n may be 0 (about 8 lines)
    unsigned shift = (unsigned)((size_t)out % 32 / 4);
    unsigned tiles;

    if (n == 0)
        return cudaSuccess;
    tiles = ((unsigned)n + shift + SCAN_TILE - 1) / SCAN_TILE;
    RETURN_IF_REFUSED(cudaMemsetAsync(scratch, 0, ((size_t)tiles + 1) * sizeof(unsigned long long), 0));
    scan_tiles<<<tiles, SCAN_BLOCK>>>(in, n, shift, scratch, out);
    return cudaGetLastError();
    // END TODO(2)
}
