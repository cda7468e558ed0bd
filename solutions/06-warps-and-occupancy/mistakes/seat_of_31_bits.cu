/* The first seat of a block is an int, which is too short for those behind 2^31. */
#define OWN_SEAT_KERNEL
#include "rest.cuh"

__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    int number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int n_warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    int first = (int)blockIdx.x * n_warps * 32;

    x[first + number] = (int)threadIdx.x;
    y[first + number] = (int)threadIdx.y;
    z[first + number] = (int)threadIdx.z;
}
