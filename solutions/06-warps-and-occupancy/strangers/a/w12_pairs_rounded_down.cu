// Wrong: n / 2 pairs are launched, so with odd n the last number is lost where n / 2 is a multiple of block, and n = 1 gives a grid of no blocks
// Kind: bound
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
    unsigned int tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned int size = blockDim.z * blockDim.y * blockDim.x;
    unsigned int warpsPerBlock = size / warpSize;
    if (size % warpSize != 0)
        warpsPerBlock++;
    unsigned int warpId = tid / warpSize;
    unsigned int laneId = tid % warpSize;
    unsigned long long globalWarp = (unsigned long long)blockIdx.x * warpsPerBlock + warpId;
    int *px = x + globalWarp * warpSize, *py = y + globalWarp * warpSize, *pz = z + globalWarp * warpSize;

    px[laneId] = threadIdx.x;
    py[laneId] = threadIdx.y;
    pz[laneId] = threadIdx.z;
    // END TODO(1)
}

extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z) {
    // TODO(1): launch blocks of nx × ny × nz threads; there may be none (about 4 lines)
    if (!blocks)
        return cudaSuccess;
    dim3 blockSize;
    blockSize.x = nx;
    blockSize.y = ny;
    blockSize.z = nz;
    seat_threads_kernel<<<blocks, blockSize>>>(x, y, z);
    return cudaGetLastError();
    // END TODO(1)
}

/* Mixes numbers, so that no branch parts a warp. */
__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(2): which side is this thread's warp on, and which place is the thread's? (about 8 lines)
    // every thread has a pair: the even one first, then the odd one. No side to decide at all.
    size_t even = 2 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    size_t odd = even + 1;

    if (even < n)
        out[even] = mix_even(in[even]);
    if (odd < n)
        out[odd] = mix_odd(in[odd]);
    // END TODO(2)
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch blocks for n numbers; there may be none (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    size_t pairs = n / 2;
    size_t gridSize = (pairs + block - 1) / block;
    mix_by_warps_kernel<<<(unsigned int)gridSize, block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(2)
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    // TODO(3): how many warps has a block, and how many the multiprocessor? (about 4 lines)
    unsigned int blockWarps = 0;
    while (blockWarps * 32 < block->threads)
        blockWarps++;
    unsigned int fit = 0;
    while ((fit + 1) * blockWarps * 32 <= sm->max_threads && fit < sm->max_blocks)
        fit++;
    *blocks = fit;
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    unsigned int perWarp = block->registers * 32;
    while (perWarp % sm->register_unit != 0)
        perWarp++;
    unsigned int warpsPerPart = (sm->registers / sm->register_parts) / perWarp;
    unsigned int allWarps = warpsPerPart * sm->register_parts;
    unsigned int blockWarps = block->threads / 32 + (block->threads % 32 ? 1 : 0);
    unsigned int fit = allWarps / blockWarps;
    if (fit > sm->max_blocks)
        fit = sm->max_blocks;
    *blocks = fit;
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    unsigned long need = (unsigned long)block->shared_bytes + sm->shared_reserved;
    if (need % sm->shared_unit != 0)
        need += sm->shared_unit - need % sm->shared_unit;
    unsigned long fit = sm->max_blocks;
    while (fit > 0 && fit * need > sm->shared_bytes)
        fit--;
    *blocks = (unsigned int)fit;
    return cudaSuccess;
    // END TODO(5)
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    // TODO(6): which of the three limits holds, and how many warps are that? (about 8 lines)
    unsigned int a = 0, b = 0, c = 0;
    blocks_by_threads(sm, block, &a);
    blocks_by_registers(sm, block, &b);
    blocks_by_shared(sm, block, &c);
    unsigned int m = a;
    if (b < m) m = b;
    if (c < m) m = c;
    *blocks = m;
    *warps = 0;
    while (m-- > 0)
        *warps += block->threads / 32 + (block->threads % 32 ? 1 : 0);
    return cudaSuccess;
    // END TODO(6)
}

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    // TODO(7): multiprocessor_here, cudaFuncGetAttributes, your TODO 6; then ask (about 14 lines)
    multiprocessor mp;
    cudaFuncAttributes fa;
    int maxBlocks = 0;
    unsigned int w;

    cudaError_t err = multiprocessor_here(&mp);
    if (err == cudaSuccess)
        err = cudaFuncGetAttributes(&fa, rotate_kernel);
    if (err == cudaSuccess)
        err = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&maxBlocks, rotate_kernel, (int)threads, dynamic_bytes);
    if (err != cudaSuccess)
        return err;
    struct block blk;
    blk.threads = threads;
    blk.registers = fa.numRegs;
    blk.shared_bytes = (unsigned int)fa.sharedSizeBytes + (unsigned int)dynamic_bytes;
    resident(&mp, &blk, computed, &w);
    *asked = maxBlocks;
    return err;
    // END TODO(7)
}
