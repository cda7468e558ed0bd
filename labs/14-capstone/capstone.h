/*
 * Lab 14: the sum of n ints and all their prefix sums, at the speed of the memory. Block, grid and
 * means are free. Sources: labs 03, 08 and 11, and what their headers name.
 *
 *   in       n ints in device memory, left unchanged; begins at any multiple of 4 bytes
 *   n        number of ints; any
 *   scratch  scratch_words(n) words of 8 bytes in device memory (shapes.h); hold anything before
 *            and after
 *   sum      one int in device memory; holds anything before
 *   out      n ints in device memory, apart from `in`; begins at any multiple of 4 bytes
 *
 * Sums are modulo 2^32. The caller owns all buffers. Work is put into the default stream; the call
 * may return before it is done, and keeps nothing from one call to the next, not even memory.
 * Kernels do the work: no data goes by way of the host, and no kernel is a library's. Results are
 * right in whichever order the device starts blocks, however few of them it holds at a time.
 * Returns cudaSuccess, or the error of the call to CUDA or of the launch that was refused. That of
 * a launch does not stay pending (cudaGetLastError takes it away); that of another call may.
 *
 * What is counted (the handout has the limits) is counted of 2^20 ints, sectors of 2^19 ints, too,
 * where `in` and `out` begin at a multiple of 16 bytes.
 */
#ifndef CAPSTONE_H
#define CAPSTONE_H

#include "labs/common/not_written.h"
#include "shapes.h"

/* Writes *sum = in[0] + in[1] + ... + in[n - 1]; 0 where n is 0. */
extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum);

/* Writes out[i] = in[0] + in[1] + ... + in[i]; nothing where n is 0. */
extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out);

#endif
