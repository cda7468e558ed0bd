// Wrong: the event that the host waits for is recorded before the launch; the host may copy out of managed memory while the kernel still runs.
// Kind: stream host
#include "first_kernel.h"
#include <string.h>

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = threadIdx.x + blockIdx.x * (size_t)blockDim.x;
    if (i < n)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n + block - 1) / block;
    if (blocks > 0x7fffffffu)
        return cudaErrorInvalidConfiguration;
    scale_kernel<<<(unsigned)blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    if (n == 0)
        return cudaSuccess;
    int *u = NULL;
    cudaEvent_t ready = NULL;
    cudaError_t e = cudaMallocManaged((void **)&u, 2 * n * sizeof(int), cudaMemAttachGlobal);
    if (e != cudaSuccess)
        goto end;
    e = cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    if (e != cudaSuccess)
        goto end;
    memcpy(u, in, n * sizeof(int));
    e = cudaEventRecord(ready, 0);
    if (e != cudaSuccess)
        goto end;
    e = scale(u, n, factor, 256, u + n);
    if (e != cudaSuccess)
        goto end;
    e = cudaEventSynchronize(ready);
    if (e == cudaSuccess)
        memcpy(out, u + n, n * sizeof(int));
end:
    if (ready)
        cudaEventDestroy(ready);
    cudaFree(u);
    cudaGetLastError();
    return e;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height) {
        size_t k = (size_t)y * (pitch / 4) + x;
        out[k] = 255 - in[k];
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width == 0 || height == 0)
        return cudaSuccess;
    dim3 grid((width + 31) / 32, (height + 7) / 8), block(32, 8);
    negative_kernel<<<grid, block>>>(in, width, height, pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t total = blockDim.x * (size_t)gridDim.x;
    for (size_t i = threadIdx.x + blockIdx.x * (size_t)blockDim.x; i < n; i += total)
        out[i] = factor * in[i];
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
