/* Both tiles are read along their rows. */
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
        tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
        __syncthreads();

        for (unsigned i = 0; i < EDGE; i++)
            sum += tile_a[y][i] * tile_b[x][i];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
