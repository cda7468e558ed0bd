/*
 * Lab 01: the sum of n ints by a tree in shared memory, the divergent way.
 * Source of the scheme: M. Harris, "Optimizing Parallel Reduction in CUDA" (NVIDIA, 2007), first
 * version; the launches over several levels are this lab's own.
 */
#ifndef SUM_DIVERGENT_H
#define SUM_DIVERGENT_H

#include <stddef.h>

/* How many ints of scratch a sum of n ints needs in blocks of `block` threads: one for each partial
 * sum of each level, the last level's single one included. Levels lie one after the other. */
static inline size_t sum_divergent_scratch(size_t n, unsigned block) {
    size_t total = 1;
    while (n > block) {
        n = (n + block - 1) / block;
        total += n;
    }
    return total;
}

#ifdef __CUDACC__

#include <cuda_runtime.h>

/* What an entry point returns until it is written. */
#define LAB_NOT_WRITTEN cudaErrorNotYetImplemented

/*
 * Writes in[0] + in[1] + ... + in[n - 1] to *sum, modulo 2^32; 0 where n is 0.
 *
 *   in       n ints in device memory, left unchanged
 *   n        number of ints; any, also more than 2^31
 *   block    threads of a block, 2 to 1024, not necessarily a power of two or a multiple of 32
 *   scratch  sum_divergent_scratch(n, block) ints in device memory, for the partial sums; holds
 *            anything before and after
 *   sum      one int in device memory
 *
 * The caller owns all buffers. Work is put into the default stream; the call may return before it
 * is done, and keeps nothing from one call to the next. Returns cudaSuccess, or the error of the
 * launch that was refused (as for a block of 1025 threads); cudaErrorInvalidValue where block is
 * below 2.
 */
extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum);

#endif
#endif
