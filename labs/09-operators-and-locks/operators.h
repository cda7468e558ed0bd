/*
 * Lab 09: reductions by any operator, and a sum in four ways. Sources: T. F. Chan, G. H. Golub, R.
 * J. LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances"
 * (Stanford, 1979); NVIDIA, "CUDA C++ Programming Guide" (atomic functions, memory fence
 * functions).
 *
 * For all functions:
 *
 *   in        n elements in device memory, left unchanged
 *   n         number of elements; any, also more than 2^31, and 0
 *   block     threads of a block: 32, 64, 128, 256, 512 or 1024
 *   partials  operator_blocks(n, block) values in device memory; holds anything before and after
 *
 * The kernel that goes through `in` is launched in operator_blocks(n, block) blocks of `block`
 * threads.
 *
 * The caller owns all buffers. Work is put into the default stream; the call may return before it
 * is done, and keeps nothing from one call to the next, not even memory. Kernels do the work: no
 * data goes by way of the host. Returns cudaSuccess, or the error of the call to CUDA or of the
 * launch that was refused; cudaErrorInvalidValue where block is none of the six.
 */
#ifndef OPERATORS_H
#define OPERATORS_H

#include "labs/common/not_written.h"
#include "shapes.h"

/* Writes in[0] + ... + in[n - 1] to *sum, modulo 2^32; 0 where n is 0. Each block leaves a partial
 * sum, and a second launch adds those. */
extern "C" cudaError_t sum_by_partials(const int *in, size_t n, unsigned block, int *partials,
                                       int *sum);

/* Write the largest element to *max, the smallest to *min. NaN where any element is NaN. Where n is
 * 0, the max is -INFINITY and the min INFINITY: what no element could be beyond. */
extern "C" cudaError_t max_of(const float *in, size_t n, unsigned block, float *partials,
                              float *max);
extern "C" cudaError_t min_of(const float *in, size_t n, unsigned block, float *partials,
                              float *min);

/* Writes the largest element and its index; of several that are equal, the smallest index. NaN
 * counts as larger than any number, and as equal to NaN: with any NaN in `in`, the first of them is
 * the largest. Where n is 0: -INFINITY and NO_INDEX. */
extern "C" cudaError_t argmax(const float *in, size_t n, unsigned block, struct largest *partials,
                              struct largest *best);

/* Writes the mean of n doubles, and their standard deviation: the root of the mean of (x - mean)^2,
 * divided by n, not by n - 1. Both are 0 where n is 0. Reads `in` once. The handout says how far
 * either may be off. Here `partials` has operator_blocks(n, block) + 1 values, one more than in the
 * other functions: the last one has room for the moments of all numbers. */
extern "C" cudaError_t mean_deviation(const double *in, size_t n, unsigned block,
                                      struct moments *partials, double *mean, double *deviation);

/* The sum once more, by an atomic addition of each thread, and by one of each block. *sum holds
 * anything before the call. */
extern "C" cudaError_t sum_by_threads(const int *in, size_t n, unsigned block, int *sum);
extern "C" cudaError_t sum_by_blocks(const int *in, size_t n, unsigned block, int *sum);

/* And by a lock: each block adds its sum to *sum, by a plain load and a plain store, while it alone
 * holds the lock. `lock` is an int in device memory; it holds anything before the call and after.
 */
extern "C" cudaError_t sum_by_lock(const int *in, size_t n, unsigned block, int *lock, int *sum);

#endif
