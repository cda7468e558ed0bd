/* Every warp adds up by shuffles, which are the next lab's; no tree is left. */
#define OWN_SUM_HALVING_KERNEL
#include "rest.cuh"

__device__ int add_up(int sum) {
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    return sum;
}

__global__ void sum_halving_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x, width = blockDim.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;
    int sum = gid < n ? in[gid] : 0;

    if (blockDim.x % 32 == 0) {
        sum = add_up(sum);
        if (t % 32 == 0)
            tile[t / 32] = sum;
        width = blockDim.x / 32;
    } else {
        tile[t] = sum;
    }
    __syncthreads();
    while (width > 1) {
        unsigned stride = (width + 1) / 2;
        if (t + stride < width)
            tile[t] += tile[t + stride];
        __syncthreads();
        width = stride;
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
