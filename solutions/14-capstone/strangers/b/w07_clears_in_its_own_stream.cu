// Wrong: *sum is cleared in a stream that does not wait for the default stream, nor it for that: the clearing may come before earlier work or after the kernel has added.
// Kind: stream
#include "capstone.h"

extern "C" const int predicted_least_loaded_2_20 = 131072;

extern "C" const int predicted_least_moved_2_20 = 262144;

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int Unroll>
__global__ void group_sum(const int *__restrict__ in, size_t n, unsigned *sum) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    __shared__ unsigned parts[32];
    const unsigned per_block = blockDim.x * 4;
    const size_t lead = reinterpret_cast<size_t>(in) % 32 / 4;
    const size_t end = lead + n;
    unsigned acc[Unroll] = {};

    for (size_t start = (size_t)blockIdx.x * per_block * Unroll; start < end;
         start += (size_t)gridDim.x * per_block * Unroll) {
#pragma unroll
        for (int u = 0; u < Unroll; u++) {
            size_t p = start + (size_t)u * per_block + 4 * threadIdx.x;
            if (p >= lead && p + 4 <= end) {
                uint4 v = *reinterpret_cast<const uint4 *>(in + (p - lead));
                acc[u] += (v.x + v.y) + (v.z + v.w);
            } else {
                for (int k = 0; k < 4; k++)
                    if (p + k >= lead && p + k < end)
                        acc[u] += static_cast<unsigned>(in[p + k - lead]);
            }
        }
    }
    unsigned mine = 0;
#pragma unroll
    for (int u = 0; u < Unroll; u++)
        mine += acc[u];
    for (int d = warp.size() / 2; d > 0; d /= 2)
        mine += warp.shfl_down(mine, d);
    if (warp.thread_rank() == 0)
        parts[warp.meta_group_rank()] = mine;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        mine = warp.thread_rank() < warp.meta_group_size() ? parts[warp.thread_rank()] : 0u;
        for (int d = warp.size() / 2; d > 0; d /= 2)
            mine += warp.shfl_down(mine, d);
        if (warp.thread_rank() == 0)
            atomicAdd(sum, mine);
    }
}

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *, int *sum) {
    constexpr unsigned threads = 512;
    cudaStream_t side;
    cudaError_t status = cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    if (status == cudaSuccess) {
        status = cudaMemsetAsync(sum, 0, sizeof(int), side);
        cudaError_t closed = cudaStreamDestroy(side);
        status = status != cudaSuccess ? status : closed;
    }
    if (status != cudaSuccess) {
        cudaGetLastError();
        return status;
    }
    if (n > 0) {
        size_t blocks = n / (threads * 32) + 1;
        group_sum<4><<<static_cast<unsigned>(blocks < 600 ? blocks : 600), threads>>>(
            in, n, reinterpret_cast<unsigned *>(sum));
        status = cudaGetLastError();
    }
    return status;
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
        __syncthreads();
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
