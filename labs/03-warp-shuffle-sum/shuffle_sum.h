/*
 * Lab 03: sums of floats by shuffles: registers of a warp's lanes, exchanged without memory.
 * Sources: NVIDIA, "CUDA C++ Programming Guide", warp shuffle functions; J. Luitjens, "Faster
 * Parallel Reductions on Kepler" (NVIDIA, 2014).
 */
#ifndef SHUFFLE_SUM_H
#define SHUFFLE_SUM_H

#include <stddef.h>

#include "labs/common/not_written.h"

/*
 * All four: `in` holds n floats in device memory, begins at a multiple of 16 bytes and is left
 * unchanged; n may be any number, also 0 and more than 2^31; the output lies in device memory and
 * holds anything before. The caller owns the buffers. Work is put into the default stream; the call
 * may return before it is done, and keeps nothing from one call to the next, not even memory.
 * Kernels do the work: no data goes by way of the host. They return cudaSuccess, or the error of
 * the call to CUDA or of the launch that was refused (as for a block of 1056 threads);
 * cudaErrorInvalidValue where `block` is 0 or, but in sum_blocks, no multiple of 32: the skeleton
 * sees to that before your code runs. Sums may be rounded in any order.
 */

/* Group g is in[32 g] to in[32 g + 31], of which the last one may be shorter. out[i], i < n, gets
 * the sum of the group that in[i] belongs to. `block`: threads of a block, a multiple of 32. */
extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out);

/* out[g] gets the sum of group g; there are n / 32 of them, rounded up. */
extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out);

/* out[b] gets the sum of in[block b] to in[block b + block - 1], of which the last may be fewer;
 * there are n / block of them, rounded up. `block` is any number from 1 to 1024. */
extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out);

/* *sum gets the sum of all n. `block`: threads of a block, a multiple of 32. */
extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum);

#endif
