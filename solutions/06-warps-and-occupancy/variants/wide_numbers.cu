/* All numbers have 64 bits. */
#include "given.cuh"

#include <stdint.h>

__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    unsigned long long nx = blockDim.x, ny = blockDim.y, nz = blockDim.z;
    unsigned long long number = threadIdx.z * nx * ny + threadIdx.y * nx + threadIdx.x;
    unsigned long long seat = blockIdx.x * ((nx * ny * nz + 31) / 32 * 32) + number;

    x[seat] = (int)threadIdx.x;
    y[seat] = (int)threadIdx.y;
    z[seat] = (int)threadIdx.z;
}

extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z) {
    if (blocks == 0)
        return cudaSuccess;
    seat_threads_kernel<<<blocks, dim3(nx, ny, nz)>>>(x, y, z);
    return cudaGetLastError();
}

__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    size_t t = threadIdx.x, warp = t / 32, base = (size_t)blockDim.x * blockIdx.x;
    size_t i = base + warp / 2 * 64 + warp % 2 + t % 32 * 2;

    if (i < n)
        out[i] = warp % 2 ? mix_odd(in[i]) : mix_even(in[i]);
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    if (n == 0)
        return cudaSuccess;
    mix_by_warps_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    size_t threads = ((size_t)block->threads + 31) / 32 * 32, fit = sm->max_threads / threads;

    *blocks = (unsigned)(fit > sm->max_blocks ? sm->max_blocks : fit);
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    size_t unit = sm->register_unit, parts = sm->register_parts;
    size_t of_a_warp = ((size_t)block->registers * 32 + unit - 1) / unit * unit;
    size_t warps = sm->registers / parts / of_a_warp * parts;
    size_t fit = warps / (((size_t)block->threads + 31) / 32);

    *blocks = (unsigned)(fit > sm->max_blocks ? sm->max_blocks : fit);
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    size_t unit = sm->shared_unit;
    size_t bytes = ((size_t)block->shared_bytes + sm->shared_reserved + unit - 1) / unit * unit;
    size_t fit = bytes ? sm->shared_bytes / bytes : SIZE_MAX;

    *blocks = (unsigned)(fit > sm->max_blocks ? sm->max_blocks : fit);
    return cudaSuccess;
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    unsigned by_registers, by_shared;

    blocks_by_threads(sm, block, blocks);
    blocks_by_registers(sm, block, &by_registers);
    blocks_by_shared(sm, block, &by_shared);
    if (by_registers < *blocks)
        *blocks = by_registers;
    if (by_shared < *blocks)
        *blocks = by_shared;
    *warps = *blocks * ((block->threads + 31) / 32);
    return cudaSuccess;
}

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    struct multiprocessor sm;
    struct cudaFuncAttributes kernel;
    unsigned warps;
    int blocks = 0;
    cudaError_t error = multiprocessor_here(&sm);

    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&kernel, rotate_kernel);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rotate_kernel, (int)threads,
                                                              dynamic_bytes);
    if (error != cudaSuccess)
        return error;
    struct block block = {threads, (unsigned)kernel.numRegs,
                          (unsigned)(kernel.sharedSizeBytes + dynamic_bytes)};
    *asked = (unsigned)blocks;
    return resident(&sm, &block, computed, &warps);
}
