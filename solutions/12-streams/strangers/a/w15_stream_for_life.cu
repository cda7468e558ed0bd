// Wrong: map_whole makes its stream once and keeps it in a static variable, so a stream is left after each call.
// Kind: stream
/* Lab 12. C style: one way out of each function. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

#define TRY(call)                       \
    do {                                \
        if ((err = (call)) != cudaSuccess) \
            goto out_of_here;           \
    } while (0)
#define WORDS(n) ((n) * sizeof(unsigned))

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    static cudaStream_t st;
    cudaError_t err = st == NULL ? open_streams(&st, 1) : cudaSuccess;
    if (err != cudaSuccess) {
        cudaGetLastError();
        return err;
    }
    TRY(cudaMemcpyAsync(buffer, in, WORDS(n), cudaMemcpyHostToDevice, st));
    TRY(mix_words(buffer, n, rounds, st));
    TRY(cudaMemcpyAsync(out, buffer, WORDS(n), cudaMemcpyDeviceToHost, st));
out_of_here:
    cudaError_t waited = cudaStreamSynchronize(st);
    if (err == cudaSuccess)
        err = waited;
    if (err != cudaSuccess)
        cudaGetLastError();
    return err;
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    cudaStream_t st[MOST_STREAMS];
    cudaError_t err;
    size_t at = 0, left = n, len;
    unsigned k = 0;

    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    err = open_streams(st, n_streams);
    if (err != cudaSuccess) {
        cudaGetLastError();
        return err;
    }
    while (left > 0) {
        len = left < chunk ? left : chunk;
        TRY(cudaMemcpyAsync(buffer + at, in + at, WORDS(len), cudaMemcpyHostToDevice, st[k]));
        TRY(mix_words(buffer + at, len, rounds, st[k]));
        TRY(cudaMemcpyAsync(out + at, buffer + at, WORDS(len), cudaMemcpyDeviceToHost, st[k]));
        at += len;
        left -= len;
        if (++k == n_streams)
            k = 0;
    }
out_of_here:
    err = close_streams(st, n_streams, err);
    if (err != cudaSuccess)
        cudaGetLastError();
    return err;
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t st[2];
    cudaEvent_t ready = NULL;
    unsigned *da = buffer, *db = buffer + n;
    cudaError_t err = open_streams(st, 2);
    if (err != cudaSuccess) {
        cudaGetLastError();
        return err;
    }
    TRY(cudaEventCreate(&ready));
    TRY(cudaMemcpyAsync(db, b, WORDS(n), cudaMemcpyHostToDevice, st[1]));
    TRY(mix_words(db, n, rounds, st[1]));
    TRY(cudaEventRecord(ready, st[1]));
    TRY(cudaMemcpyAsync(da, a, WORDS(n), cudaMemcpyHostToDevice, st[0]));
    TRY(mix_words(da, n, rounds, st[0]));
    TRY(cudaStreamWaitEvent(st[0], ready, 0));
    TRY(add_words(da, db, n, st[0]));
    TRY(cudaMemcpyAsync(out, da, WORDS(n), cudaMemcpyDeviceToHost, st[0]));
out_of_here:
    err = close_streams(st, 2, err);
    if (ready != NULL)
        cudaEventDestroy(ready);
    if (err != cudaSuccess)
        cudaGetLastError();
    return err;
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    cudaStream_t st[MOST_STREAMS];
    size_t held[MOST_STREAMS] = {0}, from[MOST_STREAMS] = {0};
    size_t at = 0, len;
    unsigned k = 0, idle = 0;
    cudaError_t err;

    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    err = open_streams(st, n_streams);
    if (err != cudaSuccess) {
        cudaGetLastError();
        return err;
    }
    /* Round the places until all of them were found empty with nothing left to fill them. */
    while (idle < n_streams) {
        unsigned *up = stage + 2 * k * chunk, *down = up + chunk, *dev = buffer + k * chunk;
        if (held[k] > 0) {
            TRY(cudaStreamSynchronize(st[k]));
            memcpy(out + from[k], down, WORDS(held[k]));
            held[k] = 0;
        }
        if (at < n) {
            len = n - at < chunk ? n - at : chunk;
            memcpy(up, in + at, WORDS(len));
            TRY(cudaMemcpyAsync(dev, up, WORDS(len), cudaMemcpyHostToDevice, st[k]));
            TRY(mix_words(dev, len, rounds, st[k]));
            TRY(cudaMemcpyAsync(down, dev, WORDS(len), cudaMemcpyDeviceToHost, st[k]));
            held[k] = len;
            from[k] = at;
            at += len;
        } else {
            idle++;
        }
        k = (k + 1) % n_streams;
    }
out_of_here:
    err = close_streams(st, n_streams, err);
    if (err != cudaSuccess)
        cudaGetLastError();
    return err;
}
