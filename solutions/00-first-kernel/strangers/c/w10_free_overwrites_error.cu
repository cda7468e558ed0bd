// Wrong: the return value of cudaFree overwrites the error of what went before; a refused copy or allocation is reported as success.
// Kind: error
#include "first_kernel.h"

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t idx = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        int value = in[idx];
        out[idx] = value * factor;
    }
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    cudaError_t err = cudaSuccess;
    if (n > 0) {
        size_t gridSize = (n + block - 1) / block;
        if (gridSize > 2147483647ull) {
            err = cudaErrorInvalidConfiguration;
        } else {
            scale_kernel<<<(unsigned)gridSize, block>>>(in, n, factor, out);
            err = cudaGetLastError();
        }
    }
    return err;
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    int *d_in = NULL;
    int *d_out = NULL;
    size_t size = n * sizeof(int);
    cudaError_t err = cudaSuccess;

    if (n == 0)
        return err;

    // Step 1: allocate device memory
    err = cudaMalloc((void **)&d_in, size);
    if (err != cudaSuccess) goto cleanup;
    err = cudaMalloc((void **)&d_out, size);
    if (err != cudaSuccess) goto cleanup;

    // Step 2: copy input, launch, copy output
    err = cudaMemcpy(d_in, in, size, cudaMemcpyHostToDevice);
    if (err != cudaSuccess) goto cleanup;
    err = scale(d_in, n, factor, 256, d_out);
    if (err != cudaSuccess) goto cleanup;
    err = cudaMemcpy(out, d_out, size, cudaMemcpyDeviceToHost);

cleanup:
    // Step 3: free device memory
    err = cudaFree(d_in);
    cudaFree(d_out);
    cudaGetLastError();
    return err;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && col < width) {
        const int *inRow = (const int *)((const char *)in + (size_t)row * pitch);
        int *outRow = (int *)((char *)out + (size_t)row * pitch);
        outRow[col] = 255 - inRow[col];
    }
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width == 0 || height == 0)
        return cudaSuccess;
    dim3 blockSize(32, 8);
    dim3 gridSize((width + blockSize.x - 1) / blockSize.x, (height + blockSize.y - 1) / blockSize.y);
    negative_kernel<<<gridSize, blockSize>>>(in, width, height, pitch, out);
    return cudaGetLastError();
}

__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t idx = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = idx; i < n; i += stride) {
        out[i] = in[i] * factor;
    }
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
