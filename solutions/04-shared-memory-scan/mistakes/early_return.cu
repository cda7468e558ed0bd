/* Threads without an int leave before the block is scanned. */
#define OWN_SCAN_TILES_KERNEL
#include "rest.cuh"

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (gid >= n)
        return;
    int own = in[gid];
    int sum = scan_block(own, temp);

    if (gid < n)
        out[gid] = exclusive ? sum - own : sum;
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}
