/* The host writes into a place of stage, and reads from it, without waiting for its stream. */
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
    for (size_t k = 0; k < n_chunks + n_streams && error == cudaSuccess; k++) {
        unsigned slot = (unsigned)(k % n_streams);
        unsigned *coming = stage + slot * chunk, *going = stage + (n_streams + slot) * chunk;
        if (k >= n_streams && k - n_streams < n_chunks) { // the chunk that was here before is done
            size_t first = (k - n_streams) * chunk;
            memcpy(out + first, going, (n - first < chunk ? n - first : chunk) * sizeof *out);
        }
        if (k < n_chunks && error == cudaSuccess) {
            size_t first = k * chunk, count = n - first < chunk ? n - first : chunk;
            memcpy(coming, in + first, count * sizeof *in);
            error = put(coming, count, rounds, buffer + slot * chunk, going, streams[slot]);
        }
    }
    return close_streams(streams, n_streams, error);
}
