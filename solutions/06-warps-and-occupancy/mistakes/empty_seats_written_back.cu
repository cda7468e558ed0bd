/* The last thread of a block stores what it finds at the seats without a thread. */
#define OWN_SEAT_KERNEL
#include "rest.cuh"

__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned warp = number / 32, lane = number % 32;
    unsigned n_warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    size_t seat = ((size_t)blockIdx.x * n_warps + warp) * 32 + lane;

    unsigned nt = blockDim.x * blockDim.y * blockDim.z;
    if (number == nt - 1)
        for (size_t k = seat + 1; k % 32; k++) { ((volatile int *)x)[k] = ((volatile int *)x)[k]; }
    x[seat] = (int)threadIdx.x;
    y[seat] = (int)threadIdx.y;
    z[seat] = (int)threadIdx.z;
}
