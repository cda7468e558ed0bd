/*
 * The launches of a sum by levels, as in lab 01. Given: this lab is about the kernels.
 */
#ifndef SUM_BY_LEVELS_CUH
#define SUM_BY_LEVELS_CUH

#include "sum_halving.h"

/* One block sums one tile of `in` into partials[blockIdx.x]. It gets blockDim.x ints of dynamic
 * shared memory. */
typedef void levels_kernel(const int *in, size_t n, int *partials);

/* Launches the kernel on `in`, then on the partial sums of the launch before, until one is left,
 * which goes to *sum. Parameters and errors are those of sum_halving. */
static inline cudaError_t sum_by_levels(levels_kernel *kernel, const int *in, size_t n,
                                        unsigned block, int *scratch, int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);
    for (;;) {
        size_t blocks = (n + block - 1) / block;
        int *partials = blocks > 1 ? scratch : sum;

        kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(in, n, partials);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess || blocks == 1)
            return error;
        in = partials;
        n = blocks;
        scratch += blocks;
    }
}

#endif
