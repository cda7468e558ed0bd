// Wrong: the loop goes on while the pointer is not equal to the end, but with a stride it steps over the end; threads run out of bounds.
// Kind: loop bound
#include "first_kernel.h"

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    const int *end = in + n;
    size_t skip = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    in += skip;
    out += skip;
    if (in < end)
        *out = *in * factor;
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    size_t blocks = n / block;
    if (blocks * block < n)
        blocks++;
    if (blocks > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    scale_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    if (n == 0)
        return cudaSuccess;
    int *first = NULL, *second = NULL;
    cudaError_t error = cudaMalloc(&first, sizeof(int) * n);
    if (!error) {
        error = cudaMalloc(&second, sizeof(int) * n);
        if (!error) {
            error = cudaMemcpy(first, in, sizeof(int) * n, cudaMemcpyHostToDevice);
            if (!error)
                error = scale(first, n, factor, 256, second);
            if (!error)
                error = cudaMemcpy(out, second, sizeof(int) * n, cudaMemcpyDeviceToHost);
            cudaFree(second);
        }
        cudaFree(first);
    }
    cudaGetLastError();
    return error;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    size_t bytes = y * pitch;
    in = (const int *)((const char *)in + bytes) + x;
    out = (int *)((char *)out + bytes) + x;
    *out = 255 - *in;
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (!width || !height)
        return cudaSuccess;
    dim3 grid;
    grid.x = (width + 31) / 32;
    grid.y = (height + 7) / 8;
    negative_kernel<<<grid, dim3(32, 8)>>>(in, width, height, pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    const int *end = in + n;
    size_t skip = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    if (skip >= n)
        return;
    int *to = out + skip;
    for (const int *from = in + skip; from != end; from += step) {
        *to = *from * factor;
        to += step;
    }
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
