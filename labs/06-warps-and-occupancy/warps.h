/*
 * Lab 06: which thread is in which warp, and how many warps a multiprocessor holds at a time.
 * Sources: NVIDIA, "CUDA C++ Programming Guide": SIMT architecture, thread hierarchy, technical
 * specifications of each compute capability; NVIDIA, cuda_occupancy.h (of the CUDA toolkit): how
 * registers and shared memory are handed out.
 *
 * All functions: nothing is kept from one call to the next, not even memory. Those that launch put
 * the work into the default stream; kernels do it; they return cudaSuccess, or the error of the
 * call to CUDA or of the launch that was refused. Functions that only calculate return cudaSuccess
 * always.
 */
#ifndef WARPS_H
#define WARPS_H

#include <stddef.h>

#include "labs/common/not_written.h"

/*
 * Who sits where: each thread of a grid writes its threadIdx at the seat that its warp and its lane
 * give it. A block of nx × ny × nz threads has W warps, of which the last may be short of threads.
 * Seat (block * W + warp) * 32 + lane is that of a thread's lane in its warp in its block.
 *
 *   nx, ny, nz   threads of a block in x, y and z, each 1 or more
 *   blocks       blocks of the grid, all in x, up to 3 * 2^20; with 0 nothing is launched
 *   x, y, z      blocks * W * 32 ints each in device memory: at a thread's seat its threadIdx.x, .y
 *                and .z; seats without a thread are left as they are
 */
extern "C" cudaError_t seat_threads(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, int *x,
                                    int *y, int *z);

/*
 * out[i] = mix_even(in[i]) where i is even, mix_odd(in[i]) where it is odd, for all i < n. No
 * branch parts a warp, and each number is mixed in one way only. (given.cuh has both functions, and
 * mix_neighbours, which gives the same with warps that all do both.)
 *
 *   in, out   n ints in device memory, different arrays; `in` stays as it is
 *   n         any, also more than 2^31; with 0 nothing is launched
 *   block     threads of a block, a multiple of 64; else cudaErrorInvalidValue, which the skeleton
 *             sees to
 */
extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out);

/* What a multiprocessor has, for all blocks that are resident on it: there at the same time. */
struct multiprocessor {
    unsigned max_threads; /* a multiple of 32 */
    unsigned max_blocks;
    unsigned registers;      /* of 32 bits each */
    unsigned register_parts; /* they lie in so many equal parts; a warp's are all in one */
    unsigned register_unit;  /* a warp gets a multiple of so many; itself a multiple of 32 */
    unsigned shared_bytes;
    unsigned shared_unit;     /* a block gets a multiple of so many bytes */
    unsigned shared_reserved; /* bytes of a block's that the system takes for itself */
};

/* What a block takes of them. */
struct block {
    unsigned threads;      /* 1 to 1024 */
    unsigned registers;    /* of each thread, 1 to 255 */
    unsigned shared_bytes; /* of the block; 0, too */
};

/*
 * How many such blocks are resident on a multiprocessor where nothing limits them but its threads
 * and its blocks; its registers and its blocks; its shared memory and its blocks. 0 where not even
 * one finds room. All pointers are the host's.
 */
extern "C" cudaError_t blocks_by_threads(const struct multiprocessor *sm, const struct block *block,
                                         unsigned *blocks);
extern "C" cudaError_t blocks_by_registers(const struct multiprocessor *sm,
                                           const struct block *block, unsigned *blocks);
extern "C" cudaError_t blocks_by_shared(const struct multiprocessor *sm, const struct block *block,
                                        unsigned *blocks);

/* How many such blocks are resident where all of these limit them, and how many warps they have. */
extern "C" cudaError_t resident(const struct multiprocessor *sm, const struct block *block,
                                unsigned *blocks, unsigned *warps);

/*
 * The same for a kernel on the device that runs this: how many blocks of rotate_kernel (given.cuh)
 * are resident on a multiprocessor.
 *
 *   threads         of a block, 1 to 1024
 *   dynamic_bytes   of shared memory that the launch would ask for, at most 60,000; the kernel's
 *                   own static shared memory comes on top
 *   computed        by your own calculation, of the device's limits and the kernel's attributes
 *   asked           what cudaOccupancyMaxActiveBlocksPerMultiprocessor says. For more than 49,152
 *                   bytes in all it says 0: a kernel may have these only after a call of
 *                   cudaFuncSetAttribute, which nobody makes here. Your calculation knows nothing
 *                   of that
 *
 * Returns the error of the call to CUDA that failed, if any.
 */
extern "C" cudaError_t resident_here(unsigned threads, size_t dynamic_bytes, unsigned *computed,
                                     unsigned *asked);

#endif
