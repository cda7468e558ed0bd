/* product_tiled reads from global memory, as product_naive does. */
#define OWN_TILED_KERNEL
#include "rest.cuh"

template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    unsigned x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * EDGE + y, column = blockIdx.x * EDGE + x;
    float sum = 0;

    for (size_t i = 0; i < k && row < m && column < n; i++)
        sum += a[row * k + i] * b[i * n + column];
    if (row < m && column < n)
        c[row * n + column] = sum;
}
