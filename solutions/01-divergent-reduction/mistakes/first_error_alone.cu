/* Asks for the error of the first launch alone; those of the next levels are cleared. */
#define OWN_SUM_DIVERGENT
#include "rest.cuh"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);
    const int *first = n > block ? scratch : sum;

    for (;;) {
        size_t blocks = (n + block - 1) / block;
        int *partials = blocks > 1 ? scratch : sum;

        sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(in, n, partials);
        cudaError_t error = cudaGetLastError();
        if (partials == first && error != cudaSuccess)
            return error;
        if (blocks == 1)
            return cudaSuccess;

        in = partials;
        n = blocks;
        scratch += blocks;
    }
}
