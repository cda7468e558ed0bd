// Wrong: a thread's first place is computed in 32 bits, which wrap round, so from 2^32 ints on early ones are added again and late ones not at all.
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
extern "C" const int predicted_least_loaded_2_20 = -1;

// scan_fast, 2^20 ints: how many sectors must it load and store at the least, both together?
extern "C" const int predicted_least_moved_2_20 = -1;

// END TODO(0)

// TODO(1): the kernels of the sum (about 45 lines)
constexpr int SUM_BLOCK = 128;
constexpr int SUM_LOADS = 16;
constexpr int SUM_CHUNK = SUM_BLOCK * SUM_LOADS;

/* Chunks begin at multiples of 128 bytes: `lead` places before `in` belong to the first one. */
__global__ void sum_chunks(const int *in, size_t n, int *sum) {
    const size_t lead = (size_t)in / 4 % 32;
    const size_t end = lead + n;
    int total = 0;

    for (size_t chunk = blockIdx.x; chunk * SUM_CHUNK < end; chunk += gridDim.x) {
        const unsigned first = (unsigned)chunk * SUM_CHUNK + threadIdx.x;
        int x[SUM_LOADS];
        if (chunk > 0 && (chunk + 1) * SUM_CHUNK <= end) {
#pragma unroll
            for (int k = 0; k < SUM_LOADS; k++)
                x[k] = in[first + k * SUM_BLOCK - lead];
        } else {
#pragma unroll
            for (int k = 0; k < SUM_LOADS; k++) {
                const size_t p = first + k * SUM_BLOCK;
                x[k] = p >= lead && p < end ? in[p - lead] : 0;
            }
        }
#pragma unroll
        for (int k = 0; k < SUM_LOADS; k++)
            total += x[k];
    }

    __shared__ int of_warp[SUM_BLOCK / 32];
    for (int d = 1; d < 32; d *= 2)
        total += __shfl_down_sync(ALL_LANES, total, d);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x == 0) {
        int all = 0;
        for (int w = 0; w < SUM_BLOCK / 32; w++)
            all += of_warp[w];
        atomicAdd(sum, all);
    }
}
// END TODO(1)

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    // TODO(1): *sum holds anything when the call starts; n may be 0 (about 15 lines)
    cudaError_t status = cudaMemsetAsync(sum, 0, sizeof(int), 0);
    if (status == cudaSuccess && n > 0) {
        const size_t chunks = (n + 31) / SUM_CHUNK + 1;
        const size_t blocks = (chunks + 3) / 4; // at least four chunks a block
        sum_chunks<<<blocks < 2112 ? (unsigned)blocks : 2112, SUM_BLOCK>>>(in, n, sum);
        status = cudaGetLastError();
    }
    return status;
    // END TODO(1)
}

// TODO(2): the kernel of the scan, and what it is made of (about 150 lines)
/* What a tile's word tells, and its sum; both go by one access of 8 bytes. */
union tile_word {
    unsigned long long both;
    struct {
        int sum;
        unsigned status; // 0: nothing yet, 1: the tile, 2: all up to its end
    };
};

__device__ void tell(unsigned long long *word, unsigned status, int sum) {
    tile_word w;
    w.status = status;
    w.sum = sum;
    *(volatile unsigned long long *)word = w.both;
}

__device__ int sum_of_tiles_before(unsigned long long *words, unsigned tile, int total) {
    // Lane 31 has the nearest tile.
    const int lane = threadIdx.x % 32;
    const volatile unsigned long long *look = words;
    int sum = 0;

    if (lane == 31)
        tell(words + tile, tile == 0 ? 2 : 1, total);
    if (tile == 0)
        return 0;
    long long first = (long long)tile - 32;
    bool go_on = true;
    while (go_on) {
        tile_word w;
        unsigned silent, all;
        int from;
        do {
            w.status = 2, w.sum = 0;
            if (first + lane >= 0)
                w.both = look[first + lane];
            silent = __ballot_sync(ALL_LANES, w.status == 0);
            all = __ballot_sync(ALL_LANES, w.status == 2);
            from = all ? 31 - __clz(all) : 0;
        } while (silent >> from);
        int part = lane >= from ? w.sum : 0;
        for (int d = 16; d; d >>= 1)
            part += __shfl_down_sync(ALL_LANES, part, d);
        sum += __shfl_sync(ALL_LANES, part, 0);
        go_on = all == 0;
        first -= 32;
    }
    if (lane == 31)
        tell(words + tile, 2, sum + total);
    return sum;
}

#define WARPS 4
#define EACH 21 /* ints of a thread: odd, so that lanes are in different banks */
#define OF_WARP (32 * EACH)
#define OF_BLOCK (WARPS * OF_WARP)

__device__ int scan_lanes(int v) {
    for (int d = 1; d != 32; d <<= 1) {
        int u = __shfl_up_sync(ALL_LANES, v, d);
        if ((threadIdx.x & 31) >= d)
            v += u;
    }
    return v;
}

template <bool full>
__device__ void scan_a_tile(const int *in, size_t left, unsigned tile, unsigned long long *words, int *out) {
    __shared__ int room[WARPS][OF_WARP];
    __shared__ int totals[WARPS];
    __shared__ int before_all;
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int *const mine = room[warp];
    int v[EACH];
    int sum = 0;

    // In: neighbours for the loads, then each lane its own 21
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const unsigned i = warp * OF_WARP + k * 32 + lane;
        mine[k * 32 + lane] = full || i < left ? in[i] : 0;
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < EACH; ++k)
        v[k] = sum += mine[lane * EACH + k];

    const int scanned = scan_lanes(sum);
    if (lane == 31)
        totals[warp] = scanned;
    __syncthreads();
    if (warp == WARPS - 1) {
        int total = 0;
        for (int w = 0; w < WARPS; ++w)
            total += totals[w];
        const int b = sum_of_tiles_before(words, tile, total);
        if (lane == 0)
            before_all = b;
    }
    __syncthreads();
    int add = before_all + scanned - sum;
    for (unsigned w = 0; w < warp; ++w)
        add += totals[w];

    // Out, the other way round
#pragma unroll
    for (int k = 0; k < EACH; ++k)
        mine[lane * EACH + k] = v[k] + add;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const unsigned i = warp * OF_WARP + k * 32 + lane;
        if (full || i < left)
            out[i] = mine[k * 32 + lane];
    }
}

__global__ void scan_warps_rooms(const int *in, size_t n, unsigned *ticket, unsigned long long *words,
                                 int *out) {
    __shared__ unsigned number;
    if (threadIdx.x == 0)
        number = atomicAdd(ticket, 1);
    __syncthreads();
    const size_t done = (size_t)number * OF_BLOCK;
    if (n - done >= OF_BLOCK)
        scan_a_tile<true>(in + done, n - done, number, words, out + done);
    else
        scan_a_tile<false>(in + done, n - done, number, words, out + done);
}
// END TODO(2)

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    // TODO(2): scratch holds anything when the call starts; n may be 0 (about 8 lines)
    const size_t tiles = (n + OF_BLOCK - 1) / OF_BLOCK;
    if (tiles == 0)
        return cudaSuccess;
    // words first, the ticket behind them
    cudaError_t e = cudaMemsetAsync(scratch, 0, tiles * 8 + 8);
    if (e == cudaSuccess) {
        scan_warps_rooms<<<(unsigned)tiles, 32 * WARPS>>>(in, n, (unsigned *)(scratch + tiles), scratch,
                                                          out);
        e = cudaGetLastError();
    }
    return e;
    // END TODO(2)
}
