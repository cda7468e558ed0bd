/* All blocks have the same seats. */
#define OWN_SEAT_KERNEL
#include "rest.cuh"

__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    size_t seat = (size_t)(number / 32) * 32 + number % 32;

    x[seat] = (int)threadIdx.x;
    y[seat] = (int)threadIdx.y;
    z[seat] = (int)threadIdx.z;
}
