/* As many blocks as whole ones fit; they go round, so that the rest is done, too. */
#include "given.cuh"

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
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t first = (size_t)blockIdx.x * blockDim.x; first < n; first += stride) {
        size_t i = first + warp / 2 * 64 + 2 * lane + warp % 2;

        if (i >= n)
            continue;
        out[i] = warp % 2 == 0 ? mix_even(in[i]) : mix_odd(in[i]);
    }
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    size_t tiles = n == 0 ? 0 : n < block ? 1 : n / block;

    if (tiles == 0)
        return cudaSuccess;
    mix_by_warps_kernel<<<(unsigned)tiles, block>>>(in, n, out);
    return cudaGetLastError();
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    unsigned fit = sm->max_threads / 32 / ((block->threads + 31) / 32);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    unsigned units = (32 * block->registers + sm->register_unit - 1) / sm->register_unit;
    unsigned of_a_part = sm->registers / sm->register_parts / (units * sm->register_unit);
    unsigned fit = of_a_part * sm->register_parts / ((block->threads + 31) / 32);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    unsigned bytes = block->shared_bytes + sm->shared_reserved;

    bytes = (bytes + sm->shared_unit - 1) / sm->shared_unit * sm->shared_unit;
    *blocks = sm->max_blocks;
    if (bytes > 0 && sm->shared_bytes / bytes < sm->max_blocks)
        *blocks = sm->shared_bytes / bytes;
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
