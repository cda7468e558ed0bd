/* Its stream does not wait for the default stream, nor that one for it. */
#define OWN_SUM_DIVERGENT
#include "rest.cuh"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);

    static cudaStream_t own;
    if (own == NULL && cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) != cudaSuccess)
        return cudaGetLastError();

    for (;;) {
        size_t blocks = (n + block - 1) / block;
        int *partials = blocks > 1 ? scratch : sum;

        sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int), own>>>(in, n,
                                                                                     partials);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess || blocks == 1)
            return error;

        in = partials;
        n = blocks;
        scratch += blocks;
    }
}
