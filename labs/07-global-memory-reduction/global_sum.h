/*
 * Lab 07: the sum of n ints in global memory, in place, by three trees.
 * Source of the schemes: J. Cheng, M. Grossman, T. McKercher, "Professional CUDA C Programming"
 * (Wiley, 2014), chapter 3: neighboured pairs, the same with less divergence, interleaved pairs.
 */
#ifndef GLOBAL_SUM_H
#define GLOBAL_SUM_H

#include "labs/common/levels.h"
#include "labs/common/not_written.h"

/*
 * The first three write data[0] + data[1] + ... + data[n - 1] to *sum, modulo 2^32; 0 where n is 0.
 *
 *   data     n ints in device memory; they are worked on in place: afterwards they hold anything
 *   n        number of ints; any that makes fewer than 2^32 blocks, also more than 2^31
 *   block    threads of a block of the kernel that goes through `data`, 2 to 1024, not necessarily
 *            a power of two or a multiple of 32; smaller kernels of your own may have any
 *   scratch  levels_scratch(n, block) ints in device memory, for the partial sums; holds anything
 *            before and after
 *   sum      one int in device memory
 *
 * The caller owns all buffers, which don't overlap. Work is put into the default stream; the call
 * may return before it is done, and keeps nothing from one call to the next, not even memory.
 * Kernels do the work: no data goes by way of the host. Returns cudaSuccess, or the error of the
 * call to CUDA or of the launch that was refused; cudaErrorInvalidValue where block is below 2.
 */

/* Neighboured pairs: the stride doubles, and thread t adds in word t of its block. */
extern "C" cudaError_t sum_neighboured(int *data, size_t n, unsigned block, int *scratch, int *sum);

/* Neighboured pairs with less divergence: the same additions, made by the first threads. */
extern "C" cudaError_t sum_packed(int *data, size_t n, unsigned block, int *scratch, int *sum);

/* Interleaved pairs: the stride halves. */
extern "C" cudaError_t sum_interleaved(int *data, size_t n, unsigned block, int *scratch, int *sum);

/* The same sum, of ints that the caller still needs:
 *
 *   in    n ints in device memory, left unchanged
 *   copy  n ints in device memory; they hold anything before and after
 *
 * The other parameters, and the errors, are those of sum_interleaved. */
extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum);

#endif
