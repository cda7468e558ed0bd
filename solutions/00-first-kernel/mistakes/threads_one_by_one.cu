/* One thread does all the work. */
#define OWN_SCALE_KERNEL
#define OWN_SCALE
#include "rest.cuh"

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i == 0)
        for (; i < n; i++)
            out[i] = factor * in[i];
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess; // a grid of no blocks is refused
    scale_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, factor, out);
    return cudaGetLastError();
}
