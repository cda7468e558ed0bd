// Wrong: the number of blocks is rounded up in float, whose 24 bits cannot hold n; for n = 2^24 + 1 in blocks of 1 the last number gets no thread.
// Kind: rounding type
#include "first_kernel.h"
#include <math.h>

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    double blocks = ceilf((float)n / block);
    if (blocks > 2147483647.0)
        return cudaErrorInvalidConfiguration;
    scale_kernel<<<(unsigned)blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    int *a = NULL, *b = NULL;
    cudaError_t e;
    if (n == 0)
        return cudaSuccess;
    e = cudaMalloc((void **)&a, n * sizeof(int));
    if (e == cudaSuccess)
        e = cudaMalloc((void **)&b, n * sizeof(int));
    if (e == cudaSuccess)
        e = cudaMemcpy(a, in, n * sizeof(int), cudaMemcpyHostToDevice);
    if (e == cudaSuccess)
        e = scale(a, n, factor, 256, b);
    if (e == cudaSuccess)
        e = cudaMemcpy(out, b, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaGetLastError(); /* nothing stays behind */
    return e;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        const int *from = (const int *)((const char *)in + y * pitch);
        int *to = (int *)((char *)out + y * pitch);
        to[x] = 255 - from[x];
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width == 0 || height == 0)
        return cudaSuccess;
    dim3 block(32, 8);
    dim3 grid((width + 31) / 32, (height + 7) / 8);
    negative_kernel<<<grid, block>>>(in, width, height, pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
