// Wrong: the rest behind the quads is taken for n % 4 ints, which forgets the head: ints are left out or read behind the end.
// Kind: index
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
// Blocks take chunks of the input, one after the other, until there are none left.
constexpr unsigned CHUNK_THREADS = 256;
constexpr unsigned CHUNK_LOADS = 8;
constexpr size_t CHUNK_QUADS = CHUNK_THREADS * CHUNK_LOADS;

__global__ void sum_chunks(const int *head, const int4 *quads, const int *tail, size_t n_head, size_t n_quads,
                           size_t n_tail, unsigned long long *next, int *sum) {
    __shared__ unsigned long long chunk_shared;
    __shared__ unsigned sums[CHUNK_THREADS / 32];
    unsigned tid = threadIdx.x;
    unsigned v = 0;

    if (blockIdx.x == 0) {
        if (tid < n_head)
            v += head[tid];
        if (tid < n_tail)
            v += tail[tid];
    }
    while (true) {
        if (tid == 0)
            chunk_shared = atomicAdd(next, 1ull);
        __syncthreads();
        size_t begin = chunk_shared * CHUNK_QUADS;
        __syncthreads();
        if (begin >= n_quads)
            break;
        if (n_quads - begin >= CHUNK_QUADS) {
            int4 q[CHUNK_LOADS];
#pragma unroll
            for (unsigned k = 0; k < CHUNK_LOADS; ++k)
                q[k] = quads[begin + k * CHUNK_THREADS + tid];
#pragma unroll
            for (unsigned k = 0; k < CHUNK_LOADS; ++k)
                v += unsigned(q[k].x) + unsigned(q[k].y) + unsigned(q[k].z) + unsigned(q[k].w);
        } else {
            for (size_t i = begin + tid; i < n_quads; i += CHUNK_THREADS) {
                int4 q = quads[i];
                v += unsigned(q.x) + unsigned(q.y) + unsigned(q.z) + unsigned(q.w);
            }
        }
    }

    for (int d = 1; d <= 16; d *= 2)
        v += __shfl_xor_sync(ALL_LANES, v, d);
    if (tid % 32 == 0)
        sums[tid / 32] = v;
    __syncthreads();
    if (tid == 0) {
        v = 0;
        for (unsigned w = 0; w < CHUNK_THREADS / 32; ++w)
            v += sums[w];
        atomicAdd((unsigned *)sum, v);
    }
}
// END TODO(1)

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    // TODO(1): *sum holds anything when the call starts; n may be 0 (about 15 lines)
    cudaError_t status = cudaMemsetAsync(sum, 0, sizeof(int), 0);
    if (status == cudaSuccess && n > 0)
        status = cudaMemsetAsync(scratch, 0, sizeof(unsigned long long), 0);
    if (status != cudaSuccess)
        cudaGetLastError();
    if (status != cudaSuccess || n == 0)
        return status;

    const int *middle = in;
    size_t n_head = 0;
    while ((size_t)middle % 16 != 0 && n_head < n) {
        ++middle;
        ++n_head;
    }
    size_t n_quads = (n - n_head) / 4, n_tail = n % 4;
    size_t grid = n_quads / CHUNK_QUADS + 1;
    if (grid > 2048)
        grid = 2048;
    sum_chunks<<<unsigned(grid), CHUNK_THREADS>>>(in, (const int4 *)middle, middle + 4 * n_quads, n_head, n_quads,
                                                  n_tail, scratch, sum);
    return cudaGetLastError();
    // END TODO(1)
}

// TODO(2): the kernel of the scan, and what it is made of (about 150 lines)
// Each warp turns its ints around in shared memory of its own: lane l gets 17 neighbours, from 17 l on. 17 is odd, so
// the lanes hit 32 banks.
constexpr unsigned ITEMS = 17;
constexpr unsigned BLOCK = 512;
constexpr unsigned WARPS = BLOCK / 32;
constexpr unsigned WARP_INTS = 32 * ITEMS;
constexpr unsigned TILE_INTS = WARPS * WARP_INTS;

struct Message {
    unsigned value, state; // value in the lower half
};
constexpr unsigned UNKNOWN = 0, PARTIAL = 1, COMPLETE = 2;

__device__ Message read_message(volatile unsigned long long *at) {
    unsigned long long w = *at;
    return {unsigned(w), unsigned(w >> 32)};
}

__device__ void write_message(volatile unsigned long long *at, Message m) {
    *at = (unsigned long long)m.state << 32 | m.value;
}

__device__ unsigned add_before(unsigned v, unsigned lane) {
    for (unsigned d = 1; d < 32; d *= 2) {
        unsigned w = __shfl_up_sync(ALL_LANES, v, d);
        v += lane >= d ? w : 0;
    }
    return v;
}

__device__ unsigned add_all(unsigned v) {
    for (unsigned d = 1; d < 32; d *= 2)
        v += __shfl_xor_sync(ALL_LANES, v, d);
    return v;
}

// Lane 31 looks at the nearest tile, lane 0 at the one farthest away.
__device__ unsigned sum_before(volatile unsigned long long *board, unsigned tile, unsigned lane) {
    unsigned sum = 0;
    for (long long window = (long long)tile - 32;; window -= 32) {
        long long other = window + lane;
        Message m = {0, COMPLETE};
        unsigned complete, unknown, from;
        do {
            if (other >= 0)
                m = read_message(board + other);
            complete = __ballot_sync(ALL_LANES, m.state == COMPLETE);
            unknown = __ballot_sync(ALL_LANES, m.state == UNKNOWN);
            from = complete ? 31 - __clz(complete) : 0; // lanes from there on count
        } while (unknown >> from);
        sum += add_all(lane >= from ? m.value : 0);
        if (complete)
            return sum;
    }
}

__global__ void __launch_bounds__(BLOCK) scan_tile_by_tile(const int *in, size_t n, unsigned pad,
                                                           unsigned long long *scratch, int *out) {
    __shared__ unsigned turn[WARPS][WARP_INTS];
    __shared__ unsigned of_warps[WARPS];
    __shared__ unsigned ticket;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    volatile unsigned long long *board = scratch + 1;

    if (threadIdx.x == 0)
        ticket = atomicAdd((unsigned *)scratch, 1u);
    __syncthreads();
    unsigned tile = ticket;
    size_t start = size_t(tile) * TILE_INTS + warp * WARP_INTS - pad;
    bool is_whole = start < n && n - start >= WARP_INTS;

    unsigned v[ITEMS];
    if (is_whole) {
#pragma unroll
        for (unsigned k = 0; k < ITEMS; ++k)
            v[k] = in[start + 32 * k + lane];
    } else {
#pragma unroll
        for (unsigned k = 0; k < ITEMS; ++k) {
            size_t i = start + 32 * k + lane;
            v[k] = i < n ? in[i] : 0;
        }
    }
#pragma unroll
    for (unsigned k = 0; k < ITEMS; ++k)
        turn[warp][32 * k + lane] = v[k];
    __syncwarp();
    unsigned sum = 0;
#pragma unroll
    for (unsigned k = 0; k < ITEMS; ++k) {
        sum += turn[warp][ITEMS * lane + k];
        v[k] = sum;
    }
    unsigned upto = add_before(sum, lane);
    if (lane == 31)
        of_warps[warp] = upto;
    __syncthreads();

    if (warp == 0) {
        unsigned own = lane < WARPS ? of_warps[lane] : 0;
        unsigned scanned = add_before(own, lane);
        unsigned total = __shfl_sync(ALL_LANES, scanned, 31), before = 0;
        if (tile == 0) {
            if (lane == 0)
                write_message(board, {total, COMPLETE});
        } else {
            if (lane == 0)
                write_message(board + tile, {total, PARTIAL});
            before = sum_before(board, tile, lane);
            if (lane == 0)
                write_message(board + tile, {before + total, COMPLETE});
        }
        if (lane < WARPS)
            of_warps[lane] = before + scanned - own;
    }
    __syncthreads();

    unsigned base = of_warps[warp] + upto - sum;
#pragma unroll
    for (unsigned k = 0; k < ITEMS; ++k)
        turn[warp][ITEMS * lane + k] = v[k] + base;
    __syncwarp();
    if (is_whole) {
#pragma unroll
        for (unsigned k = 0; k < ITEMS; ++k)
            out[start + 32 * k + lane] = turn[warp][32 * k + lane];
    } else {
        for (unsigned k = 0; k < ITEMS; ++k) {
            size_t i = start + 32 * k + lane;
            if (i < n)
                out[i] = turn[warp][32 * k + lane];
        }
    }
}
// END TODO(2)

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    // TODO(2): scratch holds anything when the call starts; n may be 0 (about 8 lines)
    if (n == 0)
        return cudaSuccess;
    unsigned pad = (size_t)out / 4 % 8;
    size_t tiles = (n + pad + TILE_INTS - 1) / TILE_INTS;
    cudaError_t status = cudaMemsetAsync(scratch, 0, 8 * (tiles + 1), 0);
    if (status != cudaSuccess) {
        cudaGetLastError();
        return status;
    }
    scan_tile_by_tile<<<unsigned(tiles), BLOCK>>>(in, n, pad, scratch, out);
    return cudaGetLastError();
    // END TODO(2)
}
