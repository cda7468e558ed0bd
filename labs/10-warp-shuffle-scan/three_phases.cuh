/*
 * What lab 04 had you write: the three phases of a scan of any length, and the loads and stores of
 * several neighbouring ints. Given: this lab is about what happens within a block.
 */
#ifndef THREE_PHASES_CUH
#define THREE_PHASES_CUH

#include "warp_scan.h"

/* Whole warps. The device refuses more than 1,024 threads. */
static inline bool is_block(unsigned block) {
    return block > 0 && block % 32 == 0;
}

/* in[first] and the ITEMS - 1 ints behind it; 0 for those behind the end, which changes no sum.
 * Four at once are one load of 16 bytes, where the address is a multiple of 16. */
template <int ITEMS>
static __device__ void load_items(const int *in, size_t n, size_t first, int items[ITEMS]) {
    if (ITEMS == 4 && first + ITEMS <= n && (size_t)in % sizeof(int4) == 0) {
        int4 four = *(const int4 *)(in + first);
        items[0] = four.x, items[1] = four.y, items[2] = four.z, items[3] = four.w;
    } else {
        for (int i = 0; i < ITEMS; i++)
            items[i] = first + i < n ? in[first + i] : 0;
    }
}

/* The same the other way; nothing is stored behind the end. */
template <int ITEMS>
static __device__ void store_items(int *out, size_t n, size_t first, const int items[ITEMS]) {
    if (ITEMS == 4 && first + ITEMS <= n && (size_t)out % sizeof(int4) == 0) {
        *(int4 *)(out + first) = make_int4(items[0], items[1], items[2], items[3]);
    } else {
        for (int i = 0; i < ITEMS; i++)
            if (first + i < n)
                out[first + i] = items[i];
    }
}

/* Yours (TODO 3). Launches `tiles` blocks, each of which scans its tile of `in`, and stores the
 * tile's total to totals[its number], where totals is not NULL. out may be in; tiles may be 0. */
static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals);

/* Adds offsets[blockIdx.x] to each int of the block's tile, which has blockDim.x * ITEMS of them.
 */
template <int ITEMS> __global__ void add_offsets_kernel(int *out, size_t n, const int *offsets) {
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int items[ITEMS], offset = offsets[blockIdx.x];

    load_items<ITEMS>(out, n, first, items);
    for (int i = 0; i < ITEMS; i++)
        items[i] += offset;
    store_items<ITEMS>(out, n, first, items);
}

/* Scans tiles of block * ITEMS ints, then their totals, then adds to each tile what comes before
 * it. Each level of totals has its place in scratch behind the one before. */
template <int ITEMS>
static cudaError_t three_phases(const int *in, size_t n, unsigned block, bool exclusive,
                                int *scratch, int *out) {
    size_t tile = (size_t)block * ITEMS, tiles = n / tile + (n % tile > 0);
    int *totals = tiles > 1 ? scratch : NULL;
    cudaError_t error = scan_tiles(in, n, block, tiles, exclusive, out, totals);

    if (error != cudaSuccess || tiles <= 1)
        return error;
    error = three_phases<ITEMS>(totals, tiles, block, true, scratch + tiles, totals);
    if (error != cudaSuccess)
        return error;
    add_offsets_kernel<ITEMS><<<(unsigned)tiles, block>>>(out, n, totals);
    return cudaGetLastError();
}

#endif
