/*
 * Lab 13: the product of two matrices of floats, by blocks of several shapes.
 * Source of the tiles: NVIDIA, "CUDA C++ Programming Guide", shared memory; of several results a
 * thread: V. Volkov, J. W. Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra" (SC 2008). The
 * code is this lab's own.
 *
 * A matrix lies row by row, without a gap: element (row, column) of one with `n` columns is at
 * [row * n + column].
 *
 *   a        m rows of k floats in device memory, left unchanged
 *   b        k rows of n floats in device memory, left unchanged
 *   bt       the same matrix transposed: n rows of k floats. Row j of bt is column j of b
 *   m, n, k  any, 0 too, as long as no matrix has more than 2^31 - 64 elements, m is at most
 *            524,280 (65,535 blocks of 8 rows), and n and k at most 2^31 - 64
 *   edge     blocks have edge × edge threads: 8, 16 or 32; else cudaErrorInvalidValue, which the
 *            skeleton sees to. A thread makes one element of c: neighbours in x have neighbours of
 *            a row. No more blocks are launched than the elements of c need
 *   c        m rows of n floats in device memory, apart from the others. c = a · b, so that c[i][j]
 *            is a[i][0] * b[0][j] + ... + a[i][k - 1] * b[k - 1][j], and 0 where k is 0
 *
 * All arrays begin at a multiple of 16 bytes. Each element of c is a sum in floats, in any order,
 * with multiply-add in one rounding or in two. It may be off by k * u / (1 - k * u) times the sum
 * of all |a[i][l] * b[l][j]|, where u = 2^-24 (the handout derives it).
 *
 * Nothing is launched where m or n is 0. The caller owns all arrays. Work is put into the default
 * stream; kernels do it. Nothing is kept from one call to the next, not even memory. Each function
 * returns cudaSuccess, or the error of the call to CUDA or of the launch that was refused.
 */
#ifndef MATRIX_PRODUCT_H
#define MATRIX_PRODUCT_H

#include <stddef.h>

#include "labs/common/not_written.h"

/* Each thread reads its row of a and its column of b from global memory. */
extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c);

/* Each block goes along its rows of a and its columns of b in tiles of edge × edge floats, which
 * its threads load into shared memory together. */
extern "C" cudaError_t product_tiled(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c);

/* The same of bt in place of b: c = a · b all the same. Rows of bt are read along the row. */
extern "C" cudaError_t product_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                          unsigned k, unsigned edge, float *c);

/* The same; lanes that read a column of a tile in shared memory never meet in one bank. */
extern "C" cudaError_t product_padded(const float *a, const float *bt, unsigned m, unsigned n,
                                      unsigned k, unsigned edge, float *c);

/* c = a · b, and each thread makes several elements of c, of a shape that is yours to choose:
 * blocks of any size, tiles of any size. */
extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c);

#endif
