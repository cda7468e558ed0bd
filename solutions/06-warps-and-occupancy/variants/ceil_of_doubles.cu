/* Quotients are rounded up by ceil. */
#include "given.cuh"

#include <math.h>

__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned warp = number / 32, lane = number % 32;
    unsigned n_warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    size_t seat = ((size_t)blockIdx.x * n_warps + warp) * 32 + lane;

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
    unsigned half = blockDim.x / 2, side = threadIdx.x / half; // half: whole warps
    size_t i = (size_t)blockIdx.x * blockDim.x + 2 * (threadIdx.x % half) + side;

    if (i < n) {
        if (side == 0)
            out[i] = mix_even(in[i]);
        else
            out[i] = mix_odd(in[i]);
    }
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
    double warps = ceil(block->threads / 32.0);

    *blocks = (unsigned)fmin(floor(sm->max_threads / 32 / warps), sm->max_blocks);
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    double of_a_warp = ceil(32.0 * block->registers / sm->register_unit) * sm->register_unit;
    double warps = floor(sm->registers / sm->register_parts / of_a_warp) * sm->register_parts;

    *blocks = (unsigned)fmin(floor(warps / ceil(block->threads / 32.0)), sm->max_blocks);
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    double wanted = (double)block->shared_bytes + sm->shared_reserved;
    double bytes = ceil(wanted / sm->shared_unit) * sm->shared_unit;

    /* x / 0.0 is infinite, and the least of it and max_blocks is max_blocks */
    *blocks = (unsigned)fmin(floor(sm->shared_bytes / bytes), sm->max_blocks);
    return cudaSuccess;
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    unsigned limits[3];

    blocks_by_threads(sm, block, &limits[0]);
    blocks_by_registers(sm, block, &limits[1]);
    blocks_by_shared(sm, block, &limits[2]);
    *blocks = (unsigned)fmin(fmin(limits[0], limits[1]), limits[2]);
    *warps = (unsigned)(*blocks * ceil(block->threads / 32.0));
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
