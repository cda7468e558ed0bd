/* z is numbered fastest, as the last index of a C array is. */
#define OWN_SEAT_KERNEL
#include "rest.cuh"

__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    unsigned number = threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x);
    unsigned n_warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    size_t seat = ((size_t)blockIdx.x * n_warps + number / 32) * 32 + number % 32;

    x[seat] = (int)threadIdx.x;
    y[seat] = (int)threadIdx.y;
    z[seat] = (int)threadIdx.z;
}
