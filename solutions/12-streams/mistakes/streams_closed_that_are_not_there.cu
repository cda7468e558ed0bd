/* Where a stream can't be made, all are waited for and destroyed once more. */
#define OWN_MAP_CHUNKS
#include "rest.cuh"

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);

    unsigned turn = 0;
    for (size_t first = 0; first < n && error == cudaSuccess; turn++) {
        size_t count = n - first < chunk ? n - first : chunk;
        error = put(in + first, count, rounds, buffer + first, out + first,
                    streams[turn % n_streams]);
        first += count;
    }
    return close_streams(streams, n_streams, error);
}
