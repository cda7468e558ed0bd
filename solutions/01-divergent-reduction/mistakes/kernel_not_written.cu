/* The launches are there, the kernel is not. */
#define OWN_SUM_DIVERGENT_KERNEL
#include "rest.cuh"

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
}
