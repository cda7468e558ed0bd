// Right: a grid of two rows, one for each side of the branch, and all limits found by handing out piece by piece
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

/* How often `part` goes into `whole`, but no more than `most`. Nothing goes in any number of times. */
static unsigned how_often(unsigned long long part, unsigned long long whole, unsigned most) {
    unsigned times = 0;

    for (; times < most && part <= whole; times++)
        whole -= part;
    return times;
}

/* The next multiple of a unit. */
static unsigned long long padded(unsigned long long amount, unsigned unit) {
    while (amount % unit != 0)
        amount++;
    return amount;
}

/* Writes this thread's threadIdx at its seat. */
__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    // TODO(1): this thread's number in its block, its warp, its lane, its seat (about 8 lines)
    // Counts the seats before this thread's: those of blocks before it, then of its own block.
    size_t seat = (blockDim.x * blockDim.y * blockDim.z + 31) & ~31u;
    const int here[] = {(int)threadIdx.x, (int)threadIdx.y, (int)threadIdx.z};
    int *const rows[] = {x, y, z};

    seat *= blockIdx.x;
    seat += (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int which = 0; which < 3; which++)
        rows[which][seat] = here[which];
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
    // All blocks of a row of the grid have the same side: even places where blockIdx.y is 0.
    const size_t place = 2 * ((size_t)blockDim.x * blockIdx.x + threadIdx.x) + blockIdx.y;

    if (place < n)
        out[place] = blockIdx.y ? mix_odd(in[place]) : mix_even(in[place]);
    // END TODO(2)
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch blocks for n numbers; there may be none (about 4 lines)
    const size_t evens = n - n / 2;
    const dim3 grid((unsigned)((evens + block - 1) / block), n > 1 ? 2 : 1);

    if (n > 0)
        mix_by_warps_kernel<<<grid, block>>>(in, n, out);
    return n > 0 ? cudaGetLastError() : cudaSuccess;
    // END TODO(2)
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    // TODO(3): how many warps has a block, and how many the multiprocessor? (about 4 lines)
    *blocks = how_often(padded(block->threads, 32), sm->max_threads, sm->max_blocks);
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    // Hands the registers of each part to warps, one part after the other.
    unsigned long long of_warp = padded(32ull * block->registers, sm->register_unit);
    unsigned warps = 0;

    for (unsigned part = 0; part < sm->register_parts; part++)
        for (unsigned left = sm->registers / sm->register_parts; left >= of_warp; left -= of_warp)
            warps++;
    *blocks = how_often(padded(block->threads, 32) / 32, warps, sm->max_blocks);
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    unsigned long long bytes = block->shared_bytes;

    bytes = padded(bytes + sm->shared_reserved, sm->shared_unit);
    *blocks = how_often(bytes, sm->shared_bytes, sm->max_blocks);
    return cudaSuccess;
    // END TODO(5)
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    // TODO(6): which of the three limits holds, and how many warps are that? (about 8 lines)
    cudaError_t (*limits[])(const struct multiprocessor *, const struct block *, unsigned *) = {
        blocks_by_threads, blocks_by_registers, blocks_by_shared};

    *blocks = sm->max_blocks;
    for (auto limit : limits) {
        unsigned found;
        limit(sm, block, &found);
        *blocks = found < *blocks ? found : *blocks;
    }
    *warps = 0;
    for (unsigned k = 0; k < *blocks; k++)
        *warps += (block->threads - 1) / 32 + 1;
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
