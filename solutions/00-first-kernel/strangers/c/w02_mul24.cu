// Wrong: __mul24 from an old tutorial multiplies only the lower 24 bits of each number; products of larger ints are wrong.
// Kind: type bits
#include "first_kernel.h"

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

namespace {

/* "Integer products are slow on the GPU, use the fast intrinsic." */
__device__ __forceinline__ int times(int a, int b) {
    return __mul24(a, b);
}

__device__ __forceinline__ size_t my_number() {
    return blockIdx.x * (size_t)blockDim.x + threadIdx.x;
}

inline bool nothing(size_t a, size_t b = 1) { return a == 0 || b == 0; }

} // namespace

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    const size_t i = my_number();
    if (i >= n)
        return;
    out[i] = times(factor, in[i]);
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (nothing(n))
        return cudaSuccess;
    const size_t blocks = n / block + (n % block != 0);
    if (blocks > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    scale_kernel<<<(unsigned)blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    if (nothing(n))
        return cudaSuccess;
    const size_t bytes = n * sizeof *in;
    int *both = nullptr;
    cudaError_t error = cudaMalloc(&both, 2 * bytes);
    if (error == cudaSuccess) {
        error = cudaMemcpy(both, in, bytes, cudaMemcpyHostToDevice);
        if (error == cudaSuccess)
            error = scale(both, n, factor, 256, both + n);
        if (error == cudaSuccess)
            error = cudaMemcpy(out, both + n, bytes, cudaMemcpyDeviceToHost);
        cudaFree(both);
    }
    if (error != cudaSuccess)
        cudaGetLastError();
    return error;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    const unsigned x = threadIdx.x + blockIdx.x * 32;
    const unsigned y = threadIdx.y + blockIdx.y * 8;
    if (x >= width || y >= height)
        return;
    const size_t at = y * pitch + x * sizeof(int);
    *(int *)((char *)out + at) = 255 - *(const int *)((const char *)in + at);
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (nothing(width, height))
        return cudaSuccess;
    negative_kernel<<<dim3((width - 1) / 32 + 1, (height - 1) / 8 + 1), dim3(32, 8)>>>(
        in, width, height, pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    for (size_t i = my_number(); i < n; i += gridDim.x * (size_t)blockDim.x)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (nothing(n))
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
