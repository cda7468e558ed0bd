/* Only the threads that add wait. */
#define OWN_SUM_BLOCK
#include "rest.cuh"

__device__ double sum_block(double value) {
    extern __shared__ double temp[];
    unsigned t = threadIdx.x;

    temp[t] = value;
    __syncthreads();

    for (unsigned left = blockDim.x; left > 1;) {
        unsigned half = (left + 1) / 2;
        if (t + half < left) {
            temp[t] += temp[t + half];
            __syncthreads();
        }
        left = half;
    }
    return temp[0];
}
