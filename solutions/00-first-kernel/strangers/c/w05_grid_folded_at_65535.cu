// Wrong: the grid is folded into rows of 65,535 blocks, the limit of very old GPUs; from 65,536 blocks on more blocks are launched than n needs.
// Kind: launch grid
#include "first_kernel.h"

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t which = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
    size_t i = which * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n + block - 1) / block;
    if (blocks > 2147483647u)
        return cudaErrorInvalidConfiguration;
    const unsigned row = 65535u; // most blocks in a direction
    dim3 grid((unsigned)(blocks < row ? blocks : row), (unsigned)((blocks + row - 1) / row));
    scale_kernel<<<grid, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

static cudaError_t first_of(cudaError_t a, cudaError_t b) { return a != cudaSuccess ? a : b; }

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    if (n == 0)
        return cudaSuccess;
    int *x = nullptr, *y = nullptr;
    cudaError_t e = cudaMalloc(&x, n * sizeof(int));
    e = first_of(e, e ? e : cudaMalloc(&y, n * sizeof(int)));
    e = first_of(e, e ? e : cudaMemcpy(x, in, n * sizeof(int), cudaMemcpyHostToDevice));
    e = first_of(e, e ? e : scale(x, n, factor, 256, y));
    e = first_of(e, e ? e : cudaMemcpy(out, y, n * sizeof(int), cudaMemcpyDeviceToHost));
    e = first_of(e, cudaFree(x));
    e = first_of(e, cudaFree(y));
    if (e)
        cudaGetLastError();
    return e;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = (blockIdx.x << 5) | threadIdx.x;
    unsigned y = (blockIdx.y << 3) | threadIdx.y;
    if (y < height) {
        in = (const int *)((const char *)in + pitch * y);
        out = (int *)((char *)out + pitch * y);
        if (x < width)
            out[x] = 255 - in[x];
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width == 0 || height == 0)
        return cudaSuccess;
    negative_kernel<<<dim3((width + 31) >> 5, (height + 7) >> 3), dim3(32, 8)>>>(in, width, height,
                                                                               pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n != 0) {
        scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
}
