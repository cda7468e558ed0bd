// Wrong: the kernel is declared with __launch_bounds__(256), since scale_on_host uses 256; launches of scale in blocks of 257 to 1024 threads, which are allowed, are refused.
// Kind: launch block
#include "first_kernel.h"

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

template <typename Work> struct Shape {
    static __device__ size_t first() { return size_t(blockIdx.x) * blockDim.x + threadIdx.x; }
    static __device__ size_t stride() { return size_t(gridDim.x) * blockDim.x; }
};

__global__ void __launch_bounds__(256)
scale_kernel(const int *in, size_t n, int factor, int *out) {
    if (size_t i = Shape<int>::first(); i < n)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    if (size_t blocks = (n + block - 1) / block; blocks <= 0x7fffffffu)
        scale_kernel<<<unsigned(blocks), block>>>(in, n, factor, out);
    else
        return cudaErrorInvalidConfiguration;
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    if (n == 0)
        return cudaSuccess;
    int *d[2] = {nullptr, nullptr};
    const size_t bytes = n * sizeof(int);
    cudaError_t status = cudaSuccess;
    for (int k = 0; k < 2 && status == cudaSuccess; k++)
        status = cudaMalloc(&d[k], bytes);
    if (!status)
        status = cudaMemcpy(d[0], in, bytes, cudaMemcpyHostToDevice);
    if (!status)
        status = scale(d[0], n, factor, 256, d[1]);
    if (!status)
        status = cudaMemcpy(out, d[1], bytes, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 2; k++)
        cudaFree(d[k]);
    if (status)
        cudaGetLastError();
    return status;
}

__global__ void __launch_bounds__(256)
negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch, int *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        auto row = [=](const void *p) { return (int *)((char *)p + size_t(y) * pitch); };
        row(out)[x] = 255 - row(in)[x];
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (!width || !height)
        return cudaSuccess;
    auto up = [](unsigned a, unsigned b) { return a / b + (a % b ? 1 : 0); };
    negative_kernel<<<dim3(up(width, 32), up(height, 8)), dim3(32, 8)>>>(in, width, height, pitch,
                                                                         out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    for (size_t i = Shape<int>::first(), s = Shape<int>::stride(); i < n; i += s)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
