/* A block's seats begin behind the threads, not the warps, of the blocks before. */
#define OWN_SEAT_KERNEL
#include "rest.cuh"

__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    size_t seat = (size_t)blockIdx.x * blockDim.x * blockDim.y * blockDim.z + number;

    x[seat] = (int)threadIdx.x;
    y[seat] = (int)threadIdx.y;
    z[seat] = (int)threadIdx.z;
}
