/*
 * Lab 04: the scan (all prefix sums) of n ints, in shared memory.
 * Source of the block's scan: W. D. Hillis, G. L. Steele, "Data Parallel Algorithms",
 * Communications of the ACM 29 (1986); the three phases are folklore, the code is this lab's own.
 */
#ifndef SCAN_SHARED_H
#define SCAN_SHARED_H

#include "labs/common/levels.h"
#include "labs/common/not_written.h"

/*
 * Inclusive: out[i] = in[0] + in[1] + ... + in[i]. Exclusive: out[i] = in[0] + ... + in[i - 1], and
 * out[0] = 0. Both modulo 2^32, for all i below n; nothing is written where n is 0.
 *
 *   in       n ints in device memory, left unchanged; begins at a multiple of 16 bytes
 *   n        number of ints; any that makes fewer than 2^32 blocks
 *   block    threads of a block, 2 to 1024, not necessarily a power of two or a multiple of 32
 *   scratch  levels_scratch(n, block) ints in device memory, for the totals of tiles; holds
 *            anything before and after. Enough for tiles of one int a thread; larger ones need less
 *   out      n ints in device memory, apart from `in`; begins at a multiple of 16 bytes
 *
 * The caller owns all buffers. Work is put into the default stream; the call may return before it
 * is done, and keeps nothing from one call to the next, not even memory. Kernels do the work: no
 * data goes by way of the host. Returns cudaSuccess, or the error of the call to CUDA or of the
 * launch that was refused (as for a block of 1025 threads); cudaErrorInvalidValue where block is
 * below 2.
 */
extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out);
extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out);

#endif
