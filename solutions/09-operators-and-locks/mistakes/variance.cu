/* The root is missing. */
#define OWN_DEVIATION
#include "rest.cuh"

__device__ double deviation_of(struct moments all) {
    return all.n > 0 ? all.m2 / all.n : 0;
}
