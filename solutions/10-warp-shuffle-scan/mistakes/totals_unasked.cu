/* The total is stored whether there is a place for it or not. */
#define OWN_SCAN_TILES_KERNEL
#include "rest.cuh"

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int items[ITEMS], own = 0;

    load_items<ITEMS>(in, n, first, items);
    for (int i = 0; i < ITEMS; i++)
        own += items[i];

    int sum = block_scan(own) - own;

    for (int i = 0; i < ITEMS; i++) {
        int up_to = sum + items[i];
        items[i] = exclusive ? sum : up_to;
        sum = up_to;
    }
    store_items<ITEMS>(out, n, first, items);
    if (threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}
