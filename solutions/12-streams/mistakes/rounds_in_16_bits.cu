/* Rounds are kept in 16 bits. */
#define OWN_PUT
#include "rest.cuh"

static cudaError_t put(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer, unsigned *out,
                       cudaStream_t stream) {
    unsigned short times = (unsigned short)rounds;
    size_t bytes = n * sizeof *in;
    cudaError_t error = cudaMemcpyAsync(buffer, in, bytes, cudaMemcpyHostToDevice, stream);

    if (error == cudaSuccess)
        error = mix_words(buffer, n, times, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, buffer, bytes, cudaMemcpyDeviceToHost, stream);
    return error;
}
