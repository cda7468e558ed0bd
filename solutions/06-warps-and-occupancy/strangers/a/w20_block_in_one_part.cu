// Wrong: a whole block is put into one part (blocks of a part, times the parts); only a warp must lie in one part, a block may spread, so too few blocks, often 0
// Kind: idea
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

/* The thread's number in its block, x fastest. */
__device__ static unsigned number_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ static unsigned threads_in_block() {
    return blockDim.x * blockDim.y * blockDim.z;
}

__host__ __device__ static unsigned whole_warps(unsigned threads) {
    return (threads + 31) / 32;
}

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
    const unsigned number = number_in_block();
    const unsigned warp = number / 32;
    const unsigned lane = number - 32 * warp;
    const size_t all_warps_before = (size_t)blockIdx.x * whole_warps(threads_in_block());
    const size_t seat = (all_warps_before + warp) * 32 + lane;

    x[seat] = threadIdx.x;
    y[seat] = threadIdx.y;
    z[seat] = threadIdx.z;
    // END TODO(1)
}

extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z) {
    // TODO(1): launch blocks of nx × ny × nz threads; there may be none (about 4 lines)
    if (blocks > 0)
        seat_threads_kernel<<<blocks, dim3(nx, ny, nz)>>>(x, y, z);
    return blocks > 0 ? cudaGetLastError() : cudaSuccess;
    // END TODO(1)
}

/* Mixes numbers, so that no branch parts a warp. */
__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(2): which side is this thread's warp on, and which place is the thread's? (about 8 lines)
    // Two blocks share 2 * blockDim.x numbers: the first takes the even places, the second the odd ones.
    const bool odd = blockIdx.x % 2 == 1;
    const size_t first = (size_t)(blockIdx.x / 2) * 2 * blockDim.x;
    const size_t i = first + 2 * threadIdx.x + (odd ? 1 : 0);

    if (i < n) {
        if (odd)
            out[i] = mix_odd(in[i]);
        else
            out[i] = mix_even(in[i]);
    }
    // END TODO(2)
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch blocks for n numbers; there may be none (about 4 lines)
    const size_t twice = 2 * (size_t)block;
    const unsigned grid = (unsigned)(2 * ((n + twice - 1) / twice));

    if (grid > 0)
        mix_by_warps_kernel<<<grid, block>>>(in, n, out);
    return grid > 0 ? cudaGetLastError() : cudaSuccess;
    // END TODO(2)
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    // TODO(3): how many warps has a block, and how many the multiprocessor? (about 4 lines)
    const unsigned room = sm->max_threads / 32 / whole_warps(block->threads);

    *blocks = room > sm->max_blocks ? sm->max_blocks : room;
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    const unsigned unit = sm->register_unit;
    const unsigned warp_takes = (32 * block->registers + unit - 1) / unit * unit;
    const unsigned part_has = sm->registers / sm->register_parts;
    const unsigned in_part = part_has / warp_takes / whole_warps(block->threads);
    const unsigned room = in_part * sm->register_parts;

    *blocks = room > sm->max_blocks ? sm->max_blocks : room;
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    const size_t unit = sm->shared_unit;
    const size_t takes = ((size_t)block->shared_bytes + sm->shared_reserved + unit - 1) / unit * unit;
    const size_t room = takes == 0 ? sm->max_blocks : sm->shared_bytes / takes;

    *blocks = room > sm->max_blocks ? sm->max_blocks : (unsigned)room;
    return cudaSuccess;
    // END TODO(5)
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    // TODO(6): which of the three limits holds, and how many warps are that? (about 8 lines)
    unsigned t, r, s;

    blocks_by_threads(sm, block, &t);
    blocks_by_registers(sm, block, &r);
    blocks_by_shared(sm, block, &s);
    *blocks = t <= r && t <= s ? t : r <= s ? r : s;
    *warps = *blocks * whole_warps(block->threads);
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
    int number = 0;
    cudaError_t error;

    error = multiprocessor_here(&sm);
    if (error != cudaSuccess)
        goto end;
    error = cudaFuncGetAttributes(&attributes, rotate_kernel);
    if (error != cudaSuccess)
        goto end;
    block.threads = threads;
    block.registers = attributes.numRegs;
    block.shared_bytes = attributes.sharedSizeBytes + dynamic_bytes;
    resident(&sm, &block, computed, &warps);
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, rotate_kernel, threads, dynamic_bytes);
    if (error != cudaSuccess)
        goto end;
    *asked = number;
end:
    return error;
    // END TODO(7)
}
