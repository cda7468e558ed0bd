/* The mask of the sync is that of the lanes which happen to run together. */
#define OWN_SUM_HALVING_KERNEL
#include "rest.cuh"

__global__ void sum_halving_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? in[gid] : 0;
    __syncthreads();

    // `width` words hold sums that are still to be added. Of an odd number, the one in the middle
    // has no partner: it stays where it is, and the first half is the larger one.
    for (unsigned width = blockDim.x; width > 1;) {
        unsigned stride = (width + 1) / 2;
        if (t + stride < width) {
            tile[t] += tile[t + stride];
            if (width <= 32) __syncwarp(__activemask());
        }
        if (width > 32) __syncthreads();
        width = stride;
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
