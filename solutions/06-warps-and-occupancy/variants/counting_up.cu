/* Blocks are put on the multiprocessor one by one until one finds no room. */
#include "given.cuh"

__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    unsigned number = 0, n_seats = 32;

    for (unsigned k = 0; k < threadIdx.z; k++)
        number += blockDim.x * blockDim.y;
    for (unsigned j = 0; j < threadIdx.y; j++)
        number += blockDim.x;
    number += threadIdx.x;
    while (n_seats < blockDim.x * blockDim.y * blockDim.z)
        n_seats += 32;
    size_t seat = (size_t)blockIdx.x * n_seats + number;

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
    unsigned warps = 0, n = 0;

    while (n < sm->max_blocks) {
        warps += block->threads / 32 + (block->threads % 32 > 0);
        if (32 * warps > sm->max_threads)
            break;
        n++;
    }
    *blocks = n;
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    unsigned units = 0, warps_of_a_part = 0, warps = 0;

    while (units * sm->register_unit < 32 * block->registers)
        units++;
    for (unsigned left = sm->registers / sm->register_parts; left >= units * sm->register_unit;
         left -= units * sm->register_unit)
        warps_of_a_part++;
    while (32 * warps < block->threads)
        warps++;
    *blocks = 0;
    for (unsigned left = warps_of_a_part * sm->register_parts;
         left >= warps && *blocks < sm->max_blocks; left -= warps)
        ++*blocks;
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    unsigned one = 0, all = 0;

    while (one < block->shared_bytes + sm->shared_reserved)
        one += sm->shared_unit;
    *blocks = 0;
    while (*blocks < sm->max_blocks && all + one <= sm->shared_bytes) {
        all += one;
        ++*blocks;
    }
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
