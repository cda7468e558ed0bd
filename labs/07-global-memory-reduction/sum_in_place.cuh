/*
 * The launches of a sum by levels, as in labs 01 and 02, but in place. Given: this lab is about the
 * kernels.
 */
#ifndef SUM_IN_PLACE_CUH
#define SUM_IN_PLACE_CUH

#include "global_sum.h"

/* One block sums its part of `data`, the blockDim.x ints from data[blockIdx.x * blockDim.x] on (the
 * last block may have fewer), into partials[blockIdx.x]. It may overwrite its part, and no other. */
typedef void in_place_kernel(int *data, size_t n, int *partials);

/* Launches the kernel on `data`, then on the partial sums of the launch before, until one is left,
 * which goes to *sum. Parameters and errors are those of sum_interleaved. */
static inline cudaError_t sum_in_place(in_place_kernel *kernel, int *data, size_t n, unsigned block,
                                       int *scratch, int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);
    for (;;) {
        size_t blocks = (n + block - 1) / block;
        int *partials = blocks > 1 ? scratch : sum;

        kernel<<<(unsigned)blocks, block>>>(data, n, partials);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess || blocks == 1)
            return error;
        data = partials;
        n = blocks;
        scratch += blocks;
    }
}

#endif
