// Wrong: the grid is limited to 65,535 blocks, as y and z are; each block has one tile, so what lies behind 2^28 ints is never scanned.
// Kind: grid
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
#pragma unroll 4
    for (size_t i = blockIdx.x * (size_t)kSumBlock + threadIdx.x; i < vecs; i += gridDim.x * (size_t)kSumBlock) {
        int4 v = vec[i];
        acc += (unsigned)v.x + (unsigned)v.y + (unsigned)v.z + (unsigned)v.w;
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

enum { SCAN_BLOCK = 256, WARPS = SCAN_BLOCK / 32, ROWS = 4, WARP_INTS = 128 * ROWS, TILE = WARPS * WARP_INTS };
enum { NOTHING, OF_TILE, OF_ALL };

static __device__ unsigned int_at(const int *in, long long i, long long n) {
    return i >= 0 && i < n ? (unsigned)in[i] : 0;
}

static __device__ unsigned warp_scan(unsigned value) {
    for (unsigned d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(0xffffffffu, value, d);
        if (threadIdx.x % 32 >= d)
            value += other;
    }
    return value;
}

static __device__ void tell(volatile unsigned long long *word, unsigned status, unsigned value) {
    *word = (unsigned long long)status << 32 | value;
}

// Called by one whole warp. Words of tiles before tile 0 read as "all: 0".
static __device__ unsigned look_back(volatile unsigned long long *words, unsigned tile) {
    const unsigned lane = threadIdx.x % 32;
    unsigned before = 0;
    for (long long nearest = (long long)tile - 1;; nearest -= 32) {
        const long long mine = nearest - lane;
        unsigned value, all, wanted, silent;
        do {
            unsigned long long word = mine >= 0 ? words[mine] : (unsigned long long)OF_ALL << 32;
            unsigned status = (unsigned)(word >> 32);
            value = (unsigned)word;
            silent = __ballot_sync(0xffffffffu, status == NOTHING);
            all = __ballot_sync(0xffffffffu, status == OF_ALL);
            wanted = all ? all ^ (all - 1) : 0xffffffffu;
        } while (silent & wanted);
        if (!(wanted >> lane & 1))
            value = 0;
        for (int bit = 16; bit > 0; bit /= 2)
            value += __shfl_xor_sync(0xffffffffu, value, bit);
        before += value;
        if (all)
            return before;
    }
}

static __global__ void scan_tiles(const int *in, long long n, unsigned lead, unsigned long long *scratch, int *out) {
    __shared__ unsigned ticket, totals[WARPS];
    __shared__ __align__(16) unsigned staged[WARPS][128];
    volatile unsigned long long *words = scratch + 1;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    if (threadIdx.x == 0)
        ticket = atomicAdd((unsigned *)scratch, 1u);
    __syncthreads();
    const unsigned tile = ticket;
    const long long base = (long long)tile * TILE + (long long)warp * WARP_INTS - lead;
    const bool alike = ((size_t)in / 4 + 8 - lead) % 4 == 0;
    uint4 v[ROWS];

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const long long row = base + 128 * r, i = row + 4 * lane;
        if (alike) {
            if (i >= 0 && i + 4 <= n)
                v[r] = *(const uint4 *)(in + i);
            else
                v[r] = make_uint4(int_at(in, i, n), int_at(in, i + 1, n), int_at(in, i + 2, n), int_at(in, i + 3, n));
        } else {
            for (int k = 0; k < 128; k += 32)
                staged[warp][k + lane] = int_at(in, row + k + lane, n);
            __syncwarp();
            v[r] = *(const uint4 *)&staged[warp][4 * lane];
            __syncwarp();
        }
    }
    unsigned before_row[ROWS], carry = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        v[r].y += v[r].x;
        v[r].z += v[r].y;
        v[r].w += v[r].z;
        unsigned sum = warp_scan(v[r].w);
        before_row[r] = carry + sum - v[r].w;
        carry += __shfl_sync(0xffffffffu, sum, 31);
    }
    if (lane == 0)
        totals[warp] = carry;
    __syncthreads();
    if (warp == 0) {
        unsigned total = lane < WARPS ? totals[lane] : 0;
        unsigned sum = warp_scan(total);
        unsigned of_tile = __shfl_sync(0xffffffffu, sum, 31);
        if (lane == 0 && tile > 0)
            tell(words + tile, OF_TILE, of_tile);
        unsigned before = look_back(words, tile);
        if (lane == 0)
            tell(words + tile, OF_ALL, before + of_tile);
        if (lane < WARPS)
            totals[lane] = before + sum - total;
    }
    __syncthreads();
    const unsigned before_warp = totals[warp];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const long long i = base + 128 * r + 4 * lane;
        const unsigned more = before_warp + before_row[r];
        const uint4 made = make_uint4(v[r].x + more, v[r].y + more, v[r].z + more, v[r].w + more);
        if (i >= 0 && i + 4 <= n) {
            *(uint4 *)(out + i) = made;
        } else {
            if (i >= 0 && i < n)
                out[i] = (int)made.x;
            if (i + 1 >= 0 && i + 1 < n)
                out[i + 1] = (int)made.y;
            if (i + 2 >= 0 && i + 2 < n)
                out[i + 2] = (int)made.z;
            if (i + 3 >= 0 && i + 3 < n)
                out[i + 3] = (int)made.w;
        }
    }
}

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    if (n == 0)
        return cudaSuccess;
    const unsigned lead = (unsigned)((size_t)out / 4 % 8);
    const size_t tiles = (n + lead + TILE - 1) / TILE;
    cudaError_t error = cudaMemsetAsync(scratch, 0, (tiles + 1) * sizeof *scratch, 0);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    const unsigned grid = tiles < 65535 ? (unsigned)tiles : 65535;
    scan_tiles<<<grid, SCAN_BLOCK>>>(in, (long long)n, lead, scratch, out);
    return cudaGetLastError();
}
