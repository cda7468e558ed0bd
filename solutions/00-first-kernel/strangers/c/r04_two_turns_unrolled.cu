// Right: the strided loop is unrolled by two with the loads before the stores; the host program uses managed memory, filled and emptied by cudaMemcpy.
#include "first_kernel.h"

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

template <int UNROLL>
__device__ void multiply(const int *in, size_t n, int factor, int *out, size_t first, size_t step) {
    for (size_t i = first; i < n; i += UNROLL * step) {
        int v[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            v[k] = i + k * step < n ? in[i + k * step] : 0;
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            if (i + k * step < n)
                out[i + k * step] = factor * v[k];
    }
}

__global__ void one_each(const int *in, size_t n, int factor, int *out) {
    multiply<1>(in, n, factor, out, (size_t)blockIdx.x * blockDim.x + threadIdx.x,
                (size_t)gridDim.x * blockDim.x);
}

__global__ void many_each(const int *in, size_t n, int factor, int *out) {
    multiply<2>(in, n, factor, out, (size_t)blockIdx.x * blockDim.x + threadIdx.x,
                (size_t)gridDim.x * blockDim.x);
}

__global__ void inverse(const char *in, unsigned width, unsigned height, size_t pitch, char *out) {
    unsigned pixel[2] = {blockIdx.x * 32 + threadIdx.x, blockIdx.y * 8 + threadIdx.y};
    if (pixel[0] < width && pixel[1] < height) {
        size_t at = pixel[1] * pitch + pixel[0] * sizeof(int);
        *(int *)(out + at) = 255 - *(const int *)(in + at);
    }
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n + block - 1) / block;
    if (blocks > 2147483647)
        return cudaErrorInvalidConfiguration;
    one_each<<<(unsigned)blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    if (n == 0)
        return cudaSuccess;
    int *m = nullptr;
    cudaError_t e = cudaMallocManaged((void **)&m, 2 * n * sizeof(int), cudaMemAttachGlobal);
    if (!e)
        e = cudaMemcpy(m + n, in, n * sizeof(int), cudaMemcpyDefault);
    if (!e)
        e = scale(m + n, n, factor, 256, m);
    if (!e)
        e = cudaMemcpy(out, m, n * sizeof(int), cudaMemcpyDefault);
    cudaError_t f = cudaFree(m);
    cudaGetLastError();
    return e ? e : f;
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width && height) {
        dim3 grid((width + 31) / 32, (height + 7) / 8);
        inverse<<<grid, dim3(32, 8)>>>((const char *)in, width, height, pitch, (char *)out);
        return cudaGetLastError();
    }
    return cudaSuccess;
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    many_each<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
