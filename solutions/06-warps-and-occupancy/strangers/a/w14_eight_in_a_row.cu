// Wrong: a thread takes eight even (or odd) places that follow each other, so the lanes of a warp lie 64 bytes apart and each sector is loaded eight times in place of twice
// Kind: memory
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

#define WARP 32
#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess)                                                                 \
            return error_;                                                                         \
    } while (0)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define CEIL(a, b) (((a) + (b)-1) / (b))

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
    int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int number = tx + blockDim.x * (ty + blockDim.y * tz);
    int lane = number % WARP;
    int warp = number / WARP;
    size_t base = (size_t)blockIdx.x * CEIL(threads, WARP) * WARP;

    base += warp * WARP + lane;
    x[base] = tx;
    y[base] = ty;
    z[base] = tz;
    // END TODO(1)
}

extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z) {
    // TODO(1): launch blocks of nx × ny × nz threads; there may be none (about 4 lines)
    dim3 shape(nx, ny, nz), grid(blocks, 1, 1);

    if (blocks == 0)
        return cudaSuccess;
    seat_threads_kernel<<<grid, shape>>>(x, y, z);
    TRY(cudaGetLastError());
    return cudaSuccess;
    // END TODO(1)
}

/* Mixes numbers, so that no branch parts a warp. */
__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(2): which side is this thread's warp on, and which place is the thread's? (about 8 lines)
    const unsigned half = blockDim.x / 2;
    const bool odd = threadIdx.x >= half;
    const unsigned t = odd ? threadIdx.x - half : threadIdx.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x * 8;

    for (unsigned k = 0; k < 8; k++) {
        size_t i = first + 2 * (8 * t + k) + odd;

        if (i < n) {
            if (odd)
                out[i] = mix_odd(in[i]);
            else
                out[i] = mix_even(in[i]);
        }
    }
    // END TODO(2)
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch blocks for n numbers; there may be none (about 4 lines)
    if (n != 0) {
        size_t grid = CEIL(n, (size_t)block * 8);

        mix_by_warps_kernel<<<(unsigned)grid, block>>>(in, n, out);
        TRY(cudaGetLastError());
    }
    return cudaSuccess;
    // END TODO(2)
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    // TODO(3): how many warps has a block, and how many the multiprocessor? (about 4 lines)
    unsigned warps_of_block = CEIL(block->threads, WARP);
    unsigned warps_of_sm = sm->max_threads / WARP;

    *blocks = MIN(warps_of_sm / warps_of_block, sm->max_blocks);
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    unsigned of_warp = CEIL(WARP * block->registers, sm->register_unit) * sm->register_unit;
    unsigned of_part = sm->registers / sm->register_parts;
    unsigned warps = of_part / of_warp * sm->register_parts;
    unsigned count = warps / CEIL(block->threads, WARP);

    *blocks = MIN(count, sm->max_blocks);
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    size_t bytes = (size_t)block->shared_bytes + sm->shared_reserved;
    size_t count = sm->max_blocks;

    if (bytes != 0) {
        bytes = CEIL(bytes, sm->shared_unit) * sm->shared_unit;
        count = MIN(count, sm->shared_bytes / bytes);
    }
    *blocks = (unsigned)count;
    return cudaSuccess;
    // END TODO(5)
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    // TODO(6): which of the three limits holds, and how many warps are that? (about 8 lines)
    unsigned limit[3];
    unsigned least;

    TRY(blocks_by_threads(sm, block, &limit[0]));
    TRY(blocks_by_registers(sm, block, &limit[1]));
    TRY(blocks_by_shared(sm, block, &limit[2]));
    least = limit[0];
    for (int i = 1; i < 3; i++)
        least = MIN(least, limit[i]);
    *blocks = least;
    *warps = least * CEIL(block->threads, WARP);
    return cudaSuccess;
    // END TODO(6)
}

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    // TODO(7): multiprocessor_here, cudaFuncGetAttributes, your TODO 6; then ask (about 14 lines)
    struct multiprocessor here;
    struct cudaFuncAttributes attr;
    struct block shape;
    unsigned warps;
    int answer;

    TRY(multiprocessor_here(&here));
    TRY(cudaFuncGetAttributes(&attr, rotate_kernel));
    shape.threads = threads;
    shape.registers = attr.numRegs;
    shape.shared_bytes = attr.sharedSizeBytes + dynamic_bytes;
    TRY(resident(&here, &shape, computed, &warps));
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&answer, rotate_kernel, threads, dynamic_bytes));
    *asked = answer;
    return cudaSuccess;
    // END TODO(7)
}
