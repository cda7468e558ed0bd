/* One launch for the even places, one for the odd ones; seats are written one coordinate at a time. */
#include "given.cuh"

__global__ void seat_axis_kernel(int axis, int *seats) {
    const unsigned mine[3] = {threadIdx.x, threadIdx.y, threadIdx.z};
    unsigned number = (mine[2] * blockDim.y + mine[1]) * blockDim.x + mine[0];
    unsigned n_warps = (blockDim.x * blockDim.y * blockDim.z - 1) / 32 + 1;

    seats[((size_t)blockIdx.x * n_warps + number / 32) * 32 + number % 32] = (int)mine[axis];
}

extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z) {
    if (blocks == 0)
        return cudaSuccess;
    for (int axis = 0; axis < 3; axis++) {
        seat_axis_kernel<<<blocks, dim3(nx, ny, nz)>>>(axis, axis == 0 ? x : axis == 1 ? y : z);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

template <bool is_odd>
__global__ void mix_side_kernel(const int *in, size_t n, int *out) {
    size_t i = 2 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x) + is_odd;

    if (i < n)
        out[i] = is_odd ? mix_odd(in[i]) : mix_even(in[i]);
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    size_t evens = (n + 1) / 2, odds = n / 2;

    if (evens > 0)
        mix_side_kernel<false><<<(unsigned)((evens + block - 1) / block), block>>>(in, n, out);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess && odds > 0) {
        mix_side_kernel<true><<<(unsigned)((odds + block - 1) / block), block>>>(in, n, out);
        error = cudaGetLastError();
    }
    return error;
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
