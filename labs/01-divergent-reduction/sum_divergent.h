/*
 * Lab 01: the sum of n ints by a tree in shared memory, the divergent way.
 * Source of the scheme: M. Harris, "Optimizing Parallel Reduction in CUDA" (NVIDIA, 2007), first
 * version; the launches over several levels are this lab's own.
 */
#ifndef SUM_DIVERGENT_H
#define SUM_DIVERGENT_H

#include "labs/common/levels.h"
#include "labs/common/not_written.h"

/*
 * Writes in[0] + in[1] + ... + in[n - 1] to *sum, modulo 2^32; 0 where n is 0.
 *
 *   in       n ints in device memory, left unchanged
 *   n        number of ints; any that makes fewer than 2^32 blocks, also more than 2^31
 *   block    threads of a block, 2 to 1024, not necessarily a power of two or a multiple of 32
 *   scratch  levels_scratch(n, block) ints in device memory, for the partial sums; holds
 *            anything before and after
 *   sum      one int in device memory
 *
 * The caller owns all buffers. Work is put into the default stream; the call may return before it
 * is done, and keeps nothing from one call to the next, not even memory. Kernels do the work: no
 * data goes by way of the host. Returns cudaSuccess, or the error of the call to CUDA or of the
 * launch that was refused (as for a block of 1025 threads); cudaErrorInvalidValue where block is
 * below 2.
 */
extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum);

#endif
