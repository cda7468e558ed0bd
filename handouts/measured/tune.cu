/*
 * Times variants of two model answers, for their authors to choose from: lab 03's sum of a grid, by
 * loads under way, block and grid; lab 04's scan, by rows of a tile and by phases. Beside them the
 * device's copy and CUB. Each time is the median of 15, with the caches flushed before each run;
 * each result is checked. Prints tables in Markdown. Exit code 1 where a result is wrong.
 *
 *   tune [A B C]      n = 2^A, 2^B and 2^C, A at least 15 and C the largest; 22, 24, 28 if not
 * given
 */
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "timing.cuh"

#define ALL_LANES 0xffffffffu

static int n_wrong, n_multiprocessors;

/* Buffers of the largest size, and what the runs share. */
static float *floats, *sum;
static int *ints, *out, *right_out, *scratch;
static unsigned *n_differ;
static void *spare, *flush;
static size_t spare_bytes, flush_bytes = 256 << 20;

/* Median in milliseconds of 15 runs, caches cold. */
template <typename Run> static double median_ms(Run run) {
    float ms[15];

    for (int i = -2; i < 15; i++) {
        const float now = cold_ms(flush, flush_bytes, [&] { must(run()); });
        if (i >= 0)
            ms[i] = now;
    }
    std::sort(ms, ms + 15);
    return ms[7];
}

static double gbps(double bytes, double ms) {
    return bytes / ms * 1e-6;
}

/* Whole numbers, even and odd in turns, with either sign: their sums are exact. */
__global__ void fill_kernel(float *f, int *i, size_t n) {
    for (size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x; at < n;
         at += (size_t)gridDim.x * blockDim.x) {
        unsigned x = (unsigned)at * 0x9e3779b9u;
        x = (x ^ x >> 16) * 0x7feb352du;
        x = (x ^ x >> 15) * 0x846ca68bu;
        f[at] = (float)((int)(x >> 28) * 2 + 1 + (int)(at & 1)) * ((x & 1) != 0 ? 1.0f : -1.0f);
        i[at] = (int)x >> 12;
    }
}

__global__ void compare_kernel(const int *a, const int *b, size_t n, unsigned *differ) {
    for (size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x; at < n;
         at += (size_t)gridDim.x * blockDim.x)
        if (a[at] != b[at])
            atomicAdd(differ, 1u);
}

/* --- the sum of a grid ------------------------------------------------------------------------ */

static __device__ float warp_sum(float value) {
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta);
    return value;
}

static __device__ float block_sum(float value) {
    __shared__ float sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    value = warp_sum(value);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = warp_sum(lane < n_warps ? sums[lane] : 0);
    return value;
}

/* n is a multiple of the tile. STREAM: loads that the caches need not keep. */
template <int QUADS, bool STREAM>
__global__ void sum_kernel(const float *in, size_t n, float *sum) {
    const size_t tile = (size_t)blockDim.x * QUADS * 4, n_tiles = n / tile;
    float mine = 0;

    for (size_t i = blockIdx.x; i < n_tiles; i += gridDim.x) {
        const float4 *from = (const float4 *)(in + i * tile) + threadIdx.x;
        float4 quads[QUADS];
#pragma unroll
        for (unsigned k = 0; k < QUADS; k++)
            quads[k] = STREAM ? __ldcs(from + k * blockDim.x) : from[k * blockDim.x];
#pragma unroll
        for (unsigned k = 0; k < QUADS; k++)
            mine += (quads[k].x + quads[k].y) + (quads[k].z + quads[k].w);
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}

/* Grid of `factor` times what the device holds; 0: a block for each tile. */
template <int QUADS, bool STREAM>
static cudaError_t sum_grid(size_t n, unsigned block, unsigned factor, bool clear) {
    size_t tiles = n / ((size_t)block * QUADS * 4), most = tiles;
    int resident = 0;

    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sum_kernel<QUADS, STREAM>, block, 0);
    if (factor > 0)
        most = (size_t)resident * n_multiprocessors * factor;
    if (clear)
        cudaMemsetAsync(sum, 0, sizeof *sum);
    sum_kernel<QUADS, STREAM><<<(unsigned)std::min(tiles, most), block>>>(floats, n, sum);
    return cudaGetLastError();
}

/* One row: each size's bandwidth, and its share of the copy's. */
template <int QUADS, bool STREAM>
static void sum_row(const size_t sizes[3], const double copy[3], const float right[3],
                    unsigned block, unsigned factor, bool clear) {
    printf("| %d%s | %u | %s%s |", QUADS, STREAM ? ", streamed" : "", block,
           factor == 0   ? "tiles"
           : factor == 1 ? "1"
           : factor == 2 ? "2"
                         : "4",
           clear ? "" : ", not cleared");
    for (int s = 0; s < 3; s++) {
        double ms =
            median_ms([&] { return sum_grid<QUADS, STREAM>(sizes[s], block, factor, clear); });
        double speed = gbps(4.0 * sizes[s], ms);
        float got;

        must(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
        bool ok = !clear || got == right[s];
        n_wrong += !ok;
        printf(" %.4f | %.0f | %.1f%%%s |", ms, speed, 100 * speed / copy[s], ok ? "" : " WRONG");
    }
    printf("\n");
}

template <int QUADS>
static void sum_rows(const size_t sizes[3], const double copy[3], const float right[3]) {
    static const unsigned blocks[] = {256, 512, 1024}, factors[] = {1, 2, 4, 0};

    for (unsigned block : blocks)
        for (unsigned factor : factors)
            sum_row<QUADS, false>(sizes, copy, right, block, factor, true);
}

/* --- the scan of any length ------------------------------------------------------------------- */

/* Hillis and Steele's steps on ROWS numbers a thread at once: as many barriers as for one.
 * UNROLLED: each step by itself, so that the distances are constants. */
template <int ROWS, bool UNROLLED> static __device__ void scan_rows(int values[ROWS], int *temp) {
    unsigned t = threadIdx.x;

#pragma unroll
    for (int r = 0; r < ROWS; r++)
        temp[r * blockDim.x + t] = values[r];
    __syncthreads();
#pragma unroll(UNROLLED ? 10 : 1)
    for (unsigned d = 1; d < 1024 && d < blockDim.x; d *= 2) {
        int left[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            left[r] = t >= d ? temp[r * blockDim.x + t - d] : 0;
        __syncthreads();
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            temp[r * blockDim.x + t] = values[r] += left[r];
        __syncthreads();
    }
}

/* A tile is ROWS rows of blockDim.x quads. n is a multiple of the tile, or less than one. */
template <int ROWS, bool UNROLLED>
__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals,
                                  const int *offsets) {
    extern __shared__ int temp[];
    size_t first = (size_t)blockIdx.x * blockDim.x * ROWS * 4;
    int items[ROWS][4], own[ROWS], sums[ROWS];

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        size_t at = first + ((size_t)r * blockDim.x + threadIdx.x) * 4;

        if (at + 4 <= n) {
            int4 quad = *(const int4 *)(in + at);
            items[r][0] = quad.x, items[r][1] = quad.y, items[r][2] = quad.z, items[r][3] = quad.w;
        } else {
            for (int i = 0; i < 4; i++)
                items[r][i] = at + i < n ? in[at + i] : 0;
        }
    }
    for (int r = 0; r < ROWS; r++)
        own[r] = sums[r] = items[r][0] + items[r][1] + items[r][2] + items[r][3];
    scan_rows<ROWS, UNROLLED>(sums, temp);

    int base = offsets != nullptr ? offsets[blockIdx.x] : 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        size_t at = first + ((size_t)r * blockDim.x + threadIdx.x) * 4;
        int before = base + sums[r] - own[r];

        for (int i = 0; i < 4; i++) {
            int up_to = before + items[r][i];
            items[r][i] = exclusive ? before : up_to;
            before = up_to;
        }
        if (at + 4 <= n)
            *(int4 *)(out + at) = make_int4(items[r][0], items[r][1], items[r][2], items[r][3]);
        else
            for (int i = 0; i < 4; i++)
                if (at + i < n)
                    out[at + i] = items[r][i];
        base += temp[r * blockDim.x + blockDim.x - 1];
    }
    if (totals != nullptr && threadIdx.x == 0)
        totals[blockIdx.x] = base;
}

/* REVERSED: the tile stored last, which the L2 cache still holds, comes first. */
template <int ROWS, bool REVERSED>
__global__ void add_offsets_kernel(int *out, const int *offsets) {
    size_t tile = REVERSED ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    int4 *to = (int4 *)(out + tile * blockDim.x * ROWS * 4) + threadIdx.x, quads[ROWS];
    int offset = offsets[tile];

#pragma unroll
    for (int r = 0; r < ROWS; r++)
        quads[r] = to[r * blockDim.x];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        quads[r].x += offset, quads[r].y += offset, quads[r].z += offset, quads[r].w += offset;
        to[r * blockDim.x] = quads[r];
    }
}

template <int ROWS> __global__ void sum_tiles_kernel(const int *in, int *totals) {
    __shared__ int sums[32];
    const int4 *from = (const int4 *)(in + (size_t)blockIdx.x * blockDim.x * ROWS * 4);
    int mine = 0;

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        int4 quad = from[r * blockDim.x + threadIdx.x];
        mine += (quad.x + quad.y) + (quad.z + quad.w);
    }
    for (unsigned delta = 16; delta > 0; delta /= 2)
        mine += __shfl_down_sync(ALL_LANES, mine, delta);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
        for (unsigned delta = 16; delta > 0; delta /= 2)
            mine += __shfl_down_sync(ALL_LANES, mine, delta);
        if (threadIdx.x == 0)
            totals[blockIdx.x] = mine;
    }
}

/* Any n: for totals. */
__global__ void add_any_kernel(int *out, size_t n, const int *offsets, size_t tile) {
    for (size_t i = blockIdx.x * tile + threadIdx.x; i < n && i < (blockIdx.x + 1) * tile;
         i += blockDim.x)
        out[i] += offsets[blockIdx.x];
}

static void scan_totals(int *totals, size_t n, unsigned block, int *rest) {
    size_t tile = (size_t)block * 4, tiles = (n + tile - 1) / tile, bytes = block * sizeof(int);

    scan_tiles_kernel<1, false><<<(unsigned)tiles, block, bytes>>>(
        totals, n, true, totals, tiles > 1 ? rest : nullptr, nullptr);
    if (tiles > 1) {
        scan_totals(rest, tiles, block, rest + (tiles + 3) / 4 * 4);
        add_any_kernel<<<(unsigned)tiles, block>>>(totals, n, rest, tile);
    }
}

enum scheme { PROPAGATE, PROPAGATE_REVERSED, REDUCE_FIRST };

template <int ROWS, bool UNROLLED> static cudaError_t scan(size_t n, unsigned block, scheme how) {
    size_t tiles = n / ((size_t)block * ROWS * 4), bytes = block * ROWS * sizeof(int);
    int *rest = scratch + (tiles + 3) / 4 * 4;
    unsigned grid = (unsigned)tiles;

    if (how == REDUCE_FIRST)
        sum_tiles_kernel<ROWS><<<grid, block>>>(ints, scratch);
    else
        scan_tiles_kernel<ROWS, UNROLLED>
            <<<grid, block, bytes>>>(ints, n, false, out, scratch, nullptr);
    scan_totals(scratch, tiles, block, rest);
    if (how == REDUCE_FIRST)
        scan_tiles_kernel<ROWS, UNROLLED>
            <<<grid, block, bytes>>>(ints, n, false, out, nullptr, scratch);
    else if (how == PROPAGATE)
        add_offsets_kernel<ROWS, false><<<grid, block>>>(out, scratch);
    else
        add_offsets_kernel<ROWS, true><<<grid, block>>>(out, scratch);
    return cudaGetLastError();
}

template <int ROWS, bool UNROLLED>
static void scan_row(const size_t sizes[3], const double copy[3], unsigned block, scheme how) {
    static const char *const names[] = {"scan, add", "scan, add reversed", "sum, scan"};

    printf("| %s%s | %d | %u |", names[how], UNROLLED ? ", unrolled" : "", ROWS, block);
    for (int s = 0; s < 3; s++) {
        unsigned differ = 0;

        must(cub::DeviceScan::InclusiveSum(spare, spare_bytes, ints, right_out, sizes[s]));
        must(cudaMemset(out, 0x55, 4 * sizes[s]));
        double ms = median_ms([&] { return scan<ROWS, UNROLLED>(sizes[s], block, how); });
        double speed = gbps(8.0 * sizes[s], ms);

        must(cudaMemset(n_differ, 0, sizeof differ));
        compare_kernel<<<1024, 256>>>(out, right_out, sizes[s], n_differ);
        must(cudaMemcpy(&differ, n_differ, sizeof differ, cudaMemcpyDeviceToHost));
        n_wrong += differ > 0;
        printf(" %.4f | %.0f | %.1f%%%s |", ms, speed, 100 * speed / copy[s],
               differ > 0 ? " WRONG" : "");
    }
    printf("\n");
}

template <int ROWS, bool UNROLLED>
static void scan_some(const size_t sizes[3], const double copy[3]) {
    static const unsigned blocks[] = {128, 256, 512, 1024};
    static const scheme schemes[] = {PROPAGATE, PROPAGATE_REVERSED, REDUCE_FIRST};

    for (unsigned block : blocks)
        for (scheme how : schemes)
            scan_row<ROWS, UNROLLED>(sizes, copy, block, how);
}

static void heading(const char *title, const char *columns, const int powers[3]) {
    printf("\n## %s\n\n| %s |", title, columns);
    for (int s = 0; s < 3; s++)
        printf(" ms at 2^%d | GB/s | of the copy |", powers[s]);
    printf("\n|");
    for (int i = 0; i < 12; i++)
        printf("---|");
    printf("\n");
}

int main(int argc, char **argv) {
    int powers[3] = {22, 24, 28};
    size_t sizes[3];

    for (int s = 0; s < 3; s++) {
        if (argc == 4)
            powers[s] = atoi(argv[s + 1]);
        sizes[s] = (size_t)1 << powers[s];
    }
    const size_t most = sizes[2];
    double copy[3], ms[3];
    float right[3];
    cudaDeviceProp device;
    size_t need = 0;

    flush_bytes = std::min(flush_bytes, 4 * most);
    must(cudaGetDeviceProperties(&device, 0));
    n_multiprocessors = device.multiProcessorCount;
    must(cudaMalloc(&floats, 4 * most));
    must(cudaMalloc(&ints, 4 * most));
    must(cudaMalloc(&out, 4 * most));
    must(cudaMalloc(&right_out, 4 * most));
    must(cudaMalloc(&scratch, most));
    must(cudaMalloc(&flush, flush_bytes));
    must(cudaMalloc(&sum, sizeof *sum));
    must(cudaMalloc(&n_differ, sizeof *n_differ));
    must(cub::DeviceScan::InclusiveSum(nullptr, spare_bytes, ints, out, most));
    must(cub::DeviceReduce::Sum(nullptr, need, floats, sum, most));
    spare_bytes = std::max(spare_bytes, need);
    must(cudaMalloc(&spare, spare_bytes));
    fill_kernel<<<2048, 256>>>(floats, ints, most);

    printf("%s, %d multiprocessors, CUDA %d.%d\n", device.name, n_multiprocessors,
           CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    printf("An empty call takes %.4f ms, a memset of 4 bytes %.4f ms.\n",
           median_ms([] { return cudaSuccess; }),
           median_ms([] { return cudaMemsetAsync(sum, 0, sizeof *sum); }));
    for (int s = 0; s < 3; s++) {
        double took = median_ms(
            [&] { return cudaMemcpyAsync(out, ints, 4 * sizes[s], cudaMemcpyDeviceToDevice); });

        copy[s] = gbps(8.0 * sizes[s], took);
        printf("The copy at %zu: %.4f ms, %.0f GB/s.\n", sizes[s], took, copy[s]);
    }

    heading("Sum of a grid", "loads of 16 bytes | block | grid (times what the device holds)",
            powers);
    printf("| CUB | | |");
    for (int s = 0; s < 3; s++) {
        ms[s] = median_ms(
            [&] { return cub::DeviceReduce::Sum(spare, spare_bytes, floats, sum, sizes[s]); });
        must(cudaMemcpy(&right[s], sum, sizeof right[s], cudaMemcpyDeviceToHost));
        printf(" %.4f | %.0f | %.1f%% |", ms[s], gbps(4.0 * sizes[s], ms[s]),
               100 * gbps(4.0 * sizes[s], ms[s]) / copy[s]);
    }
    printf("\n");
    sum_rows<1>(sizes, copy, right);
    sum_rows<2>(sizes, copy, right);
    sum_rows<4>(sizes, copy, right);
    sum_rows<8>(sizes, copy, right);
    sum_row<4, true>(sizes, copy, right, 512, 1, true);
    sum_row<4, false>(sizes, copy, right, 512, 1, false);

    heading("Scan", "phases | rows of a tile | block", powers);
    printf("| CUB | | |");
    for (int s = 0; s < 3; s++) {
        ms[s] = median_ms(
            [&] { return cub::DeviceScan::InclusiveSum(spare, spare_bytes, ints, out, sizes[s]); });
        printf(" %.4f | %.0f | %.1f%% |", ms[s], gbps(8.0 * sizes[s], ms[s]),
               100 * gbps(8.0 * sizes[s], ms[s]) / copy[s]);
    }
    printf("\n");
    scan_some<1, false>(sizes, copy);
    scan_some<1, true>(sizes, copy);
    scan_some<2, false>(sizes, copy);
    scan_some<2, true>(sizes, copy);
    scan_some<4, false>(sizes, copy);
    scan_some<4, true>(sizes, copy);
    return n_wrong > 0;
}
