// Wrong: the device and the kernel are asked in the first call only and the answers kept in static variables: kept from one call to the next, stale where another device is current
// Kind: state
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
extern "C" const int predicted_warps = -1;

// A block of 16 × 16 threads: how many of its rows (threads of the same y) has a warp?
extern "C" const int predicted_rows = -1;

// A block of 4 × 4 × 4 threads: which lane has the thread with x = 1, y = 2, z = 3?
extern "C" const int predicted_lane = -1;

// mix_neighbours in blocks of 256 threads: how many of a block's warps do both sides?
extern "C" const int predicted_divergent_warps = -1;

// Blocks of 192 threads with 40 registers a thread and 10,240 bytes of shared memory, compute
// capability 7.5: how many are resident on a multiprocessor?
extern "C" const int predicted_resident = -1;

// 2,048 threads in blocks of 4 × 8, compute capability 1.2: on how many multiprocessors do they fit?
extern "C" const int predicted_multiprocessors = -1;

// END TODO(0)

/* Writes this thread's threadIdx at its seat. */
__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    // TODO(1): this thread's number in its block, its warp, its lane, its seat (about 8 lines)
    unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    size_t seat = ((size_t)blockIdx.x * warps + number / 32) * 32 + number % 32;

    x[seat] = threadIdx.x;
    y[seat] = threadIdx.y;
    z[seat] = threadIdx.z;
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
    size_t first = (size_t)blockIdx.x * blockDim.x;

    if (threadIdx.x < half) {
        size_t i = first + 2 * threadIdx.x;
        if (i < n)
            out[i] = mix_even(in[i]);
    } else {
        size_t i = first + 2 * (threadIdx.x - half) + 1;
        if (i < n)
            out[i] = mix_odd(in[i]);
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
    unsigned warps = (block->threads + 31) / 32;
    unsigned count = sm->max_threads / 32 / warps;

    *blocks = count < sm->max_blocks ? count : sm->max_blocks;
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    unsigned warps = (block->threads + 31) / 32;
    unsigned unit = sm->register_unit;
    unsigned per_warp = (32 * block->registers + unit - 1) / unit * unit;
    unsigned per_part = sm->registers / sm->register_parts / per_warp;
    unsigned count = per_part * sm->register_parts / warps;

    *blocks = count < sm->max_blocks ? count : sm->max_blocks;
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    unsigned long long unit = sm->shared_unit;
    unsigned long long bytes = (unsigned long long)block->shared_bytes + sm->shared_reserved;

    bytes = (bytes + unit - 1) / unit * unit;
    *blocks = sm->max_blocks;
    if (bytes > 0 && sm->shared_bytes / bytes < *blocks)
        *blocks = (unsigned)(sm->shared_bytes / bytes);
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
    static struct multiprocessor sm;
    static struct cudaFuncAttributes attributes;
    static bool known = false;
    struct block block;
    unsigned warps;
    int number;
    cudaError_t error;

    if (!known) {
        error = multiprocessor_here(&sm);
        if (error != cudaSuccess)
            return error;
        error = cudaFuncGetAttributes(&attributes, rotate_kernel);
        if (error != cudaSuccess)
            return error;
        known = true;
    }
    block.threads = threads;
    block.registers = (unsigned)attributes.numRegs;
    block.shared_bytes = (unsigned)(attributes.sharedSizeBytes + dynamic_bytes);
    resident(&sm, &block, computed, &warps);
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, rotate_kernel, (int)threads,
                                                          dynamic_bytes);
    if (error == cudaSuccess)
        *asked = (unsigned)number;
    return error;
    // END TODO(7)
}
