/* The pitch is taken for a number of ints. */
#define OWN_NEGATIVE_KERNEL
#include "rest.cuh"

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height) {
        const int *in_row = in + y * pitch;
        int *out_row = out + y * pitch;
        out_row[x] = 255 - in_row[x];
    }
}
