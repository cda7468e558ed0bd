// Wrong: the error of cudaFuncGetAttributes is overwritten by the next call's, so where it fails cudaSuccess is returned and the answer comes of uninitialised attributes
// Kind: error_check
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

static const unsigned lanes = 32;

static unsigned long up(unsigned long number, unsigned long unit) {
    unsigned long rest = number % unit;
    return rest == 0 ? number : number + unit - rest;
}

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

// mix_neighbours in blocks of 256 threads: how many of a block's warps do both sides?
extern "C" const int predicted_divergent_warps = 8;

// Blocks of 192 threads with 40 registers a thread and 10,240 bytes of shared memory, compute
// capability 7.5: how many are resident on a multiprocessor?
extern "C" const int predicted_resident = 5;

// 2,048 threads in blocks of 4 × 8, compute capability 1.2: on how many multiprocessors do they fit?
extern "C" const int predicted_multiprocessors = 8;

// END TODO(0)

/* Writes this thread's threadIdx at its seat. */
__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    // TODO(1): this thread's number in its block, its warp, its lane, its seat (about 8 lines)
    auto number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    auto threads = blockDim.x * blockDim.y * blockDim.z;
    auto warps = threads % 32 == 0 ? threads / 32 : threads / 32 + 1;
    auto warp = (unsigned long long)warps * blockIdx.x + number / 32;
    auto seat = 32 * warp + number % 32;

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

    seat_threads_kernel<<<blocks, dim3{nx, ny, nz}>>>(x, y, z);
    return cudaGetLastError();
    // END TODO(1)
}

/* Mixes numbers, so that no branch parts a warp. */
__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(2): which side is this thread's warp on, and which place is the thread's? (about 8 lines)
    // in and out go through shared memory, so each sector is moved once
    extern __shared__ int numbers[];
    unsigned t = threadIdx.x, half = blockDim.x / 2;
    size_t first = (size_t)blockIdx.x * blockDim.x;

    if (first + t < n)
        numbers[t] = in[first + t];
    __syncthreads();
    if (t < half) {
        unsigned even = 2 * t;
        if (first + even < n)
            numbers[even] = mix_even(numbers[even]);
    } else {
        unsigned odd = 2 * (t - half) + 1;
        if (first + odd < n)
            numbers[odd] = mix_odd(numbers[odd]);
    }
    __syncthreads();
    if (first + t < n)
        out[first + t] = numbers[t];
    // END TODO(2)
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch blocks for n numbers; there may be none (about 4 lines)
    if (n == 0)
        return cudaSuccess;

    auto grid = n / block + (n % block != 0);
    mix_by_warps_kernel<<<(unsigned)grid, block, block * sizeof(int)>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(2)
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    // TODO(3): how many warps has a block, and how many the multiprocessor? (about 4 lines)
    unsigned long of_block = up(block->threads, lanes);

    *blocks = sm->max_blocks;
    if (sm->max_threads / of_block < *blocks)
        *blocks = sm->max_threads / of_block;
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    unsigned long warps = up(block->threads, lanes) / lanes;
    unsigned long of_warp = up(lanes * block->registers, sm->register_unit);
    unsigned long in_part = sm->registers / sm->register_parts / of_warp;
    unsigned long fit = in_part * sm->register_parts / warps;

    *blocks = sm->max_blocks;
    if (fit < *blocks)
        *blocks = fit;
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    unsigned long of_block = up((unsigned long)block->shared_bytes + sm->shared_reserved, sm->shared_unit);

    *blocks = sm->max_blocks;
    if (of_block != 0 && sm->shared_bytes / of_block < *blocks)
        *blocks = sm->shared_bytes / of_block;
    return cudaSuccess;
    // END TODO(5)
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    // TODO(6): which of the three limits holds, and how many warps are that? (about 8 lines)
    using limit = cudaError_t (*)(const struct multiprocessor *, const struct block *, unsigned *);
    const limit limits[] = {blocks_by_threads, blocks_by_registers, blocks_by_shared};

    *blocks = sm->max_blocks;
    for (limit ask : limits) {
        unsigned count;
        ask(sm, block, &count);
        if (count < *blocks)
            *blocks = count;
    }
    *warps = *blocks * (up(block->threads, lanes) / lanes);
    return cudaSuccess;
    // END TODO(6)
}

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    // TODO(7): multiprocessor_here, cudaFuncGetAttributes, your TODO 6; then ask (about 14 lines)
    struct multiprocessor sm;
    cudaFuncAttributes attributes;
    int number = 0;
    unsigned warps;

    cudaError_t error = multiprocessor_here(&sm);
    if (error != cudaSuccess)
        return error;

    error = cudaFuncGetAttributes(&attributes, rotate_kernel);

    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, rotate_kernel, threads, dynamic_bytes);
    if (error != cudaSuccess)
        return error;

    struct block shape{threads, (unsigned)attributes.numRegs,
                       (unsigned)(attributes.sharedSizeBytes + dynamic_bytes)};
    resident(&sm, &shape, computed, &warps);
    *asked = number;
    return error;
    // END TODO(7)
}
