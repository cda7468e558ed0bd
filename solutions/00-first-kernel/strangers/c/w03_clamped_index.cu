// Wrong: the index is clamped to n - 1 as at the edge of an image, so every thread without a number computes and stores the last number again, where it must do nothing.
// Kind: bound index
#include "first_kernel.h"

extern "C" const int predicted_blocks = -1;
extern "C" const int predicted_idle_threads = -1;
extern "C" const int predicted_picture_blocks = -1;
extern "C" const int predicted_numbers_of_a_thread = -1;

static const unsigned TILE_X = 32, TILE_Y = 8;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t gid = threadIdx.x;
    gid += (size_t)blockDim.x * blockIdx.x;
    if (gid > n - 1) gid = n - 1; // clamp to edge
    out[gid] = in[gid] * factor;
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (!n)
        return cudaSuccess;
    size_t groups = (n - 1) / block + 1;
    if (groups >> 31)
        return cudaErrorInvalidConfiguration;
    scale_kernel<<<(unsigned)groups, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    if (!n)
        return cudaSuccess;
    int *src = 0, *dst = 0;
    cudaError_t err;
    do {
        if ((err = cudaMalloc(&src, n * 4)) != cudaSuccess) break;
        if ((err = cudaMalloc(&dst, n * 4)) != cudaSuccess) break;
        if ((err = cudaMemcpy(src, in, n * 4, cudaMemcpyHostToDevice)) != cudaSuccess) break;
        if ((err = scale(src, n, factor, 256, dst)) != cudaSuccess) break;
        err = cudaMemcpy(out, dst, n * 4, cudaMemcpyDeviceToHost);
    } while (0);
    cudaFree(dst);
    cudaFree(src);
    (void)cudaGetLastError();
    return err;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned col = blockIdx.x * TILE_X + threadIdx.x;
    unsigned row = blockIdx.y * TILE_Y + threadIdx.y;
    if (col < width and row < height) {
        size_t ints = pitch / sizeof(int);
        out[row * ints + col] = 255 - in[row * ints + col];
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (!width or !height)
        return cudaSuccess;
    dim3 local(TILE_X, TILE_Y, 1);
    dim3 global((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, 1);
    negative_kernel<<<global, local>>>(in, width, height, pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t gid = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    const size_t global_size = (size_t)blockDim.x * gridDim.x;
    while (gid < n) {
        out[gid] = in[gid] * factor;
        gid += global_size;
    }
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (!n)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
