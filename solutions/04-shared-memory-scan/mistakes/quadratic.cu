/* Each thread adds up all that lies before it. */
#define OWN_SCAN_TILES_KERNEL
#include "rest.cuh"

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0, own = gid < n ? in[gid] : 0;

    for (size_t i = gid - threadIdx.x; i <= gid && i < n; i++)
        sum += in[i];
    __syncthreads();
    if (gid < n)
        out[gid] = exclusive ? sum - own : sum;
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}
