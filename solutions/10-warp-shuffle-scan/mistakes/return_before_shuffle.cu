/* Lanes without an int leave before the shuffles that name them. */
#define OWN_SCAN_WARPS_KERNEL
#include "rest.cuh"

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    out[i] = warp_scan(in[i]);
}
