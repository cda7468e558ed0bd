// Right: doubles with ceil and floor (exact for numbers this small), the limits as quotients of which infinity stands for "no limit"
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

#include <cmath>

constexpr unsigned WARP_SIZE = 32;

/* So many threads of the grid (whole warps of them) take the even places, the others the odd ones. */
__host__ __device__ static size_t threads_for_even(size_t n) {
    return (n + 2 * WARP_SIZE - 1) / (2 * WARP_SIZE) * WARP_SIZE;
}

static unsigned warps_per_block(const struct block *b) { return 1 + (b->threads - 1) / WARP_SIZE; }

static void clamp(unsigned *value, unsigned limit) {
    if (*value > limit)
        *value = limit;
}

static unsigned no_more_than(double value, unsigned limit) {
    return value < limit ? (unsigned)std::floor(value) : limit;
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
    unsigned nx = blockDim.x, ny = blockDim.y, nz = blockDim.z;
    unsigned id = threadIdx.x;
    id += nx * threadIdx.y;
    id += nx * ny * threadIdx.z;
    size_t W = 1 + (nx * ny * nz - 1) / WARP_SIZE;
    size_t seat = (blockIdx.x * W + id / WARP_SIZE) * WARP_SIZE + id % WARP_SIZE;
    x[seat] = threadIdx.x;
    y[seat] = threadIdx.y;
    z[seat] = threadIdx.z;
    // END TODO(1)
}

extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z) {
    // TODO(1): launch blocks of nx × ny × nz threads; there may be none (about 4 lines)
    if (blocks == 0) return cudaSuccess;
    seat_threads_kernel<<<blocks, dim3(nx, ny, nz)>>>(x, y, z);
    return cudaGetLastError();
    // END TODO(1)
}

/* Mixes numbers, so that no branch parts a warp. */
__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    // TODO(2): which side is this thread's warp on, and which place is the thread's? (about 8 lines)
    size_t evens = threads_for_even(n);
    size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (t < evens) {
        size_t i = 2 * t;
        if (i < n) out[i] = mix_even(in[i]);
    } else {
        size_t i = 2 * (t - evens) + 1;
        if (i < n) out[i] = mix_odd(in[i]);
    }
    // END TODO(2)
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch blocks for n numbers; there may be none (about 4 lines)
    if (n == 0) return cudaSuccess;
    size_t threads = 2 * threads_for_even(n);
    mix_by_warps_kernel<<<(unsigned)((threads + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(2)
}

extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks) {
    // TODO(3): how many warps has a block, and how many the multiprocessor? (about 4 lines)
    double warps = std::ceil(block->threads / 32.0);
    *blocks = no_more_than(std::floor(sm->max_threads / 32.0) / warps, sm->max_blocks);
    return cudaSuccess;
    // END TODO(3)
}

extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks) {
    // TODO(4): the registers of a warp, the warps of a part, of all parts, the blocks (about 6 lines)
    double unit = sm->register_unit, parts = sm->register_parts;
    double of_warp = std::ceil(32.0 * block->registers / unit) * unit;
    double of_part = std::floor(std::floor(sm->registers / parts) / of_warp);
    *blocks = no_more_than(of_part * parts / std::ceil(block->threads / 32.0), sm->max_blocks);
    return cudaSuccess;
    // END TODO(4)
}

extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks) {
    // TODO(5): the bytes that a block takes; it may take none (about 5 lines)
    double unit = sm->shared_unit;
    double of_block = std::ceil(((double)block->shared_bytes + sm->shared_reserved) / unit) * unit;
    double room = of_block > 0 ? sm->shared_bytes / of_block : INFINITY;
    *blocks = no_more_than(room, sm->max_blocks);
    return cudaSuccess;
    // END TODO(5)
}

extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps) {
    // TODO(6): which of the three limits holds, and how many warps are that? (about 8 lines)
    unsigned limit;
    blocks_by_threads(sm, block, blocks);
    blocks_by_registers(sm, block, &limit);
    clamp(blocks, limit);
    blocks_by_shared(sm, block, &limit);
    clamp(blocks, limit);
    *warps = warps_per_block(block) * *blocks;
    return cudaSuccess;
    // END TODO(6)
}

extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked) {
    // TODO(7): multiprocessor_here, cudaFuncGetAttributes, your TODO 6; then ask (about 14 lines)
    multiprocessor sm;
    cudaError_t err = multiprocessor_here(&sm);
    if (err != cudaSuccess) return err;
    cudaFuncAttributes attr;
    err = cudaFuncGetAttributes(&attr, rotate_kernel);
    if (err != cudaSuccess) return err;
    struct block b;
    b.threads = threads;
    b.registers = unsigned(attr.numRegs);
    b.shared_bytes = unsigned(attr.sharedSizeBytes) + unsigned(dynamic_bytes);
    unsigned warps;
    resident(&sm, &b, computed, &warps);
    int n;
    err = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, rotate_kernel, int(threads), dynamic_bytes);
    if (err == cudaSuccess) *asked = unsigned(n);
    return err;
    // END TODO(7)
}
