// Wrong: the device is asked with dynamic and static bytes together, but it adds the kernel's static ones itself: 1,000 bytes too many, so now and then a block too few in `asked`
// Kind: constant
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

/* One kernel for each side; even places and odd places each get a launch of their own. */
__global__ void mix_odd_places(const int *in, size_t n, int *out) {
    size_t i = 2 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x) + 1;

    if (i < n)
        out[i] = mix_odd(in[i]);
}

static unsigned warps_in(unsigned threads) {
    return threads / 32 + (threads % 32 != 0);
}

static unsigned at_most(unsigned value, unsigned limit) {
    return value > limit ? limit : value;
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
    unsigned per_row = blockDim.x, per_plane = blockDim.x * blockDim.y;
    unsigned all = per_plane * blockDim.z;
    unsigned mine = threadIdx.z * per_plane + threadIdx.y * per_row + threadIdx.x;
    size_t seats_per_block = (size_t)(all + 31) / 32 * 32;

    // within a block the seats are simply the numbers: 32 of them for each warp
    size_t seat = blockIdx.x * seats_per_block + mine;
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
    seat_threads_kernel<<<blocks, dim3(nx, ny, nz), 0, 0>>>(x, y, z);
    return cudaGetLastError();
    // END TODO(1)
}

/* Mixes numbers, so that no branch parts a warp. */
__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(2): which side is this thread's warp on, and which place is the thread's? (about 8 lines)
    size_t i = 2 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        out[i] = mix_even(in[i]);
    // END TODO(2)
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch blocks for n numbers; there may be none (about 4 lines)
    size_t evens = n - n / 2, odds = n / 2;
    cudaError_t error = cudaSuccess;

    if (evens > 0) {
        mix_by_warps_kernel<<<(unsigned)((evens + block - 1) / block), block>>>(in, n, out);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess && odds > 0) {
        mix_odd_places<<<(unsigned)((odds + block - 1) / block), block>>>(in, n, out);
        error = cudaGetLastError();
    }
    return error;
    // END TODO(2)
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    // TODO(3): how many warps has a block, and how many the multiprocessor? (about 4 lines)
    *blocks = at_most(sm->max_threads / (32 * warps_in(block->threads)), sm->max_blocks);
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    unsigned units = block->registers * 32 / sm->register_unit + (block->registers * 32 % sm->register_unit != 0);
    unsigned part = sm->registers / sm->register_parts;
    unsigned warps = sm->register_parts * (part / (units * sm->register_unit));

    *blocks = at_most(warps / warps_in(block->threads), sm->max_blocks);
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    unsigned long long own = block->shared_bytes, unit = sm->shared_unit;
    unsigned long long units = (own + sm->shared_reserved + unit - 1) / unit;

    if (units == 0)
        *blocks = sm->max_blocks;
    else if (units * unit > sm->shared_bytes)
        *blocks = 0;
    else
        *blocks = at_most(sm->shared_bytes / (unsigned)(units * unit), sm->max_blocks);
    return cudaSuccess;
    // END TODO(5)
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    // TODO(6): which of the three limits holds, and how many warps are that? (about 8 lines)
    unsigned other;

    blocks_by_threads(sm, block, blocks);
    blocks_by_registers(sm, block, &other);
    *blocks = at_most(*blocks, other);
    blocks_by_shared(sm, block, &other);
    *blocks = at_most(*blocks, other);
    *warps = *blocks * warps_in(block->threads);
    return cudaSuccess;
    // END TODO(6)
}

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    // TODO(7): multiprocessor_here, cudaFuncGetAttributes, your TODO 6; then ask (about 14 lines)
    struct multiprocessor sm;
    struct cudaFuncAttributes kernel;
    struct block block;
    unsigned warps;
    int said;
    cudaError_t error;

    if ((error = multiprocessor_here(&sm)) != cudaSuccess)
        return error;
    if ((error = cudaFuncGetAttributes(&kernel, rotate_kernel)) != cudaSuccess)
        return error;
    block.threads = threads;
    block.registers = (unsigned)kernel.numRegs;
    block.shared_bytes = (unsigned)(kernel.sharedSizeBytes + dynamic_bytes);
    resident(&sm, &block, computed, &warps);
    if ((error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&said, rotate_kernel, (int)threads, block.shared_bytes)) != cudaSuccess)
        return error;
    *asked = (unsigned)said;
    return cudaSuccess;
    // END TODO(7)
}
