// Wrong: "is there a pixel" is asked of the unsigned product width * height, which wraps to 0 for 65,536 x 65,536 (or 2^20 x 4,096) pixels; such a picture is left as it is, with cudaSuccess.
// Kind: type overflow
#include "first_kernel.h"

extern "C" const int predicted_blocks = -1;
extern "C" const int predicted_idle_threads = -1;
extern "C" const int predicted_picture_blocks = -1;
extern "C" const int predicted_numbers_of_a_thread = -1;

__device__ static inline bool my_index(size_t n, size_t &i) {
    i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    return i < n;
}

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i;
    if (my_index(n, i))
        out[i] = factor * in[i];
}

static cudaError_t check_launch(void) {
    return cudaGetLastError();
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n + block - 1) / block;
    if (blocks > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    scale_kernel<<<dim3((unsigned)blocks), dim3(block)>>>(in, n, factor, out);
    return check_launch();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    cudaError_t e;
    int *from, *to;
    if (n == 0)
        return cudaSuccess;
    if ((e = cudaMalloc(&from, n * sizeof *from)) != cudaSuccess)
        goto forget;
    if ((e = cudaMalloc(&to, n * sizeof *to)) != cudaSuccess)
        goto free_from;
    if ((e = cudaMemcpy(from, in, n * sizeof *in, cudaMemcpyHostToDevice)) != cudaSuccess)
        goto free_both;
    if ((e = scale(from, n, factor, 256, to)) != cudaSuccess)
        goto free_both;
    e = cudaMemcpy(out, to, n * sizeof *out, cudaMemcpyDeviceToHost);
free_both:
    cudaFree(to);
free_from:
    cudaFree(from);
forget:
    cudaGetLastError();
    return e;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x < width && y < height) {
        size_t byte = (size_t)y * pitch + (size_t)x * sizeof(int);
        int p = *(const int *)((const char *)in + byte);
        *(int *)((char *)out + byte) = 255 - p;
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width * height == 0)
        return cudaSuccess;
    negative_kernel<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(in, width, height,
                                                                              pitch, out);
    return check_launch();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i;
    for (bool more = my_index(n, i); more; more = (i += (size_t)gridDim.x * blockDim.x) < n)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return check_launch();
}
