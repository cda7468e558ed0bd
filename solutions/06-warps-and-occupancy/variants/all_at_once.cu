/* The smallest limit is found in one function, which the others ask. */
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

static unsigned warps_of(const struct block *block) {
    return (block->threads + 31) / 32;
}

/* The least of max_blocks and of those limits that are asked for. */
static cudaError_t smallest(const struct multiprocessor *sm, const struct block *block,
                            bool by_threads, bool by_registers, bool by_shared, unsigned *blocks) {
    unsigned least = sm->max_blocks;

    if (by_threads && sm->max_threads / (32 * warps_of(block)) < least)
        least = sm->max_threads / (32 * warps_of(block));
    if (by_registers) {
        unsigned units = (32 * block->registers - 1) / sm->register_unit + 1;
        unsigned in_a_part = sm->registers / (sm->register_parts * units * sm->register_unit);
        unsigned fit = in_a_part * sm->register_parts / warps_of(block);

        least = fit < least ? fit : least;
    }
    if (by_shared) {
        unsigned units = (block->shared_bytes + sm->shared_reserved + sm->shared_unit - 1) /
                         sm->shared_unit;

        while (units * sm->shared_unit * least > sm->shared_bytes)
            least--;
    }
    *blocks = least;
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    return smallest(sm, block, true, false, false, blocks);
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    return smallest(sm, block, false, true, false, blocks);
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    return smallest(sm, block, false, false, true, blocks);
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    smallest(sm, block, true, true, true, blocks);
    *warps = *blocks * warps_of(block);
    return cudaSuccess;
}

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    struct multiprocessor sm = {};
    struct cudaFuncAttributes kernel = {};
    cudaError_t error;
    unsigned warps;

    if ((error = multiprocessor_here(&sm)) != cudaSuccess)
        return error;
    if ((error = cudaFuncGetAttributes(&kernel, (const void *)rotate_kernel)) != cudaSuccess)
        return error;
    if ((error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
             (int *)asked, rotate_kernel, (int)threads, dynamic_bytes, cudaOccupancyDefault)) !=
        cudaSuccess)
        return error;
    struct block needs = {.threads = threads,
                          .registers = (unsigned)kernel.numRegs,
                          .shared_bytes = (unsigned)(kernel.sharedSizeBytes + dynamic_bytes)};
    return resident(&sm, &needs, computed, &warps);
}
