/* The index is computed in 32 bits. */
#define OWN_SCAN_WARPS_KERNEL
#include "rest.cuh"

__global__ void scan_warps_kernel(const int *in, size_t n, int *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    int sum = warp_scan(i < n ? in[i] : 0);
    if (i < n)
        out[i] = sum;
}
