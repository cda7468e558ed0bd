/* Each thread has a stretch of neighbouring numbers. */
#define OWN_STRIDED_KERNEL
#include "rest.cuh"

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t n_threads = (size_t)gridDim.x * blockDim.x;
    size_t each = (n + n_threads - 1) / n_threads;
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * each;

    for (size_t i = first; i < first + each && i < n; i++)
        out[i] = factor * in[i];
}
