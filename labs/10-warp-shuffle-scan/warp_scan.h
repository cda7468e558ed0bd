/*
 * Lab 10: scans by shuffles: of a warp, of a block by two barriers, of n ints.
 * Source of the warp's scan: W. D. Hillis, G. L. Steele, "Data Parallel Algorithms", Communications
 * of the ACM 29 (1986); of a block cut into warps: S. Sengupta, M. Harris, M. Garland, "Efficient
 * Parallel Scan Algorithms for GPUs" (NVIDIA, NVR-2008-003). The code is this lab's own.
 *
 *   in       n ints in device memory, left unchanged; begins at a multiple of 16 bytes
 *   n        number of ints; any that makes fewer than 2^32 blocks
 *   block    threads of a block: a multiple of 32, up to 1024
 *   out      n ints in device memory, apart from `in`; begins at a multiple of 16 bytes
 *
 * Sums are modulo 2^32. Nothing is written where n is 0. Every kernel that goes through `in` has
 * blocks of `block` threads. The caller owns all buffers. Work is put into the default stream; the
 * call may return before it is done, and keeps nothing from one call to the next, not even memory.
 * Kernels do the work: no data goes by way of the host. Returns cudaSuccess, or the error of the
 * call to CUDA or of the launch that was refused (as for a block of 1056 threads);
 * cudaErrorInvalidValue where block is 0 or no multiple of 32.
 */
#ifndef WARP_SCAN_H
#define WARP_SCAN_H

#include "labs/common/levels.h"
#include "labs/common/not_written.h"

/* Scans each 32 neighbouring ints by themselves, inclusive: out[i] = in[i - i % 32] + ... + in[i].
 */
extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out);

/* Scans each `block` neighbouring ints by themselves, inclusive: out[i] = in[i - i % block] + ... +
 * in[i]. One block of threads for each, the last of them perhaps for fewer. */
extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out);

/*
 * Scan all n ints. Inclusive: out[i] = in[0] + in[1] + ... + in[i]. Exclusive: out[i] = in[0] + ...
 * + in[i - 1], and out[0] = 0.
 *
 *   scratch  levels_scratch(n, block) ints in device memory, for the totals of tiles; holds
 *            anything before and after. Enough for tiles of one int a thread; larger ones need less
 */
extern "C" cudaError_t scan_inclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out);
extern "C" cudaError_t scan_exclusive(const int *in, size_t n, unsigned block, int *scratch,
                                      int *out);

#endif
