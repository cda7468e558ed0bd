/*
 * Lab 00: the first kernel. Numbers times a factor, then the negative of a picture. The launch, the
 * numbers of blocks and threads and the grid-stride loop are those of NVIDIA's CUDA C++ Programming
 * Guide and of M. Harris, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops" (2013).
 *
 * All functions: where there is nothing to do (n, width or height is 0), nothing is launched and
 * cudaSuccess is returned. `in` and `out` are different arrays. Products wrap around at 2^32. Work
 * is put into the default stream. Nothing is kept from one call to the next, not even memory. A
 * function returns cudaSuccess, or the error of the call to CUDA or of the launch that was refused
 * (as for a block of 1025 threads, or a grid of more than 2^31 - 1 blocks). Which kernels of yours
 * a function launches, and how many, is yours to choose.
 */
#ifndef FIRST_KERNEL_H
#define FIRST_KERNEL_H

#include <stddef.h>

#include "labs/common/not_written.h"

/*
 * out[i] = factor * in[i], for all i from 0 to n - 1: a thread for each number.
 *
 *   in       n ints in device memory, which stay as they are
 *   n        any that makes fewer than 2^32 blocks, also more than 2^31
 *   factor   any int
 *   block    threads of a block, 1 to 1024; there are as many blocks as n needs, and no more
 *   out      n ints in device memory
 */
extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out);

/*
 * The same for arrays in the host's memory: a whole program. Blocks have 256 threads. How the
 * numbers come to the device is yours to choose. When the function returns, `out` is there, and all
 * device memory that it has allocated is free again, also after an error.
 */
extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out);

/*
 * The negative of a picture: out = 255 - in for each pixel, which is an int from 0 (black) to 255
 * (white). Blocks have 32 threads in x and 8 in y, and a thread has one pixel: neighbours in x have
 * neighbours of a row.
 *
 *   in, out         pictures in device memory; `in` stays as it is
 *   width, height   pixels of a row, and rows: up to 2^20, and 524,280 (65,535 blocks in y); 0, too
 *   pitch           bytes from the start of a row to the start of the next, in both pictures: a
 *                   multiple of 4, and 4 * width or more. What lies between the end of a row and
 *                   the start of the next belongs to others, and is not written.
 */
extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out);

/*
 * The same as scale, but with a grid that is given: `blocks` blocks (1 or more, neither more nor
 * fewer), whose threads go on to the next numbers until all n are done.
 */
extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out);

#endif
