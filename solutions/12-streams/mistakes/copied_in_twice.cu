/* The words go to the device once more than they need to. */
#define OWN_MAP_WHOLE
#include "rest.cuh"

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t stream;
    cudaError_t error = cudaStreamCreate(&stream);

    if (error != cudaSuccess)
        return error;
    error = cudaMemcpyAsync(buffer, in, n * sizeof *in, cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error = put(in, n, rounds, buffer, out, stream);
    cudaError_t waited = cudaStreamSynchronize(stream);
    cudaError_t gone = cudaStreamDestroy(stream);
    return error != cudaSuccess ? error : waited != cudaSuccess ? waited : gone;
}
