/* A grid has 65,535 blocks at most, as in y and z: each thread takes one int, and the others are left
 * out. */
#define OWN_SUM_DIVERGENT
#include "rest.cuh"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;

    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);

    for (;;) {
        size_t blocks = (n + block - 1) / block;

        if (blocks > 65535)
            blocks = 65535;
        int *partials = blocks > 1 ? scratch : sum;

        sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(in, n, partials);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess || blocks == 1)
            return error;

        in = partials;
        n = blocks;
        scratch += blocks;
    }
}
