/* Words of a tile that lie outside of the matrix stay as they were. */
#define OWN_TILED_KERNEL
#include "rest.cuh"

template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][EDGE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * EDGE + y, column = blockIdx.x * EDGE + x;
    float sum = 0;

    for (size_t first = 0; first < k; first += EDGE) {
        if (row < m && first + x < k)
            tile_a[y][x] = a[row * k + first + x];
        if (first + y < k && column < n)
            tile_b[y][x] = b[(first + y) * n + column];
        __syncthreads();

        for (unsigned i = 0; i < EDGE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
