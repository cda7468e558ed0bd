// Right: a kernel clears the words of the scan, words are stored by atomicExch, and both functions go by cooperative groups.
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
    cudaError_t status = cudaMemsetAsync(sum, 0, sizeof(int), cudaStreamLegacy);
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

#include <cooperative_groups.h>

// 384 threads, 12 ints each as three quads; a kernel clears the words.
namespace scan_by_groups {

namespace groups = cooperative_groups;
typedef groups::thread_block_tile<32> Warp;
typedef unsigned long long u64;

const unsigned THREADS = 384, QUADS = 3, N_WARPS = THREADS / 32, STEP = N_WARPS * QUADS * 128;
const u64 PART = 1ull << 62, TOTAL = 1ull << 63, EITHER = PART | TOTAL;

__device__ unsigned up_scan(const Warp &warp, unsigned x) {
    for (unsigned d = 1; d < warp.size(); d *= 2) {
        const unsigned y = warp.shfl_up(x, d);
        x += warp.thread_rank() < d ? 0 : y;
    }
    return x;
}

__device__ unsigned all_sum(const Warp &warp, unsigned x) {
    for (unsigned d = warp.size() / 2; d > 0; d /= 2)
        x += warp.shfl_xor(x, d);
    return x;
}

__device__ void post(u64 *word, u64 mark, unsigned value) {
    atomicExch(word, mark | value);
}

__device__ u64 peek(u64 *word) {
    return *(volatile u64 *)word;
}

__device__ unsigned gather(const Warp &warp, u64 *words, unsigned tile) {
    const unsigned rank = warp.thread_rank();
    unsigned sum = 0;
    bool over = false;
    while (!over) {
        u64 word = 0;
        unsigned complete, missing, take;
        do {
            if ((word & EITHER) == 0 || (word & TOTAL) == 0)
                word = rank < tile ? peek(words + (tile - 1 - rank)) : TOTAL;
            complete = warp.ballot((word & TOTAL) != 0);
            missing = warp.ballot((word & EITHER) == 0);
            take = complete == 0 ? ~0u : complete ^ (complete - 1);
        } while (missing & take);
        sum += all_sum(warp, take >> rank & 1 ? (unsigned)word : 0u);
        over = complete != 0;
        tile = tile > 32 ? tile - 32 : 0;
    }
    return sum;
}

__global__ void wipe(u64 *words, size_t count) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        words[i] = 0;
}

__global__ void scan(const int *in, size_t n, unsigned lead, u64 *scratch, int *out) {
    __shared__ unsigned number, sums[N_WARPS];
    __shared__ __align__(16) unsigned turned[N_WARPS * 128];
    const Warp warp = groups::tiled_partition<32>(groups::this_thread_block());
    const unsigned rank = warp.thread_rank(), w = warp.meta_group_rank();

    if (threadIdx.x == 0)
        number = (unsigned)atomicAdd(scratch, 1ull);
    __syncthreads();
    const unsigned tile = number;
    const size_t origin = (size_t)tile * STEP + (size_t)w * QUADS * 128, end = n + lead;
    const bool in_fits = ((size_t)in & 15) == ((size_t)out & 15);
    const bool is_full = origin >= lead && origin + QUADS * 128 <= end;
    unsigned *buffer = turned + w * 128;
    uint4 q[QUADS];
    unsigned base[QUADS], run = 0;

#pragma unroll
    for (unsigned j = 0; j < QUADS; j++) {
        const size_t p = origin + j * 128;
        if (in_fits && is_full) {
            q[j] = *(const uint4 *)(in + (p - lead + 4 * rank));
        } else {
            for (unsigned k = rank; k < 128; k += 32)
                buffer[k] = p + k >= lead && p + k < end ? (unsigned)in[p + k - lead] : 0;
            warp.sync();
            q[j] = *(const uint4 *)(buffer + 4 * rank);
            warp.sync();
        }
    }
#pragma unroll
    for (unsigned j = 0; j < QUADS; j++) {
        q[j].y += q[j].x;
        q[j].z += q[j].y;
        q[j].w += q[j].z;
        const unsigned up = up_scan(warp, q[j].w);
        base[j] = run + up - q[j].w;
        run += warp.shfl(up, 31);
    }
    if (rank == 0)
        sums[w] = run;
    __syncthreads();
    if (w == 0) {
        const unsigned mine = rank < N_WARPS ? sums[rank] : 0, up = up_scan(warp, mine);
        const unsigned total = warp.shfl(up, 31);
        if (rank == 0)
            post(scratch + 1 + tile, tile == 0 ? TOTAL : PART, total);
        const unsigned before = gather(warp, scratch + 1, tile);
        if (rank == 0 && tile != 0)
            post(scratch + 1 + tile, TOTAL, before + total);
        if (rank < N_WARPS)
            sums[rank] = before + up - mine;
    }
    __syncthreads();
#pragma unroll
    for (unsigned j = 0; j < QUADS; j++) {
        const size_t p = origin + j * 128;
        const unsigned add = sums[w] + base[j];
        const uint4 r = make_uint4(q[j].x + add, q[j].y + add, q[j].z + add, q[j].w + add);
        if (is_full) {
            *(uint4 *)(out + (p - lead + 4 * rank)) = r;
        } else {
            *(uint4 *)(buffer + 4 * rank) = r;
            warp.sync();
            for (unsigned k = rank; k < 128; k += 32)
                if (p + k >= lead && p + k < end)
                    out[p + k - lead] = (int)buffer[k];
            warp.sync();
        }
    }
}

}  // namespace scan_by_groups

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    using namespace scan_by_groups;
    if (n == 0)
        return cudaSuccess;
    const unsigned lead = (unsigned)((size_t)out % 32 / 4);
    const size_t tiles = (n + lead + STEP - 1) / STEP;
    const size_t wipers = tiles / 256 + 1;
    wipe<<<(unsigned)(wipers < 256 ? wipers : 256), 256>>>(scratch, tiles + 1);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    scan<<<(unsigned)tiles, THREADS>>>(in, n, lead, scratch, out);
    return cudaGetLastError();
}
