// Wrong: each thread takes four neighbouring int4, so lanes lie 64 bytes apart, each request touches 32 sectors of which it uses half, and twice as many sectors are loaded.
// Kind: coalescing
#include "capstone.h"

extern "C" const int predicted_least_loaded_2_20 = 131072;

extern "C" const int predicted_least_moved_2_20 = 262144;

// Two launches: the blocks' sums go to scratch, then one block adds those. No atomics at all.
static const unsigned kSumBlock = 1024;
static const unsigned kMostSums = 512;

template <unsigned kBlock>
__device__ unsigned blockTotal(unsigned v) {
    __shared__ unsigned warpTotals[kBlock / 32];
#pragma unroll
    for (int off = 16; off > 0; off >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, off);
    if ((threadIdx.x & 31) == 0)
        warpTotals[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x >= 32)
        return 0;
    v = threadIdx.x < kBlock / 32 ? warpTotals[threadIdx.x] : 0;
#pragma unroll
    for (int off = 16; off > 0; off >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, off);
    return v;
}

__global__ void __launch_bounds__(1024) partialSums(const int *in, size_t n, unsigned *sums) {
    size_t skipped = (4 - (size_t)in / 4 % 4) % 4;
    size_t head = skipped < n ? skipped : n;
    const int4 *vec = reinterpret_cast<const int4 *>(in + head);
    size_t vecs = (n - head) / 4;
    size_t rest = (n - head) % 4;
    unsigned acc = 0;
    for (size_t j = blockIdx.x * (size_t)kSumBlock + threadIdx.x; 4 * j < vecs; j += gridDim.x * (size_t)kSumBlock) {
#pragma unroll
        for (size_t i = 4 * j; i < 4 * j + 4; i++) {
            int4 v = i < vecs ? vec[i] : make_int4(0, 0, 0, 0);
            acc += (unsigned)v.x + (unsigned)v.y + (unsigned)v.z + (unsigned)v.w;
        }
    }
    if (blockIdx.x == 0) {
        if (threadIdx.x < head)
            acc += (unsigned)in[threadIdx.x];
        if (threadIdx.x < rest)
            acc += (unsigned)in[n - rest + threadIdx.x];
    }
    acc = blockTotal<kSumBlock>(acc);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = acc;
}

__global__ void totalOfSums(const unsigned *sums, unsigned count, int *sum) {
    unsigned v = threadIdx.x < count ? sums[threadIdx.x] : 0;
    v = blockTotal<kMostSums>(v);
    if (threadIdx.x == 0)
        *sum = (int)v;
}

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    unsigned *sums = reinterpret_cast<unsigned *>(scratch);
    size_t need = (n + kSumBlock * 16 - 1) / (kSumBlock * 16);
    unsigned count = need < kMostSums ? (unsigned)need : kMostSums;
    if (count > 0) {
        partialSums<<<count, kSumBlock>>>(in, n, sums);
        cudaError_t err = cudaGetLastError();
        if (err != cudaSuccess)
            return err;
    }
    totalOfSums<<<1, kMostSums>>>(sums, count, sum);
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
