// Wrong: the status is a static variable that remembers the first error; after one refused call every later call of scale_on_host fails, too.
// Kind: static state error
#include "first_kernel.h"
#include <stdint.h>

extern "C" const int predicted_blocks = -1;
extern "C" const int predicted_idle_threads = -1;
extern "C" const int predicted_picture_blocks = -1;
extern "C" const int predicted_numbers_of_a_thread = -1;

#define STEP(call) do { if (status == cudaSuccess) status = (call); } while (0)

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    const size_t mine = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (mine < n) { out[mine] = in[mine] * factor; }
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n < 1) { return cudaSuccess; }
    size_t full = n / block;
    size_t rest = n - full * block;
    size_t blocks = full + (rest > 0 ? 1 : 0);
    if (blocks > size_t(INT32_MAX)) { return cudaErrorInvalidConfiguration; }
    scale_kernel<<<static_cast<unsigned>(blocks), block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    static cudaError_t status = cudaSuccess;
    int *d_in = nullptr;
    int *d_out = nullptr;
    if (n == 0) { return cudaSuccess; }
    STEP(cudaMalloc(&d_in, n * sizeof(int)));
    STEP(cudaMalloc(&d_out, n * sizeof(int)));
    STEP(cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice));
    STEP(scale(d_in, n, factor, 256, d_out));
    STEP(cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    cudaFree(d_in);
    cudaFree(d_out);
    cudaGetLastError();
    return status;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    const unsigned x = blockDim.x * blockIdx.x + threadIdx.x;
    const unsigned y = blockDim.y * blockIdx.y + threadIdx.y;
    const bool inside = x < width && y < height;
    if (inside) {
        const size_t k = size_t(y) * (pitch / sizeof(int)) + x;
        out[k] = 255 - in[k];
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width == 0 || height == 0) { return cudaSuccess; }
    const dim3 block{32, 8, 1};
    const dim3 grid{(width + block.x - 1) / block.x, (height + block.y - 1) / block.y, 1};
    negative_kernel<<<grid, block>>>(in, width, height, pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t mine = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    const size_t everybody = gridDim.x * size_t(blockDim.x);
    for (; mine < n; mine += everybody) { out[mine] = in[mine] * factor; }
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0) { return cudaSuccess; }
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
