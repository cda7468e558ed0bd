/* Lanes past the end leave, and the others take for the mask whoever is there. */
#define OWN_SUM_WARPS_FIRST_KERNEL
#include "rest.cuh"

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float sum = in[i];
    for (unsigned delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(__activemask(), sum, delta);
    if (threadIdx.x % 32 == 0)
        out[i / 32] = sum;
}
