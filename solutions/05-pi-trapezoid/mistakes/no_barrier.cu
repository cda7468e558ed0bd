/* No barrier in the sum of a block. */
#define OWN_SUM_BLOCK
#include "rest.cuh"

__device__ double sum_block(double value) {
    extern __shared__ double temp[];
    unsigned t = threadIdx.x;

    temp[t] = value;

    for (unsigned left = blockDim.x; left > 1;) {
        unsigned half = (left + 1) / 2;
        if (t + half < left)
            temp[t] += temp[t + half];
        left = half;
    }
    return temp[0];
}
