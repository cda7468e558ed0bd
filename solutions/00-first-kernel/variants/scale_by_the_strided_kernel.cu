/* The loop serves both: with as many threads as numbers it goes round once. */
#include "first_kernel.h"

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess; // a grid of no blocks is refused
    return scale_strided(in, n, factor, block, (unsigned)((n + block - 1) / block), out);
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    size_t bytes = n * sizeof(int);
    int *device_in = NULL, *device_out = NULL;

    if (n == 0)
        return cudaSuccess;
    cudaError_t error = cudaMalloc(&device_in, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc(&device_out, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = scale(device_in, n, factor, 256, device_out);
    if (error == cudaSuccess) // this copy waits for the kernel
        error = cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device_in); // NULL is nothing to it
    cudaFree(device_out);
    return error;
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height) {
        const int *in_row = (const int *)((const char *)in + y * pitch);
        int *out_row = (int *)((char *)out + y * pitch);
        out_row[x] = 255 - in_row[x];
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);

    if (width == 0 || height == 0)
        return cudaSuccess;
    negative_kernel<<<grid, block>>>(in, width, height, pitch, out);
    return cudaGetLastError();
}

/* out[i] = factor * in[i], for every i that belongs to this thread. */
__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
