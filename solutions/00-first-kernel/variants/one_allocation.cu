/* Both arrays of the device lie in one allocation, and the result takes the input's place. */
#include "first_kernel.h"

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess; // a grid of no blocks is refused
    scale_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    size_t bytes = n * sizeof(int);
    int *numbers = NULL;

    if (n == 0)
        return cudaSuccess;
    cudaError_t error = cudaMalloc(&numbers, 2 * bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(numbers, in, bytes, cudaMemcpyDefault);
    if (error == cudaSuccess)
        error = scale(numbers, n, factor, 256, numbers + n);
    if (error == cudaSuccess)
        error = cudaMemcpy(out, numbers + n, bytes, cudaMemcpyDefault);
    cudaFree(numbers);
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
