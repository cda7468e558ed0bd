/* The index of a tile is computed in 32 bits. */
#define OWN_SUM_KERNEL
#include "rest.cuh"

__global__ void __launch_bounds__(SUM_BLOCK)
    sum_kernel(const int *in, size_t n, size_t head, int *sum) {
    const size_t tile = (size_t)SUM_BLOCK * QUADS * 4, n_tiles = (n - head) / tile;
    int mine = 0;
    for (unsigned i = blockIdx.x; i < n_tiles; i += gridDim.x) {
        const int4 *from = (const int4 *)(in + head + (int)(i * (unsigned)tile)) + threadIdx.x;
        int4 quads[QUADS];
#pragma unroll
        for (unsigned k = 0; k < QUADS; k++)
            quads[k] = from[k * SUM_BLOCK];
#pragma unroll
        for (unsigned k = 0; k < QUADS; k++)
            mine += (quads[k].x + quads[k].y) + (quads[k].z + quads[k].w);
    }
    if (blockIdx.x == n_tiles % gridDim.x) {
        for (size_t i = head + n_tiles * tile + threadIdx.x; i < n; i += SUM_BLOCK)
            mine += in[i];
        if (threadIdx.x < head)
            mine += in[threadIdx.x];
    }

    mine = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}
