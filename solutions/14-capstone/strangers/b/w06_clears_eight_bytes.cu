// Wrong: the sum is one int, but 8 bytes are cleared: whatever lies behind *sum is overwritten.
// Kind: write
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
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *scratch, 0);
    if (error == cudaSuccess)
        error = cudaGetDevice(&device);
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
