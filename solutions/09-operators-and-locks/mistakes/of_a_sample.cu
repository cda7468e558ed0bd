/* The deviation of a sample divides by n - 1. */
#define OWN_DEVIATION
#include "rest.cuh"

__device__ double deviation_of(struct moments all) {
    return all.n > 1 ? sqrt(all.m2 / (all.n - 1)) : 0;
}
