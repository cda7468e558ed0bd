/* Thread 0 adds up what the others have put into shared memory: right, and 511 threads look on. */
#define OWN_BLOCK_SUM
#include "rest.cuh"

__device__ float block_sum(float value) {
    __shared__ float tile[1024];

    tile[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned i = 1; i < blockDim.x; i++)
            value += tile[i];
    return value;
}
