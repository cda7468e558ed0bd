/* All blocks have 16 × 16 threads, whatever was asked for. */
#define OWN_NAIVE
#include "rest.cuh"

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
    naive_kernel<<<grid, block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}
