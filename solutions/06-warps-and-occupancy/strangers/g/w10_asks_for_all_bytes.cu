// Wrong: the occupancy call has to be told all the shared memory of a block, the static part, too
// Kind: argument
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

/* This thread's number in its block, x fastest. */
__device__ unsigned number_in_block() {
    unsigned number = threadIdx.z;

    number = number * blockDim.y + threadIdx.y;
    return number * blockDim.x + threadIdx.x;
}

static unsigned smaller(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* How many units hold so much. */
static unsigned units(unsigned amount, unsigned unit) {
    return amount / unit + (amount % unit > 0);
}

static unsigned warps_of(const struct block *block) {
    return units(block->threads, 32);
}

/* Writes this thread's threadIdx at its seat. */
__global__ void seat_threads_kernel(int *x, int *y, int *z) {
    // TODO(1): this thread's number in its block, its warp, its lane, its seat (about 8 lines)
    const unsigned warps = (blockDim.x * blockDim.y * blockDim.z - 1) / 32 + 1;
    const unsigned number = number_in_block();
    const unsigned lane = number & 31, warp = number >> 5;
    const size_t before = (size_t)warps * blockIdx.x + warp;

    x[before * 32 + lane] = threadIdx.x;
    y[before * 32 + lane] = threadIdx.y;
    z[before * 32 + lane] = threadIdx.z;
    // END TODO(1)
}

extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z) {
    // TODO(1): launch blocks of nx × ny × nz threads; there may be none (about 4 lines)
    dim3 shape(nx, ny, nz);

    if (blocks > 0) {
        seat_threads_kernel<<<blocks, shape>>>(x, y, z);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(1)
}

/* Mixes numbers, so that no branch parts a warp. */
__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(2): which side is this thread's warp on, and which place is the thread's? (about 8 lines)
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    size_t pair = (size_t)blockIdx.x * (blockDim.x / 2) + warp / 2 * 32 + lane;
    unsigned side = warp % 2;
    size_t i = 2 * pair + side;

    if (i >= n)
        return;
    int number = in[i];
    switch (side) {
    case 0:
        number = mix_even(number);
        break;
    default:
        number = mix_odd(number);
    }
    out[i] = number;
    // END TODO(2)
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch blocks for n numbers; there may be none (about 4 lines)
    size_t pairs = n / 2 + n % 2, half = block / 2;

    if (pairs > 0) {
        mix_by_warps_kernel<<<(unsigned)((pairs + half - 1) / half), block>>>(in, n, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(2)
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    // TODO(3): how many warps has a block, and how many the multiprocessor? (about 4 lines)
    *blocks = smaller(sm->max_threads / 32 / warps_of(block), sm->max_blocks);
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    unsigned each = sm->register_unit * units(32 * block->registers, sm->register_unit);
    unsigned part = sm->registers / sm->register_parts;
    unsigned warps = sm->register_parts * (part / each);

    *blocks = smaller(warps / warps_of(block), sm->max_blocks);
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    unsigned each = units(block->shared_bytes + sm->shared_reserved, sm->shared_unit);

    if (each == 0)
        *blocks = sm->max_blocks;
    else
        *blocks = smaller(sm->shared_bytes / (each * sm->shared_unit), sm->max_blocks);
    return cudaSuccess;
    // END TODO(5)
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    // TODO(6): which of the three limits holds, and how many warps are that? (about 8 lines)
    unsigned limits[3];

    blocks_by_threads(sm, block, &limits[0]);
    blocks_by_registers(sm, block, &limits[1]);
    blocks_by_shared(sm, block, &limits[2]);
    *blocks = smaller(smaller(limits[0], limits[1]), limits[2]);
    *warps = warps_of(block) * *blocks;
    return cudaSuccess;
    // END TODO(6)
}

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    // TODO(7): multiprocessor_here, cudaFuncGetAttributes, your TODO 6; then ask (about 14 lines)
    struct multiprocessor sm;
    struct cudaFuncAttributes takes;
    cudaError_t error;
    unsigned warps;
    int says = 0;

    if ((error = multiprocessor_here(&sm)) != cudaSuccess ||
        (error = cudaFuncGetAttributes(&takes, rotate_kernel)) != cudaSuccess)
        return error;
    size_t bytes = takes.sharedSizeBytes + dynamic_bytes;
    struct block one = {threads, (unsigned)takes.numRegs, (unsigned)bytes};
    if ((error = resident(&sm, &one, computed, &warps)) != cudaSuccess)
        return error;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&says, rotate_kernel, threads,
                                                          bytes);
    *asked = (unsigned)says;
    return error;
    // END TODO(7)
}
