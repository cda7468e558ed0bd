/* As many blocks along y as along x: of a matrix that is no square most have nothing to do. */
#define OWN_NAIVE_KERNEL
#define OWN_NAIVE
#include "rest.cuh"

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    size_t row = blockIdx.y * blockDim.y + threadIdx.y;
    size_t column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (row >= m || column >= n)
        return;
    for (size_t i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    if (m == 0 || n == 0)
        return cudaSuccess;
    unsigned longer = m > n ? m : n, blocks = (longer + edge - 1) / edge;
    if (blocks > 65535) // more than a grid may have in y
        blocks = 65535;
    dim3 block(edge, edge), grid((n + edge - 1) / edge, m < n ? blocks : (m + edge - 1) / edge);
    naive_kernel<<<grid, block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}
