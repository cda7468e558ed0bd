/* Full blocks load pairs of ints, which need addresses that are multiples of 8. */
#define OWN_SUM_DIVERGENT_KERNEL
#include "rest.cuh"

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    // Threads past the end bring 0, which changes no sum: every thread of the block stays, so that
    // every thread reaches every barrier, and every word of the tile has been written.
    size_t first = (size_t)blockIdx.x * blockDim.x;
    if (blockDim.x % 64 == 0 && first + blockDim.x <= n) {
        if (t < blockDim.x / 2)
            ((int2 *)tile)[t] = ((const int2 *)(in + first))[t];
    } else
    tile[t] = gid < n ? in[gid] : 0;
    __syncthreads();

    // After the step with stride s, tile[k * 2s] holds the sum of the 2s words from there on.
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {


        if (t % (2 * stride) == 0 && t + stride < blockDim.x)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
