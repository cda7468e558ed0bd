/*
 * The launches of the seven sums. Given: this lab is about the kernels.
 */
#ifndef LAUNCHES_CUH
#define LAUNCHES_CUH

#include "ladder.h"

/* One block sums its share of `in` into partials[blockIdx.x]. It gets blockDim.x ints of dynamic
 * shared memory. */
typedef void ladder_kernel(const int *in, size_t n, int *partials);

/* A power of two, from 64 to 1024. */
static inline bool is_block(unsigned block) {
    return block >= 64 && block <= 1024 && (block & (block - 1)) == 0;
}

/* Launches the kernel on `in`, then on the partial sums of the launch before, until one is left,
 * which goes to *sum. Each block has a share of `share` ints, the last one may have fewer. The other
 * parameters and the errors are those of ladder.h; cudaErrorInvalidValue where the kernel is NULL, too.
 */
static inline cudaError_t sum_by_levels(ladder_kernel *kernel, const int *in, size_t n,
                                        unsigned block, unsigned share, int *scratch, int *sum) {
    if (kernel == NULL || !is_block(block) || share < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);
    for (;;) {
        size_t blocks = (n + share - 1) / share;
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

/* For kernels whose blocks, however many there are, share all ints among them: launches the kernel
 * in `blocks` blocks, and where these are more than one, once more in one block, on their partial
 * sums. Errors are those of sum_by_levels, and
 * cudaErrorInvalidValue where there are 0 blocks, or more than n / block, rounded up. */
static inline cudaError_t sum_by_grid(ladder_kernel *kernel, const int *in, size_t n,
                                      unsigned block, size_t blocks, int *scratch, int *sum) {
    if (kernel == NULL || !is_block(block))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);
    if (blocks == 0 || blocks > levels_n(n, block, 1))
        return cudaErrorInvalidValue;
    kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(in, n, blocks > 1 ? scratch : sum);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || blocks == 1)
        return error;
    kernel<<<1, block, block * sizeof(int)>>>(scratch, blocks, sum);
    return cudaGetLastError();
}

#endif
