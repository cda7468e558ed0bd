// Wrong: a row is taken to end where its gap ends, so the gaps between the rows are inverted and written, too, as far as blocks reach.
// Kind: bound gap write
#include "first_kernel.h"

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    const size_t t = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (t < n) *(out + t) = *(in + t) * factor;
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0) return cudaSuccess;
    const size_t need = 1 + (n - 1) / block;
    if (need > 2147483647) return cudaErrorInvalidConfiguration;
    scale_kernel<<<unsigned(need), block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    if (n == 0) return cudaSuccess;
    struct Pair {
        int *p = nullptr, *q = nullptr;
        ~Pair() { cudaFree(p); cudaFree(q); cudaGetLastError(); }
    } d;
    const size_t bytes = n * sizeof(int);
    cudaError_t e;
    (e = cudaMalloc(&d.p, bytes)) || (e = cudaMalloc(&d.q, bytes)) ||
        (e = cudaMemcpy(d.p, in, bytes, cudaMemcpyHostToDevice)) ||
        (e = scale(d.p, n, factor, 256, d.q)) ||
        (e = cudaMemcpy(out, d.q, bytes, cudaMemcpyDeviceToHost));
    return e;
}

/* A picture with its own ideas about rows. */
struct Picture {
    char *base;
    size_t pitch;
    unsigned width, height;
    __device__ bool has(unsigned x, unsigned y) const { return x < pitch / sizeof(int) && y < height; }
    __device__ int &at(unsigned x, unsigned y) const { return ((int *)(base + y * pitch))[x]; }
};

__global__ void negative_kernel(Picture from, Picture to) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (to.has(x, y)) to.at(x, y) = 255 - from.at(x, y);
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width == 0 || height == 0) return cudaSuccess;
    Picture from = {(char *)in, pitch, width, height}, to = {(char *)out, pitch, width, height};
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    negative_kernel<<<grid, block>>>(from, to);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    const size_t t = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    for (size_t k = t; k < n; k += size_t(gridDim.x) * blockDim.x) *(out + k) = *(in + k) * factor;
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0) return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
