// Wrong: nobody looks at what the memset returns, and the error that it left is taken away before the launch: a refused clearing goes unnoticed, and blocks add to whatever was there.
// Kind: error
#include "capstone.h"

extern "C" const int predicted_least_loaded_2_20 = 131072;

extern "C" const int predicted_least_moved_2_20 = 262144;

#define SUM_THREADS 256

static __global__ void add_up(const int *in, size_t n, unsigned *sum) {
    __shared__ unsigned slots[32];
    size_t head = (16 - (size_t)in % 16) % 16 / 4;
    if (head > n)
        head = n;
    const size_t quads = (n - head) / 4, tail = head + 4 * quads;
    const uint4 *four = (const uint4 *)(in + head);
    const size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    unsigned total = 0;
    size_t i = me;

    for (; i + 3 * step < quads; i += 4 * step) {
        uint4 a = four[i], b = four[i + step], c = four[i + 2 * step], d = four[i + 3 * step];
        total += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
        total += c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
    }
    for (; i < quads; i += step) {
        uint4 a = four[i];
        total += a.x + a.y + a.z + a.w;
    }
    if (me < head)
        total += (unsigned)in[me];
    if (me < n - tail)
        total += (unsigned)in[tail + me];

    for (int d = 16; d > 0; d /= 2)
        total += __shfl_down_sync(0xffffffffu, total, d);
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        slots[warp] = total;
    __syncthreads();
    if (warp == 0) {
        total = lane < blockDim.x / 32 ? slots[lane] : 0;
        for (int d = 16; d > 0; d /= 2)
            total += __shfl_down_sync(0xffffffffu, total, d);
        if (lane == 0)
            atomicAdd(sum, total);
    }
}

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    int device = 0, processors = 0, held = 0;
    cudaMemsetAsync(sum, 0, sizeof *sum, 0);
    cudaGetLastError();
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, add_up, SUM_THREADS, 0);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    if (n == 0)
        return cudaSuccess;
    size_t blocks = n / (16 * SUM_THREADS) + 1, most = (size_t)processors * (size_t)held;
    if (blocks > most)
        blocks = most;
    (void)scratch;
    add_up<<<(unsigned)blocks, SUM_THREADS>>>(in, n, (unsigned *)sum);
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
