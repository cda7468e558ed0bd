// Wrong: no barrier stands between the store of the ticket and its loads, so warps go on with a ticket of the round before or with none.
// Kind: barrier
#include "capstone.h"

extern "C" const int predicted_least_loaded_2_20 = 131072;

extern "C" const int predicted_least_moved_2_20 = 262144;

namespace total {

constexpr unsigned threads = 512, max_blocks = 1024, ints_each = 32;

__device__ unsigned of_warp(unsigned value) {
    for (unsigned bit = 1; bit < 32; bit *= 2)
        value += __shfl_xor_sync(0xffffffffu, value, bit);
    return value;
}

__device__ unsigned of_block(unsigned value) {
    __shared__ unsigned of_warps[threads / 32];
    value = of_warp(value);
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    return of_warp(threadIdx.x % 32 < threads / 32 ? of_warps[threadIdx.x % 32] : 0);
}

// scratch[0] counts the blocks that are done; the partial sums follow.
__global__ void last_block_adds(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    __shared__ bool is_last;
    unsigned *done = (unsigned *)scratch, *partial = (unsigned *)(scratch + 1);
    size_t lead = (size_t)in / 4 % 4;
    size_t end = n + lead;
    size_t stride = (size_t)gridDim.x * threads * 4;
    unsigned mine = 0;

    #pragma unroll 4
    for (size_t p = ((size_t)blockIdx.x * threads + threadIdx.x) * 4; p < end; p += stride) {
        if (p >= lead && p + 4 <= end) {
            uint4 v = *(const uint4 *)(in + (p - lead));
            mine += v.x + v.y + v.z + v.w;
        } else {
            for (size_t q = p; q < p + 4; q++)
                if (q >= lead && q < end)
                    mine += (unsigned)in[q - lead];
        }
    }
    mine = of_block(mine);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();
        is_last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    mine = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += threads)
        mine += ((volatile unsigned *)partial)[b];
    mine = of_block(mine);
    if (threadIdx.x == 0)
        *sum = (int)mine;
}

}  // namespace total

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    size_t wanted = n / (total::threads * total::ints_each) + 1;
    unsigned blocks = wanted < total::max_blocks ? (unsigned)wanted : total::max_blocks;
    cudaError_t error = cudaMemsetAsync(scratch, 0, sizeof *scratch, 0);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return error;
    }
    total::last_block_adds<<<blocks, total::threads>>>(in, n, scratch, sum);
    return cudaGetLastError();
}

// As many blocks as the device holds; each takes tickets until there are none left. Rows of the
// whole block: thread t has quad t of each row.
namespace prefix {

constexpr int kThreads = 256, kRows = 4, kWarps = kThreads / 32, kTile = kThreads * kRows * 4;
constexpr unsigned kAll = 0xffffffffu;

using Word = unsigned long long;

struct Known {
    unsigned status, value;
};

__device__ inline Word pack(unsigned status, unsigned value) {
    return ((Word)status << 32) | value;
}

__device__ inline Known load(Word *at) {
    Word w = *(volatile Word *)at;
    return {(unsigned)(w >> 32), (unsigned)w};
}

__device__ inline unsigned inclusive(unsigned v, unsigned lane) {
#pragma unroll
    for (unsigned d = 1; d < 32; d <<= 1) {
        unsigned u = __shfl_up_sync(kAll, v, d);
        v += lane >= d ? u : 0;
    }
    return v;
}

__device__ unsigned sum_before(Word *words, unsigned tile, unsigned lane) {
    unsigned found = 0;
    unsigned left = tile;   // tiles before this one that are not yet counted
    while (left > 0) {
        Known k = {2, 0};
        unsigned alls, voids, counted;
        do {
            if (lane < left)
                k = load(words + (left - 1 - lane));
            alls = __ballot_sync(kAll, k.status == 2);
            voids = __ballot_sync(kAll, k.status == 0);
            counted = alls ? (alls & -alls) * 2 - 1 : kAll;
        } while (voids & counted);
        unsigned v = (counted >> lane) & 1 ? k.value : 0;
        for (int d = 16; d > 0; d >>= 1)
            v += __shfl_down_sync(kAll, v, d);
        found += __shfl_sync(kAll, v, 0);
        if (alls)
            break;
        left -= 32;
    }
    return found;
}

__global__ void __launch_bounds__(kThreads) scan(const int *in, size_t n, unsigned lead, unsigned tiles, Word *scratch,
                                                 int *out) {
    __shared__ unsigned taken;
    __shared__ unsigned totals[kRows * kWarps];
    __shared__ __align__(16) unsigned shifted[kThreads * 4];
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    const size_t end = n + lead;
    const bool same = ((size_t)in - (size_t)out) % 16 == 0;
    Word *words = scratch + 1;

    for (;;) {
        if (t == 0)
            taken = atomicAdd((unsigned *)scratch, 1u);
        __syncwarp();
        const unsigned tile = taken;
        if (tile >= tiles)
            return;
        const size_t p0 = (size_t)tile * kTile;
        uint4 q[kRows];
        unsigned sum[kRows];
#pragma unroll
        for (int r = 0; r < kRows; r++) {
            const size_t row = p0 + (size_t)r * kThreads * 4, p = row + 4 * t;
            if (same && p >= lead && p + 4 <= end) {
                q[r] = *(const uint4 *)(in + (p - lead));
            } else if (same) {
                q[r].x = p >= lead && p < end ? (unsigned)in[p - lead] : 0;
                q[r].y = p + 1 >= lead && p + 1 < end ? (unsigned)in[p + 1 - lead] : 0;
                q[r].z = p + 2 >= lead && p + 2 < end ? (unsigned)in[p + 2 - lead] : 0;
                q[r].w = p + 3 >= lead && p + 3 < end ? (unsigned)in[p + 3 - lead] : 0;
            } else {
                for (unsigned k = t; k < kThreads * 4; k += kThreads)
                    shifted[k] = row + k >= lead && row + k < end ? (unsigned)in[row + k - lead] : 0;
                __syncthreads();
                q[r] = *(const uint4 *)(shifted + 4 * t);
                __syncthreads();
            }
        }
#pragma unroll
        for (int r = 0; r < kRows; r++) {
            q[r].y += q[r].x;
            q[r].z += q[r].y;
            q[r].w += q[r].z;
            sum[r] = inclusive(q[r].w, lane);
            if (lane == 31)
                totals[r * kWarps + warp] = sum[r];
        }
        __syncthreads();
        if (warp == 0) {
            const unsigned own = totals[lane];
            const unsigned upto = inclusive(own, lane);
            const unsigned whole = __shfl_sync(kAll, upto, 31);
            if (lane == 0)
                *(volatile Word *)(words + tile) = pack(tile > 0 ? 1 : 2, whole);
            unsigned before = 0;
            if (tile > 0) {
                before = sum_before(words, tile, lane);
                if (lane == 0)
                    *(volatile Word *)(words + tile) = pack(2, before + whole);
            }
            totals[lane] = before + upto - own;
        }
        __syncthreads();
#pragma unroll
        for (int r = 0; r < kRows; r++) {
            const size_t p = p0 + (size_t)r * kThreads * 4 + 4 * t;
            const unsigned add = totals[r * kWarps + warp] + sum[r] - q[r].w;
            const int4 put = make_int4((int)(q[r].x + add), (int)(q[r].y + add), (int)(q[r].z + add),
                                       (int)(q[r].w + add));
            if (p >= lead && p + 4 <= end) {
                *(int4 *)(out + (p - lead)) = put;
            } else {
                if (p >= lead && p < end)
                    out[p - lead] = put.x;
                if (p + 1 >= lead && p + 1 < end)
                    out[p + 1 - lead] = put.y;
                if (p + 2 >= lead && p + 2 < end)
                    out[p + 2 - lead] = put.z;
                if (p + 3 >= lead && p + 3 < end)
                    out[p + 3 - lead] = put.w;
            }
        }
        __syncthreads();
    }
}

}  // namespace prefix

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    using namespace prefix;
    if (n == 0)
        return cudaSuccess;
    const unsigned lead = (unsigned)((size_t)out % 32 / sizeof(int));
    const size_t tiles = (n + lead + kTile - 1) / kTile;
    int device, processors, each;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, scan, kThreads, 0);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(scratch, 0, (1 + tiles) * sizeof(Word), 0);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    const size_t held = (size_t)processors * each;
    const unsigned blocks = (unsigned)(tiles < held ? tiles : held);
    scan<<<blocks, kThreads>>>(in, n, lead, (unsigned)tiles, scratch, out);
    return cudaGetLastError();
}
