/* The mean first; then all numbers once more, for their distances from it. */
#define OWN_MEAN_DEVIATION
#include "rest.cuh"

__device__ double the_mean;

struct distance_op : moments_op {
    static __device__ value of(element x, size_t) {
        value one = {1, the_mean, (x - the_mean) * (x - the_mean)};
        return one;
    }
    static __device__ value combine(value a, value b) {
        value both = {a.n + b.n, the_mean, a.m2 + b.m2};
        return both;
    }
};

__global__ void keep_mean_kernel(const struct moments *all) {
    the_mean = all->mean;
}

extern "C" cudaError_t mean_deviation(const double *in, size_t n, unsigned block,
                                      struct moments *partials, double *mean, double *deviation) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    struct moments *all = partials + operator_blocks(n, block);
    cudaError_t error = reduce<moments_op>(in, n, block, partials, all);

    if (error != cudaSuccess)
        return error;
    keep_mean_kernel<<<1, 1>>>(all);
    error = cudaGetLastError();
    if (error == cudaSuccess)
        error = reduce<distance_op>(in, n, block, partials, all);
    if (error != cudaSuccess)
        return error;
    store_moments_kernel<<<1, 1>>>(all, mean, deviation);
    return cudaGetLastError();
}
