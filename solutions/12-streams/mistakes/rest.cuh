/* The rest of the answer: what a mistake of this folder leaves as it should be. A mistake that has a
 * function of its own says so before it includes this. */
#include <string.h>

#include "work.cuh"

static cudaError_t put(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer, unsigned *out,
                       cudaStream_t stream);
static cudaError_t put_both(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                            unsigned *buffer, unsigned *out, cudaStream_t *streams,
                            cudaEvent_t mixed);

#ifndef OWN_PUT
/* Copy in, mix, copy out, one after the other in a stream. */
static cudaError_t put(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer, unsigned *out,
                       cudaStream_t stream) {
    size_t bytes = n * sizeof *in;
    cudaError_t error = cudaMemcpyAsync(buffer, in, bytes, cudaMemcpyHostToDevice, stream);

    if (error == cudaSuccess)
        error = mix_words(buffer, n, rounds, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, buffer, bytes, cudaMemcpyDeviceToHost, stream);
    return error;
}
#endif

#ifndef OWN_MAP_WHOLE
extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t stream;
    cudaError_t error = cudaStreamCreate(&stream);

    if (error != cudaSuccess)
        return error;
    error = put(in, n, rounds, buffer, out, stream);
    cudaError_t waited = cudaStreamSynchronize(stream);
    cudaError_t gone = cudaStreamDestroy(stream);
    return error != cudaSuccess ? error : waited != cudaSuccess ? waited : gone;
}
#endif

#ifndef OWN_MAP_CHUNKS
extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);

    if (error != cudaSuccess)
        return error;
    unsigned turn = 0;
    for (size_t first = 0; first < n && error == cudaSuccess; turn++) {
        size_t count = n - first < chunk ? n - first : chunk;
        error = put(in + first, count, rounds, buffer + first, out + first,
                    streams[turn % n_streams]);
        first += count;
    }
    return close_streams(streams, n_streams, error);
}
#endif

#ifndef OWN_PUT_BOTH
/* Both arrays, each in its stream; the first one goes on when the second one is mixed. */
static cudaError_t put_both(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                            unsigned *buffer, unsigned *out, cudaStream_t *streams,
                            cudaEvent_t mixed) {
    size_t bytes = n * sizeof *a;
    cudaError_t error = cudaMemcpyAsync(buffer, a, bytes, cudaMemcpyHostToDevice, streams[0]);

    if (error == cudaSuccess)
        error = mix_words(buffer, n, rounds, streams[0]);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(buffer + n, b, bytes, cudaMemcpyHostToDevice, streams[1]);
    if (error == cudaSuccess)
        error = mix_words(buffer + n, n, rounds, streams[1]);
    if (error == cudaSuccess)
        error = cudaEventRecord(mixed, streams[1]);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(streams[0], mixed, 0);
    if (error == cudaSuccess)
        error = add_words(buffer, buffer + n, n, streams[0]);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, buffer, bytes, cudaMemcpyDeviceToHost, streams[0]);
    return error;
}
#endif

#ifndef OWN_COMBINE
extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t streams[2];
    cudaEvent_t mixed;
    cudaError_t error = open_streams(streams, 2);

    if (error != cudaSuccess)
        return error;
    error = cudaEventCreateWithFlags(&mixed, cudaEventDisableTiming);
    if (error == cudaSuccess) {
        error = put_both(a, b, n, rounds, buffer, out, streams, mixed);
        cudaError_t gone = cudaEventDestroy(mixed);
        error = error != cudaSuccess ? error : gone;
    }
    return close_streams(streams, 2, error);
}
#endif

#ifndef OWN_MAP_STAGED
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
            error = cudaStreamSynchronize(streams[slot]);
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
#endif
