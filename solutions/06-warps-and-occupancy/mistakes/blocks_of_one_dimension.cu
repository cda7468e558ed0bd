/* The blocks are launched in one dimension, and x, y and z made of the number. */
#define OWN_SEAT_THREADS
#include "rest.cuh"

__global__ void flat_kernel(unsigned nx, unsigned ny, int *x, int *y, int *z) {
    unsigned t = threadIdx.x;
    size_t seat = (size_t)blockIdx.x * ((blockDim.x + 31) / 32 * 32) + t;

    x[seat] = (int)(t % nx);
    y[seat] = (int)(t / nx % ny);
    z[seat] = (int)(t / nx / ny);
}

extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z) {
    if (blocks == 0)
        return cudaSuccess;
    flat_kernel<<<blocks, nx * ny * nz>>>(nx, ny, x, y, z);
    return cudaGetLastError();
}
