/* Each lane scans neighbours, which reach it by way of shared memory. */
/*
 * Lab 14: capstone. Handout: handouts/14-capstone.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the sum (TODO 1), then the scan (TODO 2). Each can be
 * tested when it is done. Block, grid and means are yours to choose.
 */
#include "capstone.h"

#define ALL_LANES 0xffffffffu

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted.
 */
// TODO(0): answer the questions (2 numbers)

// sum_fast, 2^20 ints: how many sectors of 32 bytes must it load at the least?
extern "C" const int predicted_least_loaded_2_20 = 131072;

// scan_fast, 2^20 ints: how many sectors must it load and store at the least, both together?
extern "C" const int predicted_least_moved_2_20 = 262144;

// END TODO(0)

// TODO(1): the kernels of the sum (about 45 lines)
enum { SUM_BLOCK = 512, QUADS = 4 }; // loads of a thread under way at once, of 16 bytes each

__device__ int warp_sum(int value) {
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta);
    return value;
}

/* The sum over the block in thread 0. */
__device__ int block_sum(int value) {
    __shared__ int sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    value = warp_sum(value);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0);
    return value;
}

__global__ void __launch_bounds__(SUM_BLOCK)
    sum_kernel(const int *in, size_t n, size_t head, int *sum) {
    const size_t tile = (size_t)SUM_BLOCK * QUADS * 4, n_tiles = (n - head) / tile;
    int mine = 0;

    // None of the loads of a turn waits for another: all are sent before an addition needs one.
    for (size_t i = blockIdx.x; i < n_tiles; i += gridDim.x) {
        const int4 *from = (const int4 *)(in + head + i * tile) + threadIdx.x;
        int4 quads[QUADS];
#pragma unroll
        for (unsigned k = 0; k < QUADS; k++)
            quads[k] = from[k * SUM_BLOCK];
#pragma unroll
        for (unsigned k = 0; k < QUADS; k++)
            mine += (quads[k].x + quads[k].y) + (quads[k].z + quads[k].w);
    }

    // Less than a tile, and the ints before the first address that is a multiple of 16 bytes.
    if (blockIdx.x == n_tiles % gridDim.x) {
        for (size_t i = head + n_tiles * tile + threadIdx.x; i < n; i += SUM_BLOCK)
            mine += in[i];
        if (threadIdx.x < head)
            mine += in[threadIdx.x];
    }

    mine = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine); // one a block
}
// END TODO(1)

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    // TODO(1): *sum holds anything when the call starts; n may be 0 (about 15 lines)
    int device = 0, n_multiprocessors = 0, resident = 0;
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);

    if (error != cudaSuccess || n == 0)
        return error;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n_multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sum_kernel, SUM_BLOCK, 0);

    // As many blocks as the device holds at once, or fewer where n has fewer tiles.
    size_t head = (16 - (size_t)in % 16) % 16 / sizeof *in;
    size_t tile = (size_t)SUM_BLOCK * QUADS * 4, tiles = (n + tile - 1) / tile;
    size_t most = (size_t)n_multiprocessors * resident;
    sum_kernel<<<(unsigned)(tiles < most ? tiles : most), SUM_BLOCK>>>(in, n, head < n ? head : n,
                                                                      sum);
    return cudaGetLastError();
    // END TODO(1)
}

// TODO(2): the kernel of the scan, and what it is made of (about 150 lines)
enum { SCAN_BLOCK = 512, ITEMS = 32, VECS = ITEMS / 4, TILE = SCAN_BLOCK * ITEMS };

/* A word tells of a tile: what is known (the upper 32 bits), and the sum (the lower 32). */
enum { NOTHING, OF_TILE, OF_ALL };

__device__ unsigned long long make_word(unsigned status, int sum) {
    return (unsigned long long)status << 32 | (unsigned)sum;
}

__device__ unsigned status_of(unsigned long long word) {
    return (unsigned)(word >> 32);
}

/* The block's number in the order in which blocks start. */
__device__ unsigned take_ticket(unsigned *ticket) {
    __shared__ unsigned mine;

    if (threadIdx.x == 0)
        mine = atomicAdd(ticket, 1);
    __syncthreads();
    return mine;
}

/* The first of the four ints that are items[vec] of this thread. A warp has neighbouring ints. */
__device__ size_t first_of(size_t tile, int vec) {
    return tile * TILE + (threadIdx.x / 32 * VECS + vec) * 128 + threadIdx.x % 32 * 4;
}

/* True where four ints can be moved at once: the tile is full, the array begins at a multiple of 16
 * bytes. */
__device__ bool by_fours(const void *array, size_t n, size_t tile) {
    return (size_t)array % 16 == 0 && (tile + 1) * TILE <= n;
}

__device__ void load_tile(const int *in, size_t n, size_t tile, int4 items[VECS]) {
    bool fours = by_fours(in, n, tile);

#pragma unroll
    for (int k = 0; k < VECS; k++) {
        size_t i = first_of(tile, k);

        if (fours)
            items[k] = __ldcs((const int4 *)(in + i));
        else
            items[k] = make_int4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
                                 i + 2 < n ? in[i + 2] : 0, i + 3 < n ? in[i + 3] : 0);
    }
}

__device__ void store_tile(int *out, size_t n, size_t tile, int before, const int4 items[VECS]) {
    bool fours = by_fours(out, n, tile);

#pragma unroll
    for (int k = 0; k < VECS; k++) {
        size_t i = first_of(tile, k);
        int sums[4] = {before + items[k].x, before + items[k].y, before + items[k].z,
                       before + items[k].w};

        if (fours)
            __stcs((int4 *)(out + i), make_int4(sums[0], sums[1], sums[2], sums[3]));
        else
            for (int j = 0; j < 4; j++)
                if (i + j < n)
                    out[i + j] = sums[j];
    }
}

/* The inclusive scan of a value over the lanes of a warp. */
__device__ int warp_scan(int value) {
    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL_LANES, value, d);
        if (threadIdx.x % 32 >= d)
            value += left;
    }
    return value;
}

/* Scans the tile by itself, in place. Each thread gets the tile's total. One barrier. */
__device__ int scan_tile(int4 items[VECS]) {
    // A warp turns its ints round in shared memory, so that each lane has ITEMS neighbours, a
    // quarter of the warp's ints at a time; a word is left out after every 32.
    __shared__ int tile[SCAN_BLOCK / 32][256 + 8];
    __shared__ int totals[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int *mine = tile[warp], carry = 0;

    for (int part = 0; part < VECS / 2; part++) {
        int own[8], sum = 0;

#pragma unroll
        for (int k = 0; k < 2; k++) {
            const int4 four = items[2 * part + k];
            const int words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int j = 0; j < 4; j++) {
                int at = k * 128 + lane * 4 + j;
                mine[at + at / 32] = words[j];
            }
        }
        __syncwarp();
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int at = lane * 8 + j;
            own[j] = sum += mine[at + at / 32];
        }
        int up_to = warp_scan(sum);
        int before = carry + up_to - sum;
        carry += __shfl_sync(ALL_LANES, up_to, 31);
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int at = lane * 8 + j;
            mine[at + at / 32] = before + own[j];
        }
        __syncwarp();
#pragma unroll
        for (int k = 0; k < 2; k++) {
            int at = k * 128 + lane * 4;
            const int *four = mine + at + at / 32;
            items[2 * part + k] = make_int4(four[0], four[1], four[2], four[3]);
        }
        __syncwarp();
    }
    if (lane == 0)
        totals[warp] = carry;
    __syncthreads();
    int up_to = warp_scan(lane < SCAN_BLOCK / 32 ? totals[lane] : 0);
    int more = __shfl_sync(ALL_LANES, up_to, warp) - carry;
#pragma unroll
    for (int k = 0; k < VECS; k++)
        items[k] = make_int4(items[k].x + more, items[k].y + more, items[k].z + more,
                             items[k].w + more);
    return __shfl_sync(ALL_LANES, up_to, 31);
}

/* What comes before the tile. All lanes of one warp call it; each gets the sum. */
__device__ int look_back(volatile unsigned long long *words, unsigned tile, int total) {
    unsigned lane = threadIdx.x % 32;
    int before = 0;

    if (lane == 0)
        words[tile] = make_word(tile == 0 ? OF_ALL : OF_TILE, total);
    if (tile == 0)
        return 0;
    __nanosleep(400); // who looks before there is anything takes the others' turns at the memory

    // Lane 0 has the nearest tile, lane 31 the one furthest away; then the 32 before them.
    for (long long at = (long long)tile - 1 - lane;; at -= 32) {
        unsigned long long word;
        unsigned whole;

        for (;;) {
            word = at >= 0 ? words[at] : make_word(OF_ALL, 0); // nothing comes before the first
            unsigned empty = __ballot_sync(ALL_LANES, status_of(word) == NOTHING);
            whole = __ballot_sync(ALL_LANES, status_of(word) == OF_ALL);
            // Nearer than the nearest whole sum, none may be missing.
            if ((empty & (whole != 0 ? (whole & -whole) - 1 : ALL_LANES)) == 0)
                break;
            __nanosleep(200);
        }
        unsigned last = whole != 0 ? __ffs(whole) - 1 : 31;
        int sum = lane <= last ? (int)(unsigned)word : 0;
        for (unsigned d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(ALL_LANES, sum, d);
        before += sum;
        if (whole != 0)
            break;
    }
    if (lane == 0)
        words[tile] = make_word(OF_ALL, before + total);
    return before;
}

__global__ void __launch_bounds__(SCAN_BLOCK)
    scan_kernel(const int *in, size_t n, unsigned long long *state, int *out) {
    __shared__ int shared_before;
    unsigned tile = take_ticket((unsigned *)state);
    int4 items[VECS];

    load_tile(in, n, tile, items);
    int total = scan_tile(items); // needs nobody: only then it is time to wait
    if (threadIdx.x < 32) {
        int before = look_back(state + 1, tile, total);
        if (threadIdx.x == 0)
            shared_before = before;
    }
    __syncthreads();
    store_tile(out, n, tile, shared_before, items);
}
// END TODO(2)

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    // TODO(2): scratch holds anything when the call starts; n may be 0 (about 8 lines)
    size_t tiles = n / TILE + (n % TILE > 0);

    if (tiles == 0)
        return cudaSuccess;
    cudaError_t error = cudaMemsetAsync(scratch, 0, (tiles + 1) * sizeof *scratch);
    if (error != cudaSuccess)
        return error;
    scan_kernel<<<(unsigned)tiles, SCAN_BLOCK>>>(in, n, scratch, out);
    return cudaGetLastError();
    // END TODO(2)
}
