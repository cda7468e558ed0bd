// Wrong: lanes that have nobody d places before them get their own value back from the shuffle and add it.
// Kind: lane
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
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum, 0);
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

enum { SCAN_BLOCK = 256, WARPS = SCAN_BLOCK / 32, ROWS = 4, WARP_INTS = 128 * ROWS, TILE = WARPS * WARP_INTS };
enum { NOTHING, OF_TILE, OF_ALL };

static __device__ unsigned int_at(const int *in, long long i, long long n) {
    return i >= 0 && i < n ? (unsigned)in[i] : 0;
}

static __device__ unsigned warp_scan(unsigned value) {
    for (unsigned d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(0xffffffffu, value, d);
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
    scan_tiles<<<(unsigned)tiles, SCAN_BLOCK>>>(in, (long long)n, lead, scratch, out);
    return cudaGetLastError();
}
