/*
 * Lab 05: pi by the composite trapezoidal rule, pi / 4 being the area under sqrt(1 - x * x) from 0
 * to 1. The rule is in every book on numerical analysis; the error at x = 1 is worked out in the
 * handout.
 */
#ifndef PI_TRAPEZOID_H
#define PI_TRAPEZOID_H

#include <stddef.h>

#include "labs/common/not_written.h"

/*
 * Writes 4 h (f(0) / 2 + f(h) + f(2 h) + ... + f((n - 1) h) + f(1) / 2) to *pi, with h = 1 / n and
 * f(x) = sqrt(1 - x * x): the rule's value for n intervals, which is not pi. 0 where n is 0.
 *
 *   n        number of intervals; any, also more than 2^32
 *   block    threads of a block, 1 to 1024, not necessarily a power of two or a multiple of 32
 *   blocks   blocks of the grid that evaluates f, 1 or more: neither more nor fewer are launched
 *   scratch  `blocks` doubles in device memory, for partial sums; holds anything before and after
 *   pi       one double in device memory
 *
 * With k = ceil((n + 1) / (block * blocks)) points a thread, u = 2^-53 and the rule's exact value
 * P, the result is right where |*pi - P| <= pi u (k + block + blocks + 7) + 4 sqrt(u) / n.
 *
 * The caller owns all buffers. Work is put into the default stream; the call may return before it
 * is done, and keeps nothing from one call to the next, not even memory. Kernels do the work: no
 * data goes by way of the host. Returns cudaSuccess, or the error of the call to CUDA or of the
 * launch that was refused (as for a block of 1025 threads).
 */
extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi);

#endif
