/*
 * Lab 08: the sum of n ints by seven kernels, each of which mends one thing of the one before it.
 * Source of the seven: M. Harris, "Optimizing Parallel Reduction in CUDA" (NVIDIA, 2007).
 */
#ifndef LADDER_H
#define LADDER_H

#include "labs/common/levels.h"
#include "labs/common/not_written.h"

/*
 * Each of them writes in[0] + in[1] + ... + in[n - 1] to *sum, modulo 2^32; 0 where n is 0.
 *
 *   in       n ints in device memory, left unchanged
 *   n        number of ints; any that makes fewer than 2^32 blocks, also more than 2^31
 *   block    threads of a block: 64, 128, 256, 512 or 1024
 *   scratch  levels_scratch(n, block) ints in device memory, for the partial sums; holds anything
 *            before and after
 *   sum      one int in device memory
 *
 * The caller owns all buffers. Work is put into the default stream; the call may return before it
 * is done, and keeps nothing from one call to the next, not even memory. Kernels do the work: no
 * data goes by way of the host. Returns cudaSuccess, or the error of the call to CUDA or of the
 * launch that was refused; cudaErrorInvalidValue where block is none of the five.
 */

/* Interleaved addressing: the stride doubles, and threads that are multiples of 2 * stride add. */
extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum);

/* The same words, added by the first threads: bank conflicts in place of divergence. */
extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch, int *sum);

/* Sequential addressing: the stride halves, and neighbouring threads have neighbouring words. */
extern "C" cudaError_t sum_sequential(const int *in, size_t n, unsigned block, int *scratch,
                                      int *sum);

/* The same, and each thread adds two ints while it loads: a block sums 2 * block of them. */
extern "C" cudaError_t sum_first_add(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum);

/* The same, and the last 64 words are added by one warp, without a loop and without barriers of the
 * block. */
extern "C" cudaError_t sum_last_warp(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum);

/* The same, and the loop is gone: the compiler knows the block's size. */
extern "C" cudaError_t sum_unrolled(const int *in, size_t n, unsigned block, int *scratch,
                                    int *sum);

/* The same, and each thread adds many ints before the tree begins. */
extern "C" cudaError_t sum_many(const int *in, size_t n, unsigned block, int *scratch, int *sum);

#endif
