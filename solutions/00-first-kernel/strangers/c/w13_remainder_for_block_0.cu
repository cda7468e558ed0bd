// Wrong: after the full turns, the remainder is given to the threads of block 0 alone; where it has more numbers than a block has threads, the rest of it is not multiplied.
// Kind: bound loop
#include "first_kernel.h"

extern "C" const int predicted_blocks = 4;
extern "C" const int predicted_idle_threads = 24;
extern "C" const int predicted_picture_blocks = 32;
extern "C" const int predicted_numbers_of_a_thread = 4;

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t rank = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (rank < n) out[rank] = factor * in[rank];
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0) return cudaSuccess;
    size_t blocks = (n + block - 1) / block;
    if (blocks > 0x7fffffffULL) return cudaErrorInvalidConfiguration;
    scale_kernel<<<(unsigned)blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    if (n == 0) return cudaSuccess;
    int *sendbuf = nullptr, *recvbuf = nullptr;
    cudaError_t rc = cudaMalloc(&sendbuf, n * sizeof(int));
    if (rc == cudaSuccess) rc = cudaMalloc(&recvbuf, n * sizeof(int));
    if (rc == cudaSuccess) rc = cudaMemcpy(sendbuf, in, n * sizeof(int), cudaMemcpyDefault);
    if (rc == cudaSuccess) rc = scale(sendbuf, n, factor, 256, recvbuf);
    if (rc == cudaSuccess) rc = cudaMemcpy(out, recvbuf, n * sizeof(int), cudaMemcpyDefault);
    cudaFree(recvbuf);
    cudaFree(sendbuf);
    if (rc != cudaSuccess) cudaGetLastError();
    return rc;
}

__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!(x < width && y < height)) return;
    size_t k = y * (pitch / sizeof(int)) + x;
    out[k] = 255 - in[k];
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    if (width == 0 || height == 0) return cudaSuccess;
    dim3 threads(32, 8);
    dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
    negative_kernel<<<blocks, threads>>>(in, width, height, pitch, out);
    return cudaGetLastError();
}

/* rank and size as in MPI: everybody has n / size rounds, a few have one more. */
__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    size_t size = size_t(gridDim.x) * blockDim.x;
    size_t rank = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    size_t rounds = n / size, rest = n % size;
    for (size_t r = 0; r < rounds; r++) {
        size_t i = r * size + rank;
        out[i] = factor * in[i];
    }
    if (blockIdx.x == 0 && threadIdx.x < rest) {
        size_t i = rounds * size + rank;
        out[i] = factor * in[i];
    }
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    if (n == 0) return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
