// Right: threads take the numbers from the end: thread i of the grid has number n - 1 - i, and the strided loop counts down.
#include "first_kernel.h"

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    i = n - 1 - i;
    out[i] = factor * in[i];
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n + block - 1) / block;
    if (blocks > 2147483647)
        return cudaErrorInvalidConfiguration;
    scale_kernel<<<(unsigned)blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

static cudaError_t run(int **d, const int *in, size_t n, int factor, int *out) {
    cudaError_t e = cudaMalloc(d, 2 * n * sizeof(int));
    if (e != cudaSuccess)
        return e;
    e = cudaMemcpyAsync(*d, in, n * sizeof(int), cudaMemcpyHostToDevice, 0);
    if (e != cudaSuccess)
        return e;
    e = scale(*d, n, factor, 256, *d + n);
    if (e != cudaSuccess)
        return e;
    e = cudaMemcpyAsync(out, *d + n, n * sizeof(int), cudaMemcpyDeviceToHost, 0);
    return e != cudaSuccess ? e : cudaStreamSynchronize(0);
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    int *d = NULL;
    cudaError_t e = n == 0 ? cudaSuccess : run(&d, in, n, factor, out);
    cudaFree(d);
    if (e != cudaSuccess)
        cudaGetLastError();
    return e;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    long long x = (long long)width - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
    long long y = (long long)height - 1 - (blockIdx.y * blockDim.y + threadIdx.y);
    if (x < 0 || y < 0)
        return;
    const int *p = (const int *)((const char *)in + y * pitch) + x;
    out[p - in] = 255 - *p;
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width == 0 || height == 0)
        return cudaSuccess;
    negative_kernel<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(in, width, height,
                                                                              pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t before = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    if (before >= n)
        return;
    size_t i = n - 1 - before;
    for (;;) {
        out[i] = factor * in[i];
        if (i < step)
            break;
        i -= step;
    }
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
