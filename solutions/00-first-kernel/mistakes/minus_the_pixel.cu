/* The negative is taken to be the negative number. */
#define OWN_NEGATIVE_KERNEL
#include "rest.cuh"

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height) {
        const int *in_row = (const int *)((const char *)in + y * pitch);
        int *out_row = (int *)((char *)out + y * pitch);
        out_row[x] = -in_row[x];
    }
}
