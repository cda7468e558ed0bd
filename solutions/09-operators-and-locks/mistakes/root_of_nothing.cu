/* The moments of no numbers are not thought of. */
#define OWN_DEVIATION
#include "rest.cuh"

__device__ double deviation_of(struct moments all) {
    return sqrt(all.m2 / all.n);
}
