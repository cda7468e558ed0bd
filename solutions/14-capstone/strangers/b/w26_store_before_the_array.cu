// Wrong: the first quad is stored as a whole though it begins in front of `out` where that is no multiple of 32 bytes: up to seven words before it are overwritten.
// Kind: write
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

// Each tile has two words: its own sum and the sum of all up to its end. A word counts once its upper half is set.
template <unsigned Threads, unsigned Rows>
struct Scanner {
    static constexpr unsigned warps = Threads / 32, warp_ints = Rows * 128, tile_ints = warps * warp_ints;
    static constexpr unsigned long long set = 1ull << 32;

    const int *in;
    int *out;
    long long n;
    unsigned lead;
    unsigned *tickets;
    volatile unsigned long long *own, *all;

    __device__ static unsigned lane() {
        return threadIdx.x % 32;
    }

    __device__ static unsigned scan_lanes(unsigned value) {
        for (int d = 1; d <= 16; d *= 2) {
            const unsigned lower = __shfl_up_sync(0xffffffff, value, d);
            if (lane() >= d)
                value += lower;
        }
        return value;
    }

    __device__ bool inside(long long i) const {
        return 0 <= i && i < n;
    }

    __device__ unsigned value(long long i) const {
        return inside(i) ? (unsigned)in[i] : 0u;
    }

    __device__ unsigned before(long long tile) const {
        unsigned sum = 0;
        for (long long at = tile - 1 - (long long)lane(), top = tile - 1; top >= 0; top -= 32, at -= 32) {
            unsigned ends, blank, count;
            unsigned long long word;
            do {
                word = set;
                bool is_end = true;
                if (at >= 0) {
                    word = all[at];
                    is_end = word >= set;
                    if (!is_end)
                        word = own[at];
                }
                ends = __ballot_sync(0xffffffff, is_end);
                blank = __ballot_sync(0xffffffff, word < set);
                count = ends ? __ffs(ends) : 32;
            } while (blank << (32 - count));
            unsigned part = lane() < count ? (unsigned)word : 0;
            for (int d = 1; d <= 16; d *= 2)
                part += __shfl_xor_sync(0xffffffff, part, d);
            sum += part;
            if (ends)
                return sum;
        }
        return sum;
    }

    __device__ void run() const {
        __shared__ unsigned shared_tile, offsets[warps];
        __shared__ uint4 rows[warps][32];
        if (threadIdx.x == 0)
            shared_tile = atomicAdd(tickets, 1);
        __syncthreads();
        const unsigned tile = shared_tile, warp = threadIdx.x / 32;
        const long long start = (long long)tile * tile_ints + warp * warp_ints - (long long)lead;
        const bool by_four = ((size_t)in / 4 + 8 - lead) % 4 == 0;
        uint4 v[Rows];
        unsigned pre[Rows], sum = 0;

        #pragma unroll
        for (unsigned r = 0; r < Rows; r++) {
            const long long row = start + r * 128, i = row + 4 * lane();
            if (by_four && i >= 0 && i + 3 < n) {
                v[r] = *reinterpret_cast<const uint4 *>(in + i);
            } else if (by_four) {
                v[r] = make_uint4(value(i), value(i + 1), value(i + 2), value(i + 3));
            } else {
                unsigned *words = reinterpret_cast<unsigned *>(rows[warp]);
                for (unsigned k = lane(); k < 128; k += 32)
                    words[k] = value(row + k);
                __syncwarp();
                v[r] = rows[warp][lane()];
                __syncwarp();
            }
        }
        #pragma unroll
        for (unsigned r = 0; r < Rows; r++) {
            v[r].y += v[r].x, v[r].z += v[r].y, v[r].w += v[r].z;
            const unsigned upto = scan_lanes(v[r].w);
            pre[r] = sum + upto - v[r].w;
            sum += __shfl_sync(0xffffffff, upto, 31);
        }
        if (lane() == 31)
            offsets[warp] = sum;
        __syncthreads();
        if (warp == 0) {
            const unsigned mine = lane() < warps ? offsets[lane()] : 0;
            const unsigned upto = scan_lanes(mine);
            const unsigned total = __shfl_sync(0xffffffff, upto, warps - 1);
            if (lane() == 0)
                own[tile] = set | total;
            const unsigned earlier = before(tile);
            if (lane() == 0)
                all[tile] = set | (earlier + total);
            if (lane() < warps)
                offsets[lane()] = earlier + upto - mine;
        }
        __syncthreads();
        #pragma unroll
        for (unsigned r = 0; r < Rows; r++) {
            const long long i = start + r * 128 + 4 * lane();
            const unsigned add = pre[r] + offsets[warp];
            const uint4 w = {v[r].x + add, v[r].y + add, v[r].z + add, v[r].w + add};
            if (i + 3 < n) {
                *reinterpret_cast<uint4 *>(out + i) = w;
                continue;
            }
            if (inside(i))
                out[i] = w.x;
            if (inside(i + 1))
                out[i + 1] = w.y;
            if (inside(i + 2))
                out[i + 2] = w.z;
            if (inside(i + 3))
                out[i + 3] = w.w;
        }
    }
};

constexpr unsigned kScanThreads = 128, kScanRows = 8;
using MyScanner = Scanner<kScanThreads, kScanRows>;

__global__ void __launch_bounds__(kScanThreads) run_scanner(MyScanner scanner) {
    scanner.run();
}

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    if (n == 0)
        return cudaSuccess;
    const unsigned lead = (size_t)out / 4 % 8;
    const size_t tiles = (n + lead + MyScanner::tile_ints - 1) / MyScanner::tile_ints;
    const cudaError_t error = cudaMemsetAsync(scratch, 0, (2 * tiles + 1) * sizeof *scratch);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    MyScanner scanner = {in, out, (long long)n, lead, (unsigned *)scratch, scratch + 1, scratch + 1 + tiles};
    run_scanner<<<(unsigned)tiles, kScanThreads>>>(scanner);
    return cudaGetLastError();
}
