/* Neighbours in x have pixels below one another. */
#define OWN_NEGATIVE_KERNEL
#define OWN_NEGATIVE
#include "rest.cuh"

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned y = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height) {
        const int *in_row = (const int *)((const char *)in + y * pitch);
        int *out_row = (int *)((char *)out + y * pitch);
        out_row[x] = 255 - in_row[x];
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    dim3 block(32, 8), grid((height + 31) / 32, (width + 7) / 8);

    if (width == 0 || height == 0)
        return cudaSuccess;
    negative_kernel<<<grid, block>>>(in, width, height, pitch, out);
    return cudaGetLastError();
}
