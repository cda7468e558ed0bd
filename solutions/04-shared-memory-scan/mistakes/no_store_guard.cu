/* Stores a value for each thread, also behind the end. */
#define OWN_SCAN_TILES_KERNEL
#include "rest.cuh"

__global__ void scan_tiles_kernel(const int *in, size_t n, bool exclusive, int *out, int *totals) {
    extern __shared__ int temp[];
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int own = gid < n ? in[gid] : 0;
    int sum = scan_block(own, temp);

    out[gid] = exclusive ? sum - own : sum;
    if (totals != NULL && threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}
