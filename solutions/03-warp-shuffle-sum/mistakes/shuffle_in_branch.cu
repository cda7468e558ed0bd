/* The shuffles stand in a branch that lanes past the end do not take. */
#define OWN_SUM_WARPS_FIRST_KERNEL
#include "rest.cuh"

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float sum = warp_sum_first(in[i]);
        if (threadIdx.x % 32 == 0)
            out[i / 32] = sum;
    }
}
