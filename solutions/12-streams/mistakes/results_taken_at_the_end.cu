/* Each stream has one place of stage, and the host takes results only when all chunks are back. */
#define OWN_MAP_STAGED
#include "rest.cuh"

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);

    if (error != cudaSuccess)
        return error;
    size_t n_chunks = n / chunk + (n % chunk != 0);
    for (size_t k = 0; k < n_chunks && error == cudaSuccess; k++) {
        unsigned slot = (unsigned)(k % n_streams);
        size_t first = k * chunk, count = n - first < chunk ? n - first : chunk;
        unsigned *coming = stage + slot * chunk, *going = stage + (n_streams + slot) * chunk;
        error = cudaStreamSynchronize(streams[slot]);
        memcpy(coming, in + first, count * sizeof *in);
        if (error == cudaSuccess)
            error = put(coming, count, rounds, buffer + slot * chunk, going, streams[slot]);
    }
    error = close_streams(streams, n_streams, error);
    for (size_t k = 0; k < n_chunks && error == cudaSuccess; k++) {
        size_t first = k * chunk, count = n - first < chunk ? n - first : chunk;
        memcpy(out + first, stage + (n_streams + k % n_streams) * chunk, count * sizeof *out);
    }
    return error;
}
