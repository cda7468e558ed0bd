/* Every lane stores the warp's sum, its own of it. */
#define OWN_SUM_WARPS_FIRST_KERNEL
#include "rest.cuh"

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    float sum = warp_sum_first(i < n ? in[i] : 0);
    if (i < n)
        out[i / 32] = sum;
}
