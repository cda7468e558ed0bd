/* The launch is put into a stream of its own. */
#define OWN_INTERLEAVED
#include "rest.cuh"

extern "C" cudaError_t sum_interleaved(int *data, size_t n, unsigned block, int *scratch,
                                       int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);

    cudaStream_t stream;
    cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    while (error == cudaSuccess) {
        size_t blocks = (n + block - 1) / block;
        int *partials = blocks > 1 ? scratch : sum;

        sum_interleaved_kernel<<<(unsigned)blocks, block, 0, stream>>>(data, n, partials);
        error = cudaGetLastError();
        if (blocks == 1)
            break;
        data = partials;
        n = blocks;
        scratch += blocks;
    }
    return error;
}
