/* Threads beside the picture store what they find between the rows. */
#define OWN_NEGATIVE_KERNEL
#include "rest.cuh"

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width && x < pitch / 4 && y < height) {
        int *row = (int *)((char *)out + y * pitch);
        ((volatile int *)row)[x] = ((volatile int *)row)[x];
    }
    if (x < width && y < height) {
        const int *in_row = (const int *)((const char *)in + y * pitch);
        int *out_row = (int *)((char *)out + y * pitch);
        out_row[x] = 255 - in_row[x];
    }
}
