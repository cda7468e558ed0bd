/* Small functions for what is needed twice. */
#include "given.cuh"

__host__ __device__ inline unsigned divide_up(unsigned number, unsigned by) {
    return (number + by - 1) / by;
}

__host__ __device__ inline unsigned round_up(unsigned number, unsigned to) {
    return divide_up(number, to) * to;
}

__device__ unsigned thread_number(void) {
    return threadIdx.z * blockDim.y * blockDim.x + threadIdx.y * blockDim.x + threadIdx.x;
}

__device__ unsigned warps_of_this_block(void) {
    return divide_up(blockDim.x * blockDim.y * blockDim.z, warpSize);
}

static unsigned smaller(unsigned a, unsigned b) {
    return a < b ? a : b;
}

__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    size_t warp = (size_t)blockIdx.x * warps_of_this_block() + thread_number() / warpSize;
    size_t seat = warp * warpSize + thread_number() % warpSize;

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

    if (n > 0)
        mix_by_warps_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    *blocks = smaller(sm->max_blocks, sm->max_threads / round_up(block->threads, 32));
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    unsigned of_a_warp = round_up(block->registers * 32, sm->register_unit);
    unsigned warps_of_a_part = sm->registers / sm->register_parts / of_a_warp;

    *blocks = smaller(sm->max_blocks,
                      warps_of_a_part * sm->register_parts / divide_up(block->threads, 32));
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    unsigned bytes = round_up(block->shared_bytes + sm->shared_reserved, sm->shared_unit);

    *blocks = bytes == 0 ? sm->max_blocks : smaller(sm->max_blocks, sm->shared_bytes / bytes);
    return cudaSuccess;
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    unsigned by_threads, by_registers, by_shared;

    blocks_by_threads(sm, block, &by_threads);
    blocks_by_registers(sm, block, &by_registers);
    blocks_by_shared(sm, block, &by_shared);
    *blocks = smaller(by_threads, smaller(by_registers, by_shared));
    *warps = *blocks * divide_up(block->threads, 32);
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
