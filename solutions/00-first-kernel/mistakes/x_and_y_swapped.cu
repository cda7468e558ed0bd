/* Pixel (x, y) is looked for in row x. */
#define OWN_NEGATIVE_KERNEL
#include "rest.cuh"

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height) {
        const int *in_row = (const int *)((const char *)in + x * pitch);
        int *out_row = (int *)((char *)out + x * pitch);
        out_row[y] = 255 - in_row[y];
    }
}
