// Wrong: the first quad is loaded as a whole though it begins before the array, where `in` is no multiple of 16 bytes: ints in front of it are read and added.
// Kind: access
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
        if (p + 4 <= end) {
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
