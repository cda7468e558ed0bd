// Right: numbers go through shared memory so that each sector moves once, and the limits are found by bisection
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

/* What a warp has, and what it needs: everything below is asked of `fits`. */
struct needs {
    unsigned long long warps, registers, bytes;
};

static struct needs needs_of(const struct multiprocessor *sm, const struct block *block) {
    struct needs each;
    unsigned step = sm->register_unit / 32; // registers of a thread come in steps of so many

    each.warps = (block->threads + 31ull) / 32;
    each.registers = (block->registers + step - 1ull) / step * step * 32;
    each.bytes = 0ull + block->shared_bytes + sm->shared_reserved;
    each.bytes += (sm->shared_unit - each.bytes % sm->shared_unit) % sm->shared_unit;
    return each;
}

/* The largest number of blocks up to max_blocks that fits, by bisection. */
template <typename Fits> static unsigned largest(const struct multiprocessor *sm, Fits fits) {
    unsigned yes = 0, no = sm->max_blocks + 1;

    while (no - yes > 1) {
        unsigned middle = yes + (no - yes) / 2;
        (fits(middle) ? yes : no) = middle;
    }
    return yes;
}

static bool warps_fit(const struct multiprocessor *sm, unsigned long long warps) {
    return warps * 32 <= sm->max_threads;
}

static bool registers_fit(const struct multiprocessor *sm, const struct needs &each,
                          unsigned long long warps) {
    unsigned long long fullest = (warps + sm->register_parts - 1) / sm->register_parts;

    return fullest * each.registers <= sm->registers / sm->register_parts;
}

/* This thread's number in its block, x fastest. */
__device__ unsigned number_in_block() {
    unsigned number = threadIdx.z;

    number = number * blockDim.y + threadIdx.y;
    return number * blockDim.x + threadIdx.x;
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
    // Loaded and stored in order; in between, each warp takes every second number of 64.
    __shared__ int numbers[1024];
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int *const mine = numbers + (warp - warp % 2) * 32 + 2 * lane + warp % 2;

    numbers[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    *mine = warp % 2 ? mix_odd(*mine) : mix_even(*mine);
    __syncthreads();
    if (i < n)
        out[i] = numbers[threadIdx.x];
    // END TODO(2)
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch blocks for n numbers; there may be none (about 4 lines)
    unsigned grid = (unsigned)(n / block + !!(n % block));

    if (!grid)
        return cudaSuccess;
    return mix_by_warps_kernel<<<grid, block>>>(in, n, out), cudaGetLastError();
    // END TODO(2)
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    // TODO(3): how many warps has a block, and how many the multiprocessor? (about 4 lines)
    const struct needs each = needs_of(sm, block);

    *blocks = largest(sm, [&](unsigned k) { return warps_fit(sm, k * each.warps); });
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    const struct needs each = needs_of(sm, block);

    *blocks = largest(sm, [&](unsigned k) { return registers_fit(sm, each, k * each.warps); });
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    const struct needs each = needs_of(sm, block);

    *blocks = largest(sm, [&](unsigned k) { return k * each.bytes <= sm->shared_bytes; });
    return cudaSuccess;
    // END TODO(5)
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    // TODO(6): which of the three limits holds, and how many warps are that? (about 8 lines)
    const struct needs each = needs_of(sm, block);

    *blocks = largest(sm, [&](unsigned k) {
        return warps_fit(sm, k * each.warps) && registers_fit(sm, each, k * each.warps) &&
               k * each.bytes <= sm->shared_bytes;
    });
    *warps = *blocks * (unsigned)each.warps;
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
                                                          dynamic_bytes);
    *asked = (unsigned)says;
    return error;
    // END TODO(7)
}
