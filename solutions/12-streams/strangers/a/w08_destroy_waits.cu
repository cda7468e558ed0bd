// Wrong: map_whole takes cudaStreamDestroy for a call that waits, and returns while its work is under way.
// Kind: stream
/* Lab 12: streams. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

/* Copy in, mix and copy out n words in one stream. */
static cudaError_t put(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                       unsigned *out, cudaStream_t stream) {
    cudaError_t error;

    error = cudaMemcpyAsync(buffer, in, n * sizeof *in, cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error = mix_words(buffer, n, rounds, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, buffer, n * sizeof *in, cudaMemcpyDeviceToHost, stream);
    return error;
}

/* An error that is returned must not be found by the caller's next cudaGetLastError. */
static cudaError_t settle(cudaError_t error) {
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return error;
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t stream;
    cudaError_t error, waited;

    if (n == 0)
        return cudaSuccess;
    error = cudaStreamCreate(&stream);
    if (error != cudaSuccess)
        return settle(error);
    error = put(in, n, rounds, buffer, out, stream);
    waited = cudaStreamDestroy(stream);
    if (error == cudaSuccess)
        error = waited;
    return settle(error);
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error;
    unsigned s = 0;

    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return settle(error);
    for (size_t first = 0; first < n && error == cudaSuccess; first += chunk) {
        size_t count = n - first < chunk ? n - first : chunk;
        error = put(in + first, count, rounds, buffer + first, out + first, streams[s]);
        s = (s + 1) % n_streams;
    }
    return settle(close_streams(streams, n_streams, error));
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t streams[2];
    cudaEvent_t mixed;
    cudaError_t error;
    size_t bytes = n * sizeof(unsigned);

    if (n == 0)
        return cudaSuccess;
    error = open_streams(streams, 2);
    if (error != cudaSuccess)
        return settle(error);
    error = cudaEventCreateWithFlags(&mixed, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return settle(close_streams(streams, 2, error));
    error = cudaMemcpyAsync(buffer, a, bytes, cudaMemcpyHostToDevice, streams[0]);
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
    error = close_streams(streams, 2, error);
    cudaError_t gone = cudaEventDestroy(mixed);
    return settle(error != cudaSuccess ? error : gone);
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error;

    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return settle(error);
    size_t chunks = n / chunk + (n % chunk > 0);
    for (size_t k = 0; k < chunks + n_streams && error == cudaSuccess; k++) {
        size_t s = k % n_streams;
        unsigned *coming = stage + s * chunk, *going = stage + (n_streams + s) * chunk;

        if (k >= n_streams) {
            size_t first = (k - n_streams) * chunk;
            size_t count = n - first < chunk ? n - first : chunk;
            error = cudaStreamSynchronize(streams[s]);
            if (error == cudaSuccess)
                memcpy(out + first, going, count * sizeof *out);
        }
        if (k < chunks && error == cudaSuccess) {
            size_t first = k * chunk;
            size_t count = n - first < chunk ? n - first : chunk;
            memcpy(coming, in + first, count * sizeof *in);
            error = put(coming, count, rounds, buffer + s * chunk, going, streams[s]);
        }
    }
    return settle(close_streams(streams, n_streams, error));
}
