/* A thread takes ints that lie a block apart, as if they were neighbours. */
#define OWN_SCAN_TILES_KERNEL
#include "rest.cuh"

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    size_t first = (size_t)blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
    int items[ITEMS], own = 0;

    for (int k = 0; k < ITEMS; k++) {
        items[k] = first + k * blockDim.x < n ? in[first + k * blockDim.x] : 0;
        own += items[k];
    }
    int sum = block_scan(own) - own;
    for (int k = 0; k < ITEMS; k++) {
        int up_to = sum + items[k];
        if (first + k * blockDim.x < n)
            out[first + k * blockDim.x] = exclusive ? sum : up_to;
        sum = up_to;
    }
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}
