// Wrong: a block counts itself as done right behind the store of its part, without a __threadfence() between, so the last block may see the count before the part.
// Kind: fence
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
enum { SUM_THREADS = 512, SUM_SLOTS = 32 };

/* Sum of a block of SUM_THREADS; thread 0 gets it. May be called again. */
__device__ int sum_of_block(int x) {
    __shared__ int slot[SUM_SLOTS];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    x += __shfl_xor_sync(ALL_LANES, x, 16);
    x += __shfl_xor_sync(ALL_LANES, x, 8);
    x += __shfl_xor_sync(ALL_LANES, x, 4);
    x += __shfl_xor_sync(ALL_LANES, x, 2);
    x += __shfl_xor_sync(ALL_LANES, x, 1);
    __syncthreads();
    if (lane == 0)
        slot[warp] = x;
    __syncthreads();
    if (warp == 0) {
        x = 0;
        if (lane < SUM_THREADS / 32)
            x = slot[lane];
        for (int bit = 1; bit < 32; bit *= 2)
            x += __shfl_xor_sync(ALL_LANES, x, bit);
    }
    return x;
}

/* Adds four ints at `quad`. */
__device__ int four(const int *quad) {
    int4 q = *(const int4 *)quad;
    return q.x + q.y + q.z + q.w;
}

/* Whoever is the last block to be done adds up what all of them left. */
__global__ void sum_once(const int *in, size_t n, unsigned *done, unsigned long long *left,
                         int *sum) {
    __shared__ bool last;
    size_t to_quad = (4 - ((size_t)in >> 2) % 4) % 4;
    size_t begin = to_quad < n ? to_quad : n;
    size_t end = begin + (n - begin) / 4 * 4;
    size_t stride = (size_t)gridDim.x * SUM_THREADS * 4;
    size_t id = (size_t)blockIdx.x * SUM_THREADS + threadIdx.x;
    int x = 0;
    size_t i = begin + 4 * id;

    while (i + stride < end) {
        int first = four(in + i);
        int second = four(in + i + stride);
        x += first + second;
        i += 2 * stride;
    }
    if (i < end)
        x += four(in + i);
    if (id < begin)
        x += in[id];
    if (id < n - end)
        x += in[end + id];

    x = sum_of_block(x);
    if (threadIdx.x == 0) {
        volatile unsigned long long *mine = left + blockIdx.x;
        *mine = (unsigned)x;
        last = atomicAdd(done, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        volatile unsigned long long *all = left;
        x = 0;
        for (unsigned b = threadIdx.x; b < gridDim.x; b += SUM_THREADS)
            x += (int)(unsigned)all[b];
        x = sum_of_block(x);
        if (threadIdx.x == 0)
            *sum = x;
    }
}
// END TODO(1)

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    // TODO(1): *sum holds anything when the call starts; n may be 0 (about 15 lines)
    if (n == 0)
        return cudaMemset(sum, 0, sizeof(int));
    cudaError_t error = cudaMemset(scratch, 0, sizeof *scratch);
    if (error != cudaSuccess)
        return error;

    /* A word of scratch counts, the others are for one block each. */
    size_t blocks = (n - 1) / (64 * SUM_THREADS) + 1;
    size_t room = scratch_words(n) - 1;
    if (blocks > room)
        blocks = room;
    if (blocks > 528)
        blocks = 528;
    sum_once<<<(unsigned)blocks, SUM_THREADS>>>(in, n, (unsigned *)scratch, scratch + 1, sum);
    return cudaGetLastError();
    // END TODO(1)
}

// TODO(2): the kernel of the scan, and what it is made of (about 150 lines)
#include <algorithm>

namespace {

constexpr unsigned threads_of_scan = 512;
constexpr unsigned warps_of_scan = threads_of_scan / 32;
constexpr unsigned quads_a_lane = 8;
constexpr unsigned ints_a_tile = threads_of_scan * quads_a_lane * 4;

constexpr unsigned long long tile_known = 1ull << 32;
constexpr unsigned long long all_known = 2ull << 32;

/* Words of other blocks are read and written by atomics alone. */
__device__ unsigned long long read_word(unsigned long long *word) {
    return atomicAdd(word, 0ull);
}

__device__ int inclusive(int value) {
    const int lane = threadIdx.x & 31;

    for (int d = 1; d < 32; d += d) {
        const int other = __shfl_up_sync(ALL_LANES, value, d);
        value += lane < d ? 0 : other;
    }
    return value;
}

/* The sum of all tiles before this one. To be called by a whole warp. */
__device__ int sum_before(unsigned long long *words, unsigned tile) {
    const unsigned lane = threadIdx.x & 31;
    int sum = 0;

    for (unsigned end = tile; end > 0; end -= min(end, 32u)) {
        unsigned long long word = all_known;

        if (lane < end)
            while ((word = read_word(words + (end - 1 - lane))) == 0)
                ;
        __syncwarp();
        const unsigned knows = __ballot_sync(ALL_LANES, word >= all_known);
        const unsigned nearest = knows ? __ffs(knows) - 1 : 31;
        int part = lane <= nearest ? static_cast<int>(word & 0xffffffffu) : 0;

        for (int d = 16; d >= 1; d >>= 1)
            part += __shfl_xor_sync(ALL_LANES, part, d);
        sum += part;
        if (knows)
            break;
    }
    return sum;
}

/* Blocks take one tile after the other, until there are none left. */
__global__ void __launch_bounds__(threads_of_scan)
    scan_with_tickets(const int *in, size_t n, size_t head, unsigned tiles,
                      unsigned long long *scratch, int *out) {
    __shared__ unsigned ticket;
    __shared__ int before_warp[warps_of_scan + 1];
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    unsigned long long *const words = scratch + 1;
    const bool whole = (reinterpret_cast<size_t>(out) + 4 * head) % 16 == 0;

    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0)
            ticket = atomicAdd(reinterpret_cast<unsigned *>(scratch), 1u);
        __syncthreads();
        const unsigned tile = ticket;
        if (tile >= tiles)
            return;

        const size_t start = head + static_cast<size_t>(tile) * ints_a_tile +
                             warp * (quads_a_lane * 128) + lane * 4;
        int v[quads_a_lane][4];

#pragma unroll
        for (unsigned k = 0; k < quads_a_lane; ++k) {
            const size_t i = start + 128 * k;
            if (i + 4 <= n) {
                const int4 q = *reinterpret_cast<const int4 *>(in + i);
                v[k][0] = q.x;
                v[k][1] = q.y;
                v[k][2] = q.z;
                v[k][3] = q.w;
            } else {
                for (int j = 0; j < 4; ++j)
                    v[k][j] = i + j < n ? in[i + j] : 0;
            }
        }

        int sum = 0; /* of the warp so far */
#pragma unroll
        for (unsigned k = 0; k < quads_a_lane; ++k) {
            for (int j = 1; j < 4; ++j)
                v[k][j] += v[k][j - 1];
            const int up_to = inclusive(v[k][3]);
            const int left = sum + up_to - v[k][3];
            for (int j = 0; j < 4; ++j)
                v[k][j] += left;
            sum += __shfl_sync(ALL_LANES, up_to, 31);
        }

        if (lane == 0)
            before_warp[warp] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            int all = 0;
            for (unsigned w = 0; w < warps_of_scan; ++w) {
                const int of_warp = before_warp[w];
                before_warp[w] = all;
                all += of_warp;
            }
            before_warp[warps_of_scan] = all;
            if (tile > 0)
                atomicExch(words + tile, tile_known | static_cast<unsigned>(all));
        }
        __syncthreads();
        if (warp == 0) {
            const int all = before_warp[warps_of_scan];
            int before = 0;
            if (tile > 0) {
                before = sum_before(words, tile);
            } else {
                for (size_t i = 0; i < head; ++i) {
                    before += in[i];
                    if (lane == 0)
                        out[i] = before;
                }
            }
            __syncwarp();
            if (lane == 0) {
                atomicExch(words + tile, all_known | static_cast<unsigned>(before + all));
                before_warp[warps_of_scan] = before;
            }
        }
        __syncthreads();

        const int before = before_warp[warps_of_scan] + before_warp[warp];
#pragma unroll
        for (unsigned k = 0; k < quads_a_lane; ++k) {
            const size_t i = start + 128 * k;
            for (int j = 0; j < 4; ++j)
                v[k][j] += before;
            if (whole && i + 4 <= n) {
                *reinterpret_cast<int4 *>(out + i) =
                    make_int4(v[k][0], v[k][1], v[k][2], v[k][3]);
            } else {
                for (int j = 0; j < 4; ++j)
                    if (i + j < n)
                        out[i + j] = v[k][j];
            }
        }
    }
}

} // namespace
// END TODO(2)

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    // TODO(2): scratch holds anything when the call starts; n may be 0 (about 8 lines)
    if (n == 0)
        return cudaSuccess;

    const size_t head = std::min<size_t>(n, (16 - reinterpret_cast<size_t>(in) % 16) % 16 / 4);
    const size_t tiles = std::max<size_t>(1, (n - head + ints_a_tile - 1) / ints_a_tile);
    const cudaError_t error = cudaMemsetAsync(scratch, 0, (tiles + 1) * sizeof *scratch);
    if (error != cudaSuccess)
        return error;
    scan_with_tickets<<<static_cast<unsigned>(std::min<size_t>(tiles, 528)), threads_of_scan>>>(
        in, n, head, static_cast<unsigned>(tiles), scratch, out);
    return cudaGetLastError();
    // END TODO(2)
}
