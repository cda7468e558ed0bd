// Wrong: map_chunks waits for a row of chunks before it begins the next, so engines idle and 75 % is out of reach.
// Kind: barrier
/* Lab 12, breadth first: the pieces of one sort for a row of streams, then those of the next. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

struct span {
    size_t first, count;
};

static struct span nth(size_t n, size_t chunk, size_t k) {
    struct span span = {k * chunk, chunk};
    if (span.count > n - span.first)
        span.count = n - span.first;
    return span;
}

static size_t how_many(size_t n, size_t chunk) {
    return n == 0 ? 0 : (n - 1) / chunk + 1;
}

static void copy(cudaError_t *error, unsigned *to, const unsigned *from, size_t n,
                 cudaMemcpyKind kind, cudaStream_t stream) {
    if (*error == cudaSuccess)
        *error = cudaMemcpyAsync(to, from, n * sizeof *to, kind, stream);
}

static void mix(cudaError_t *error, unsigned *words, size_t n, unsigned rounds,
                cudaStream_t stream) {
    if (*error == cudaSuccess)
        *error = mix_words(words, n, rounds, stream);
}

static cudaError_t leave(cudaStream_t *streams, unsigned n, cudaError_t error) {
    error = close_streams(streams, n, error);
    if (error != cudaSuccess)
        cudaGetLastError();
    return error;
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t stream;
    cudaError_t error = open_streams(&stream, 1);
    if (error != cudaSuccess)
        return leave(&stream, 0, error);
    copy(&error, buffer, in, n, cudaMemcpyHostToDevice, stream);
    mix(&error, buffer, n, rounds, stream);
    copy(&error, out, buffer, n, cudaMemcpyDeviceToHost, stream);
    return leave(&stream, 1, error);
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return leave(streams, 0, error);
    const size_t chunks = how_many(n, chunk);
    for (size_t row = 0; row < chunks; row += n_streams) {
        const unsigned wide = chunks - row < n_streams ? (unsigned)(chunks - row) : n_streams;
        for (unsigned s = 0; s < wide; s++) {
            const struct span p = nth(n, chunk, row + s);
            copy(&error, buffer + p.first, in + p.first, p.count, cudaMemcpyHostToDevice,
                 streams[s]);
        }
        for (unsigned s = 0; s < wide; s++) {
            const struct span p = nth(n, chunk, row + s);
            mix(&error, buffer + p.first, p.count, rounds, streams[s]);
        }
        for (unsigned s = 0; s < wide; s++) {
            const struct span p = nth(n, chunk, row + s);
            copy(&error, out + p.first, buffer + p.first, p.count, cudaMemcpyDeviceToHost,
                 streams[s]);
        }
        for (unsigned s = 0; s < wide && error == cudaSuccess; s++)
            error = cudaStreamSynchronize(streams[s]);
        if (error != cudaSuccess)
            break;
    }
    return leave(streams, n_streams, error);
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t streams[2];
    cudaEvent_t events[2];
    unsigned made = 0;
    const unsigned *arrays[2] = {a, b};
    cudaError_t error = open_streams(streams, 2);
    if (error != cudaSuccess)
        return leave(streams, 0, error);
    while (made < 2 && error == cudaSuccess) {
        error = cudaEventCreateWithFlags(&events[made], cudaEventDisableTiming);
        made += error == cudaSuccess;
    }
    /* The sum is made in halves: each stream adds and brings back one half. */
    const size_t half = n / 2;
    for (int i = 0; i < 2; i++)
        copy(&error, buffer + i * n, arrays[i], n, cudaMemcpyHostToDevice, streams[i]);
    for (int i = 0; i < 2; i++)
        mix(&error, buffer + i * n, n, rounds, streams[i]);
    for (int i = 0; i < 2 && error == cudaSuccess; i++)
        error = cudaEventRecord(events[i], streams[i]);
    for (int i = 0; i < 2 && error == cudaSuccess; i++) {
        const size_t first = i * half, count = i == 0 ? half : n - half;
        error = cudaStreamWaitEvent(streams[i], events[1 - i], 0);
        if (error == cudaSuccess)
            error = add_words(buffer + first, buffer + n + first, count, streams[i]);
        copy(&error, out + first, buffer + first, count, cudaMemcpyDeviceToHost, streams[i]);
    }
    error = leave(streams, 2, error);
    while (made > 0)
        cudaEventDestroy(events[--made]);
    return error;
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return leave(streams, 0, error);
    const size_t chunks = how_many(n, chunk);
    unsigned *const going = stage + n_streams * chunk;
    size_t back = 0;
    for (size_t k = 0; back < chunks && error == cudaSuccess; k++) {
        const size_t place = k % n_streams * chunk;
        cudaStream_t stream = streams[k % n_streams];
        if (k >= n_streams) {
            const struct span old = nth(n, chunk, back);
            error = cudaStreamSynchronize(stream);
            if (error != cudaSuccess)
                break;
            memcpy(out + old.first, going + place, old.count * sizeof *out);
            back++;
        }
        if (k < chunks) {
            const struct span p = nth(n, chunk, k);
            memcpy(stage + place, in + p.first, p.count * sizeof *in);
            copy(&error, buffer + place, stage + place, p.count, cudaMemcpyHostToDevice, stream);
            mix(&error, buffer + place, p.count, rounds, stream);
            copy(&error, going + place, buffer + place, p.count, cudaMemcpyDeviceToHost, stream);
        }
    }
    return leave(streams, n_streams, error);
}
