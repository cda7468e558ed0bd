// Wrong: scale_on_host works in chunks, and copies a full chunk into the device also for the last, shorter one; it reads host memory behind in[n - 1].
// Kind: bound tail
#include "first_kernel.h"

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = blockIdx.x;
    i = i * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * factor;
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    const unsigned long long blocks = (n + block - 1ull) / block;
    if (blocks >= 1ull << 31)
        return cudaErrorInvalidConfiguration;
    scale_kernel<<<(unsigned)blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

/* The device may be smaller than the host: a fixed buffer, filled as often as needed. */
extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    const size_t CHUNK = 1 << 12;
    int *buffer, *result;
    if (n == 0)
        return cudaSuccess;
    cudaError_t error = cudaMalloc(&buffer, 2 * CHUNK * sizeof(int));
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    result = buffer + CHUNK;
    for (size_t done = 0; done < n; done += CHUNK) {
        size_t now = n - done < CHUNK ? n - done : CHUNK;
        error = cudaMemcpy(buffer, in + done, CHUNK * sizeof(int), cudaMemcpyHostToDevice);
        if (error != cudaSuccess)
            break;
        error = scale(buffer, now, factor, 256, result);
        if (error != cudaSuccess)
            break;
        error = cudaMemcpy(out + done, result, now * sizeof(int), cudaMemcpyDeviceToHost);
        if (error != cudaSuccess)
            break;
    }
    cudaFree(buffer);
    cudaGetLastError();
    return error;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width) return;
    if (y >= height) return;
    const char *row = (const char *)in + y * pitch;
    int p = ((const int *)row)[x];
    ((int *)((char *)out + y * pitch))[x] = 255 - p;
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    dim3 block(32, 8), grid(width / 32 + (width % 32 != 0), height / 8 + (height % 8 != 0));
    if (grid.x == 0 || grid.y == 0)
        return cudaSuccess;
    negative_kernel<<<grid, block>>>(in, width, height, pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = blockIdx.x;
    i = i * blockDim.x + threadIdx.x;
    size_t step = gridDim.x;
    step *= blockDim.x;
    for (; i < n; i += step)
        out[i] = in[i] * factor;
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
