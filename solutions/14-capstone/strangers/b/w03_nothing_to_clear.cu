// Wrong: with no ints sum_fast returns before it clears the sum, so *sum keeps what it held and is not 0.
// Kind: result
#include "capstone.h"

extern "C" const int predicted_least_loaded_2_20 = 131072;

extern "C" const int predicted_least_moved_2_20 = 262144;

/* Plain loads of one int a lane, eight under way at once; the grid's warps lie side by side. */
#define SUM_T 256
#define SUM_MASK 0xffffffffu

__global__ void sum_one_by_one(const int *in, size_t n, int *sum) {
    size_t lead = (size_t)in / sizeof(int) % 8; /* so each warp begins at a sector */
    size_t all = n + lead;
    size_t stride = (size_t)gridDim.x * SUM_T * 8;
    unsigned acc = 0;
    for (size_t base = (size_t)blockIdx.x * SUM_T * 8; base < all; base += stride) {
        size_t p = base + threadIdx.x;
        if (base >= lead && base + SUM_T * 8 <= all) {
            const int *from = in + (p - lead);
            unsigned part[8];
#pragma unroll
            for (int k = 0; k < 8; k++)
                part[k] = (unsigned)from[k * SUM_T];
#pragma unroll
            for (int k = 0; k < 8; k++)
                acc += part[k];
        } else {
            for (int k = 0; k < 8; k++, p += SUM_T)
                if (p >= lead && p < all)
                    acc += (unsigned)in[p - lead];
        }
    }
    for (int d = 16; d; d >>= 1)
        acc += __shfl_xor_sync(SUM_MASK, acc, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd((unsigned *)sum, acc);
}

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    (void)scratch;
    if (n == 0)
        return cudaSuccess;
    cudaError_t e = cudaMemsetAsync(sum, 0, sizeof(int));
    if (e != cudaSuccess) {
        cudaGetLastError();
        return e;
    }
    size_t grid = n / (SUM_T * 32) + 1;
    if (grid > 2048)
        grid = 2048;
    sum_one_by_one<<<(unsigned)grid, SUM_T>>>(in, n, sum);
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
            if (i >= 0 && i + 3 < n) {
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
