/* Each thread loads words of its own column: neighbours in x have rows of bt of their own. */
#define OWN_TRANSPOSED_KERNEL
#include "rest.cuh"

template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][ROW];
    unsigned x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * EDGE + y, column = blockIdx.x * EDGE + x;
    float sum = 0;

    for (size_t first = 0; first < k; first += EDGE) {
        tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        tile_b[y][x] = column < n && first + y < k ? bt[column * k + first + y] : 0;
        __syncthreads();

        for (unsigned i = 0; i < EDGE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
