/* A thread's registers are rounded up to a lane's share of the unit; limits are tried from above. */
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

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    unsigned fit = sm->max_threads / 32 / ((block->threads + 31) / 32);

    *blocks = fit < sm->max_blocks ? fit : sm->max_blocks;
    return cudaSuccess;
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    unsigned share = sm->register_unit / 32, registers = (block->registers + share - 1) / share * share;
    unsigned warps = (block->threads + 31) / 32, n = sm->max_blocks;

    /* the warps of n blocks, spread over the parts as evenly as can be */
    while ((n * warps + sm->register_parts - 1) / sm->register_parts * 32 * registers >
           sm->registers / sm->register_parts)
        n--;
    *blocks = n;
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
    unsigned others;

    blocks_by_threads(sm, block, blocks);
    if (blocks_by_registers(sm, block, &others) == cudaSuccess && others < *blocks)
        *blocks = others;
    if (blocks_by_shared(sm, block, &others) == cudaSuccess && others < *blocks)
        *blocks = others;
    *warps = 0;
    for (unsigned b = 0; b < *blocks; b++)
        *warps += block->threads / 32 + (block->threads % 32 != 0);
    return cudaSuccess;
}

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess)                                                                 \
            return error_;                                                                         \
    } while (0)
    struct multiprocessor sm;
    struct cudaFuncAttributes a;
    unsigned unused;
    int n;

    TRY(multiprocessor_here(&sm));
    TRY(cudaFuncGetAttributes(&a, rotate_kernel));
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, rotate_kernel, threads, dynamic_bytes));
    struct block b = {threads, (unsigned)a.numRegs, (unsigned)a.sharedSizeBytes};
    b.shared_bytes += (unsigned)dynamic_bytes;
    TRY(resident(&sm, &b, computed, &unused));
    *asked = n;
    return cudaSuccess;
}
