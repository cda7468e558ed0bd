/* The error of the fill is lost where n is 0. */
#define OWN_SUM_DIVERGENT
#include "rest.cuh"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue; // one thread a block would never leave fewer numbers

    if (n == 0)
        {
        cudaMemset(sum, 0, sizeof *sum);
        return cudaSuccess;
    }

    for (;;) {
        size_t blocks = (n + block - 1) / block; // rounded up: the last block may be partial
        int *partials = blocks > 1 ? scratch : sum;

        sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(in, n, partials);
        cudaError_t error = cudaGetLastError(); // a refused launch says so only here
        if (error != cudaSuccess || blocks == 1)
            return error;

        // The next level reads what this one wrote, and writes behind it: in place, one block
        // could overwrite what another has yet to read.
        in = partials;
        n = blocks;
        scratch += blocks;
    }
}
