// Wrong: all words of a window are added, also those behind the nearest that tells of all, whose ints are in that one already.
// Kind: condition
#include "capstone.h"

extern "C" const int predicted_least_loaded_2_20 = 131072;

extern "C" const int predicted_least_moved_2_20 = 262144;

// Each block goes through one run of quads of its own; the ints at both ends go to the last block.
struct Span {
    size_t begin, end;
};

__device__ inline Span share_of(size_t quads, unsigned block, unsigned blocks) {
    size_t each = quads / blocks, more = quads % blocks;
    size_t begin = block * each + (block < more ? block : more);
    return {begin, begin + each + (block < more ? 1 : 0)};
}

__device__ inline unsigned plus(uint4 v) {
    return v.x + v.y + v.z + v.w;
}

__global__ void sum_runs(const int *in, size_t n, size_t head, int *sum) {
    __shared__ unsigned block_sum;
    if (threadIdx.x == 0)
        block_sum = 0;
    __syncthreads();
    const size_t quads = (n - head) / 4;
    const uint4 *quad = (const uint4 *)(in + head);
    const Span span = share_of(quads, blockIdx.x, gridDim.x);
    unsigned mine = 0;
    size_t i = span.begin + threadIdx.x;
    for (; i + 3 * blockDim.x < span.end; i += 4 * blockDim.x)
        mine += plus(quad[i]) + plus(quad[i + blockDim.x]) + plus(quad[i + 2 * blockDim.x])
                + plus(quad[i + 3 * blockDim.x]);
    for (; i < span.end; i += blockDim.x)
        mine += plus(quad[i]);
    if (blockIdx.x == gridDim.x - 1) {
        const size_t tail = head + quads * 4;
        if (threadIdx.x < head)
            mine += (unsigned)in[threadIdx.x];
        if (tail + threadIdx.x < n)
            mine += (unsigned)in[tail + threadIdx.x];
    }
    for (int d = 1; d < 32; d <<= 1)
        mine += __shfl_xor_sync(~0u, mine, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&block_sum, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd((unsigned *)sum, block_sum);
}

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *, int *sum) {
    auto failed = [](cudaError_t error) {
        cudaGetLastError();
        return error;
    };
    if (cudaError_t error = cudaMemsetAsync(sum, 0, sizeof(int)))
        return failed(error);
    if (n == 0)
        return cudaSuccess;
    size_t head = (4 - (size_t)in / 4 % 4) % 4;
    if (head > n)
        head = n;
    const unsigned threads = 256;
    size_t blocks = (n + threads * 32 - 1) / (threads * 32);
    if (blocks > 1056)
        blocks = 1056;
    sum_runs<<<(unsigned)blocks, threads>>>(in, n, head, sum);
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
    scan_tiles<<<(unsigned)tiles, SCAN_BLOCK>>>(in, (long long)n, lead, scratch, out);
    return cudaGetLastError();
}
