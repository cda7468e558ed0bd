/* Nobody waits for anybody. */
#define OWN_DIVERGENT_KERNEL
#include "rest.cuh"

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? in[gid] : 0;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0)
            tile[t] += tile[t + stride];
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
