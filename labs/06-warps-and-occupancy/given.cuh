/*
 * What lab 06 gives you: two functions that mix a number's bits, a kernel in which all warps do both
 * of them, a kernel to ask the device about, and what the device's multiprocessors have.
 */
#ifndef GIVEN_CUH
#define GIVEN_CUH

#include "warps.h"

enum { EVEN_ROUNDS = 32, ODD_ROUNDS = 16 };

/* Squares, adds and shifts, round after round (modulo 2^32). */
__device__ inline int mix_even(int number) {
    unsigned bits = (unsigned)number;

    for (int round = 0; round < EVEN_ROUNDS; round++) {
        bits = bits * bits + 0x9e3779b9u;
        bits ^= bits >> 16;
    }
    return (int)bits;
}

/* Shifts and combines (G. Marsaglia's xorshift). */
__device__ inline int mix_odd(int number) {
    unsigned bits = (unsigned)number;

    for (int round = 0; round < ODD_ROUNDS; round++) {
        bits ^= bits << 13;
        bits ^= bits >> 17;
        bits ^= bits << 5;
    }
    return (int)bits;
}

/* Neighbouring lanes have neighbouring numbers, so in each warp 16 lanes do the one and 16 the
 * other. */
__global__ void mix_neighbours_kernel(const int *in, size_t n, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        if (i % 2 == 0)
            out[i] = mix_even(in[i]);
        else
            out[i] = mix_odd(in[i]);
    }
}

/* What mix_by_warps does, in the way that it should not. */
extern "C" cudaError_t mix_neighbours(const int *in, size_t n, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    mix_neighbours_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
}

/* A kernel with 1,000 bytes of static shared memory, and as many registers as nvcc gives it. */
__global__ void rotate_kernel(int *x) {
    __shared__ int words[250];

    words[threadIdx.x % 250] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = words[(threadIdx.x + 1) % 250];
}

/* What a multiprocessor of this device has. The units are NVIDIA's for its compute capability. */
inline cudaError_t multiprocessor_here(struct multiprocessor *sm) {
    struct cudaDeviceProp device;
    int number;
    cudaError_t error = cudaGetDevice(&number);

    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&device, number);
    if (error != cudaSuccess)
        return error;
    sm->max_threads = (unsigned)device.maxThreadsPerMultiProcessor;
    sm->max_blocks = (unsigned)device.maxBlocksPerMultiProcessor;
    sm->registers = (unsigned)device.regsPerMultiprocessor;
    sm->register_parts = 4;
    sm->register_unit = 256;
    sm->shared_bytes = (unsigned)device.sharedMemPerMultiprocessor;
    sm->shared_unit = device.major < 8 ? 256 : 128;
    sm->shared_reserved = (unsigned)device.reservedSharedMemPerBlock;
    return cudaSuccess;
}

#endif
