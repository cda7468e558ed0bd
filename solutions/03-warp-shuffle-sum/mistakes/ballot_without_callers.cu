/* The mask names the lanes that have an element, but the others shuffle, too. */
#define OWN_SUM_WARPS_ALL_KERNEL
#include "rest.cuh"

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = __ballot_sync(ALL_LANES, i < n);
    float sum = i < n ? in[i] : 0;

    for (unsigned bit = 1; bit < 32; bit *= 2)
        sum += __shfl_xor_sync(mask, sum, bit);
    if (i < n)
        out[i] = sum;
}
