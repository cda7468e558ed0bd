/* In product_blocked the next tiles are loaded while others still read. */
#define OWN_BLOCKED_KERNEL
#include "rest.cuh"

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    __shared__ float tile_a[SIDE][STEP], tile_b[STEP][SIDE];
    unsigned x = threadIdx.x, y = threadIdx.y, t = y * THREADS + x;
    size_t first_row = (size_t)blockIdx.y * SIDE, first_column = (size_t)blockIdx.x * SIDE;
    float sums[RESULTS][RESULTS] = {};

    for (size_t first = 0; first < k; first += STEP) {
        for (unsigned i = t; i < SIDE * STEP; i += THREADS * THREADS) {
            size_t row = first_row + i / STEP, along = first + i % STEP;
            size_t column = first_column + i % SIDE, down = first + i / SIDE;
            tile_a[i / STEP][i % STEP] = row < m && along < k ? a[row * k + along] : 0;
            tile_b[i / SIDE][i % SIDE] = down < k && column < n ? b[down * n + column] : 0;
        }
        __syncthreads();

        for (unsigned l = 0; l < STEP; l++) {
            float of_a[RESULTS], of_b[RESULTS];
            for (unsigned i = 0; i < RESULTS; i++) {
                of_a[i] = tile_a[y + i * THREADS][l];
                of_b[i] = tile_b[l][x + i * THREADS];
            }
            for (unsigned i = 0; i < RESULTS; i++)
                for (unsigned j = 0; j < RESULTS; j++)
                    sums[i][j] += of_a[i] * of_b[j];
        }
    }
    for (unsigned i = 0; i < RESULTS; i++)
        for (unsigned j = 0; j < RESULTS; j++) {
            size_t row = first_row + y + i * THREADS, column = first_column + x + j * THREADS;
            if (row < m && column < n)
                c[row * n + column] = sums[i][j];
        }
}
