/* C++: a class for places, lambdas, and the standard library. */
#include "given.cuh"

#include <algorithm>

struct place {
    unsigned warp, lane;

    __device__ explicit place(const uint3 &thread)
        : warp((thread.x + (thread.y + thread.z * blockDim.y) * blockDim.x) / 32),
          lane((thread.x + (thread.y + thread.z * blockDim.y) * blockDim.x) % 32) {}
};

__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    const place mine(threadIdx);
    const auto warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    const auto seat = (static_cast<size_t>(blockIdx.x) * warps + mine.warp) * 32 + mine.lane;

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
    const auto half = blockDim.x >> 1;
    const bool is_odd = threadIdx.x >= half;
    const size_t i = size_t{blockIdx.x} * blockDim.x + 2 * (threadIdx.x - (is_odd ? half : 0)) + is_odd;
    const auto put = [=](int mixed) { out[i] = mixed; };

    if (i >= n)
        return;
    if (is_odd)
        put(mix_odd(in[i]));
    else
        put(mix_even(in[i]));
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
    const auto warps = [](unsigned threads) { return (threads + 31) / 32; };

    *blocks = std::min(sm->max_blocks, warps(sm->max_threads) / warps(block->threads));
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
    unsigned by[3];

    blocks_by_threads(sm, block, by);
    blocks_by_registers(sm, block, by + 1);
    blocks_by_shared(sm, block, by + 2);
    *blocks = *std::min_element(by, by + 3);
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
