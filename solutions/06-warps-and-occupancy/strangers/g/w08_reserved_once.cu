// Wrong: the system takes its shared memory once from the multiprocessor, not once for each block
// Kind: shared
/*
 * Lab 06: warps and occupancy. Handout: handouts/06-warps-and-occupancy.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. Each can be
 * checked before the next one is written: the predictions (TODO 0), who sits in which lane of which
 * warp (TODO 1), a branch of which whole warps take one side (TODO 2), how many blocks a
 * multiprocessor holds, by its threads (TODO 3), its registers (TODO 4), its shared memory (TODO 5)
 * and all of them (TODO 6), and the same for the device at hand (TODO 7).
 */
#include "given.cuh"

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what your own functions give.
 */
// TODO(0): answer the questions (6 numbers)
// A block of 20 × 5 threads: how many warps has it?
extern "C" const int predicted_warps = 4;

// A block of 16 × 16 threads: how many of its rows (threads of the same y) has a warp?
extern "C" const int predicted_rows = 2;

// A block of 4 × 4 × 4 threads: which lane has the thread with x = 1, y = 2, z = 3?
extern "C" const int predicted_lane = 25;

// mix_neighbours in blocks of 192 threads: how many of a block's warps do both sides?
extern "C" const int predicted_divergent_warps_192 = 6;

// Blocks of 192 threads with 40 registers a thread and 10,240 bytes of shared memory, compute
// capability 7.5: how many are resident on a multiprocessor?
extern "C" const int predicted_resident = 5;

// 2,048 threads in blocks of 4 × 8, compute capability 1.2: on how many multiprocessors do they fit?
extern "C" const int predicted_multiprocessors = 8;
// END TODO(0)

/* Writes this thread's threadIdx at its seat. */
__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    // TODO(1): this thread's number in its block, its warp, its lane, its seat (about 8 lines)
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    unsigned warps = (threads + 31) / 32;
    unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    size_t seat = ((size_t)blockIdx.x * warps + number / 32) * 32 + number % 32;

    x[seat] = (int)threadIdx.x;
    y[seat] = (int)threadIdx.y;
    z[seat] = (int)threadIdx.z;
    // END TODO(1)
}

extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z) {
    // TODO(1): launch blocks of nx × ny × nz threads; there may be none (about 4 lines)
    if (blocks == 0)
        return cudaSuccess;
    seat_threads_kernel<<<blocks, dim3(nx, ny, nz)>>>(x, y, z);
    return cudaGetLastError();
    // END TODO(1)
}

/* Mixes numbers, so that no branch parts a warp. */
__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(2): which side is this thread's warp on, and which place is the thread's? (about 8 lines)
    unsigned half = blockDim.x / 2;
    bool odd = threadIdx.x >= half;
    size_t place = (size_t)blockIdx.x * blockDim.x +
                   (odd ? 2 * (threadIdx.x - half) + 1 : 2 * threadIdx.x);

    if (place < n) {
        if (odd)
            out[place] = mix_odd(in[place]);
        else
            out[place] = mix_even(in[place]);
    }
    // END TODO(2)
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch blocks for n numbers; there may be none (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    mix_by_warps_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(2)
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    // TODO(3): how many warps has a block, and how many the multiprocessor? (about 4 lines)
    unsigned found = sm->max_threads / 32 / ((block->threads + 31) / 32);

    if (found > sm->max_blocks)
        found = sm->max_blocks;
    *blocks = found;
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    unsigned unit = sm->register_unit;
    unsigned of_warp = (32 * block->registers + unit - 1) / unit * unit;
    unsigned of_part = sm->registers / sm->register_parts / of_warp;
    unsigned found = of_part * sm->register_parts / ((block->threads + 31) / 32);

    *blocks = found < sm->max_blocks ? found : sm->max_blocks;
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    size_t unit = sm->shared_unit;
    size_t bytes = ((size_t)block->shared_bytes + unit - 1) / unit * unit;
    size_t room = sm->shared_bytes - sm->shared_reserved;

    *blocks = sm->max_blocks;
    if (bytes > 0 && room / bytes < sm->max_blocks)
        *blocks = (unsigned)(room / bytes);
    return cudaSuccess;
    // END TODO(5)
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    // TODO(6): which of the three limits holds, and how many warps are that? (about 8 lines)
    unsigned by_threads, by_registers, by_shared;

    blocks_by_threads(sm, block, &by_threads);
    blocks_by_registers(sm, block, &by_registers);
    blocks_by_shared(sm, block, &by_shared);
    *blocks = by_threads;
    if (by_registers < *blocks)
        *blocks = by_registers;
    if (by_shared < *blocks)
        *blocks = by_shared;
    *warps = *blocks * ((block->threads + 31) / 32);
    return cudaSuccess;
    // END TODO(6)
}

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    // TODO(7): multiprocessor_here, cudaFuncGetAttributes, your TODO 6; then ask (about 14 lines)
    struct multiprocessor sm;
    struct cudaFuncAttributes attributes;
    struct block block;
    unsigned warps;
    int found;
    cudaError_t error = multiprocessor_here(&sm);

    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&attributes, rotate_kernel);
    if (error != cudaSuccess)
        return error;
    block.threads = threads;
    block.registers = (unsigned)attributes.numRegs;
    block.shared_bytes = (unsigned)(attributes.sharedSizeBytes + dynamic_bytes);
    resident(&sm, &block, computed, &warps);
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&found, rotate_kernel, (int)threads,
                                                          dynamic_bytes);
    if (error == cudaSuccess)
        *asked = (unsigned)found;
    return error;
    // END TODO(7)
}
