/*
 * What lab 10 had you write, for ITEMS ints a thread: a tile is loaded, scanned by itself and stored.
 * Given: this lab is about what happens between blocks. A warp has 32 * ITEMS neighbouring ints, and
 * loads 128 of them at a time, four neighbours a lane: 512 bytes in a row.
 */
#ifndef TILE_CUH
#define TILE_CUH

#include "single_pass.h"

#define ALL_LANES 0xffffffffu

enum { VECS = ITEMS / 4 };

/* Whole warps. The device refuses more than 1,024 threads. */
static inline bool is_block(unsigned block) {
    return block > 0 && block % 32 == 0;
}

/* The first of the four ints that are items[vec] of this thread. */
static __device__ size_t first_of(size_t tile, int vec) {
    size_t warp = tile * (blockDim.x / 32) + threadIdx.x / 32;

    return (warp * VECS + vec) * 128 + threadIdx.x % 32 * 4;
}

/* True where the whole tile lies before the end. */
static __device__ bool is_full(size_t n, size_t tile) {
    return (tile + 1) * blockDim.x * ITEMS <= n;
}

/* Loads the thread's ints of a tile; 0 for those behind the end, which changes no sum. `in` and
 * `out` begin at a multiple of 16 bytes. They are read and written once: no cache need keep them. */
static __device__ void load_tile(const int *in, size_t n, size_t tile, int4 items[VECS]) {
    bool full = is_full(n, tile);

#pragma unroll
    for (int k = 0; k < VECS; k++) {
        size_t i = first_of(tile, k);

        if (full)
            items[k] = __ldcs((const int4 *)(in + i));
        else
            items[k] = make_int4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
                                 i + 2 < n ? in[i + 2] : 0, i + 3 < n ? in[i + 3] : 0);
    }
}

/* Stores the thread's ints, with `before` added to each; nothing behind the end. */
static __device__ void store_tile(int *out, size_t n, size_t tile, int before,
                                  const int4 items[VECS]) {
    bool full = is_full(n, tile);

#pragma unroll
    for (int k = 0; k < VECS; k++) {
        size_t i = first_of(tile, k);
        int4 sums = make_int4(before + items[k].x, before + items[k].y, before + items[k].z,
                              before + items[k].w);

        if (full) {
            __stcs((int4 *)(out + i), sums);
        } else {
            if (i < n)
                out[i] = sums.x;
            if (i + 1 < n)
                out[i + 1] = sums.y;
            if (i + 2 < n)
                out[i + 2] = sums.z;
            if (i + 3 < n)
                out[i + 3] = sums.w;
        }
    }
}

/* Scans the tile by itself, in place, inclusive. Each thread gets the tile's total. All threads of
 * the block call it, once a kernel; one barrier. */
static __device__ int scan_tile(int4 items[VECS]) {
    __shared__ int totals[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;
    int sums[VECS], carry = 0;

#pragma unroll
    for (int k = 0; k < VECS; k++) {
        items[k].y += items[k].x;
        items[k].z += items[k].y;
        items[k].w += items[k].z;
        sums[k] = items[k].w;
    }
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2)
#pragma unroll
        for (int k = 0; k < VECS; k++) { // side by side: none waits for another's shuffle
            int left = __shfl_up_sync(ALL_LANES, sums[k], d);
            if (lane >= d)
                sums[k] += left;
        }
#pragma unroll
    for (int k = 0; k < VECS; k++) {
        int total = __shfl_sync(ALL_LANES, sums[k], 31);
        sums[k] += carry - items[k].w; // what comes before the lane's four in its warp
        carry += total;
    }
    if (lane == 0)
        totals[warp] = carry;
    __syncthreads();

    // Each warp scans the totals for itself: so there is no second barrier.
    int up_to = lane < n_warps ? totals[lane] : 0;
    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL_LANES, up_to, d);
        if (lane >= d)
            up_to += left;
    }
    int before = __shfl_sync(ALL_LANES, up_to, warp) - carry;
#pragma unroll
    for (int k = 0; k < VECS; k++) {
        int more = before + sums[k];
        items[k] = make_int4(items[k].x + more, items[k].y + more, items[k].z + more,
                             items[k].w + more);
    }
    return __shfl_sync(ALL_LANES, up_to, 31);
}

#endif
