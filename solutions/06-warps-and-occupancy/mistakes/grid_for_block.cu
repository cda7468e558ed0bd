/* The grid has the shape of the block, and the block as many threads as there are blocks. */
#define OWN_SEAT_THREADS
#include "rest.cuh"

extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z) {
    if (blocks == 0)
        return cudaSuccess;
    seat_threads_kernel<<<dim3(nx, ny, nz), blocks>>>(x, y, z);
    return cudaGetLastError();
}
