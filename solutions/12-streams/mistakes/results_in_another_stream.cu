/* The copy back is in the stream of the next chunk, which does not wait for the kernel. */
#define OWN_MAP_CHUNKS
#include "rest.cuh"

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);

    if (error != cudaSuccess)
        return error;
    for (size_t first = 0, k = 0; first < n && error == cudaSuccess; first += chunk, k++) {
        size_t count = n - first < chunk ? n - first : chunk, bytes = count * sizeof *in;
        cudaStream_t stream = streams[k % n_streams], next = streams[(k + 1) % n_streams];
        error = cudaMemcpyAsync(buffer + first, in + first, bytes, cudaMemcpyHostToDevice, stream);
        if (error == cudaSuccess)
            error = mix_words(buffer + first, count, rounds, stream);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(out + first, buffer + first, bytes, cudaMemcpyDeviceToHost, next);
    }
    return close_streams(streams, n_streams, error);
}
