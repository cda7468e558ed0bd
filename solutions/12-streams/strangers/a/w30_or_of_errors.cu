// Wrong: three errors are joined by ||, so every refused copy or launch is returned as 1, cudaErrorInvalidValue.
// Kind: error
/* Lab 12. Each function has an inner one that only puts work into streams and may return early. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

typedef unsigned word;

#define CHECK(call)                    \
    {                                  \
        cudaError_t check_ = (call);   \
        if (check_ != cudaSuccess)     \
            return check_;             \
    }

static cudaError_t finish(cudaStream_t *streams, unsigned n, cudaError_t error) {
    error = close_streams(streams, n, error);
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return error;
}

static cudaError_t start(cudaStream_t *streams, unsigned n) {
    cudaError_t error = open_streams(streams, n);
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return error;
}

static cudaError_t one_part(const word *in, size_t n, unsigned rounds, word *buffer, word *out,
                            cudaStream_t stream) {
    const size_t bytes = n * sizeof(word);
    if (n == 0)
        return cudaSuccess;
    return (cudaError_t)(cudaMemcpyAsync(buffer, in, bytes, cudaMemcpyHostToDevice, stream) ||
                         mix_words(buffer, n, rounds, stream) ||
                         cudaMemcpyAsync(out, buffer, bytes, cudaMemcpyDeviceToHost, stream));
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t stream;
    CHECK(start(&stream, 1));
    return finish(&stream, 1, one_part(in, n, rounds, buffer, out, stream));
}

static cudaError_t all_chunks(const word *in, size_t n, unsigned rounds, size_t chunk,
                              unsigned n_streams, word *buffer, word *out,
                              const cudaStream_t *streams) {
    size_t k = 0;
    while (n > chunk) {
        CHECK(one_part(in, chunk, rounds, buffer, out, streams[k++ % n_streams]));
        in += chunk;
        buffer += chunk;
        out += chunk;
        n -= chunk;
    }
    return one_part(in, n, rounds, buffer, out, streams[k % n_streams]);
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    CHECK(start(streams, n_streams));
    return finish(streams, n_streams,
                  all_chunks(in, n, rounds, chunk, n_streams, buffer, out, streams));
}

static cudaError_t two_arrays(const word *a, const word *b, size_t n, unsigned rounds, word *buffer,
                              word *out, cudaStream_t sa, cudaStream_t sb, cudaEvent_t event) {
    const size_t bytes = n * sizeof(word);
    word *mixed_a = buffer, *mixed_b = buffer + n;
    CHECK(cudaMemcpyAsync(mixed_a, a, bytes, cudaMemcpyHostToDevice, sa));
    CHECK(mix_words(mixed_a, n, rounds, sa));
    CHECK(cudaMemcpyAsync(mixed_b, b, bytes, cudaMemcpyHostToDevice, sb));
    CHECK(mix_words(mixed_b, n, rounds, sb));
    CHECK(cudaEventRecord(event, sb));
    CHECK(cudaStreamWaitEvent(sa, event, 0));
    CHECK(add_words(mixed_a, mixed_b, n, sa));
    CHECK(cudaMemcpyAsync(out, mixed_a, bytes, cudaMemcpyDeviceToHost, sa));
    return cudaSuccess;
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t streams[2];
    cudaEvent_t event;
    if (n == 0)
        return cudaSuccess;
    CHECK(start(streams, 2));
    cudaError_t error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return finish(streams, 2, error);
    error = two_arrays(a, b, n, rounds, buffer, out, streams[0], streams[1], event);
    error = finish(streams, 2, error);
    cudaEventDestroy(event);
    return error;
}

/* The host waits for each place by events: one says that its way in is free, one that its way out
 * is full. */
struct Signals {
    cudaEvent_t came[MOST_STREAMS], went[MOST_STREAMS];
    unsigned n;
};

static cudaError_t make_signals(struct Signals *signals, unsigned n) {
    for (signals->n = 0; signals->n < n; signals->n++) {
        CHECK(cudaEventCreateWithFlags(&signals->came[signals->n], cudaEventDisableTiming));
        cudaError_t error =
            cudaEventCreateWithFlags(&signals->went[signals->n], cudaEventDisableTiming);
        if (error != cudaSuccess) {
            cudaEventDestroy(signals->came[signals->n]);
            return error;
        }
    }
    return cudaSuccess;
}

static cudaError_t staged(const word *in, size_t n, unsigned rounds, size_t chunk,
                          unsigned n_streams, word *stage, word *buffer, word *out,
                          const cudaStream_t *streams, const struct Signals *signals) {
    const size_t chunks = n / chunk + (n % chunk > 0);
    for (size_t k = 0; k < chunks + n_streams; k++) {
        const size_t s = k % n_streams, first = k * chunk;
        word *up = stage + s * chunk, *down = stage + (s + n_streams) * chunk;
        word *device = buffer + s * chunk;
        if (k < chunks) {
            const size_t count = n - first < chunk ? n - first : chunk;
            if (k >= n_streams)
                CHECK(cudaEventSynchronize(signals->came[s]));
            memcpy(up, in + first, count * sizeof(word));
        }
        if (k >= n_streams) {
            const size_t old = first - n_streams * chunk;
            const size_t count = n - old < chunk ? n - old : chunk;
            CHECK(cudaEventSynchronize(signals->went[s]));
            memcpy(out + old, down, count * sizeof(word));
        }
        if (k < chunks) {
            const size_t count = n - first < chunk ? n - first : chunk;
            const size_t bytes = count * sizeof(word);
            CHECK(cudaMemcpyAsync(device, up, bytes, cudaMemcpyHostToDevice, streams[s]));
            CHECK(cudaEventRecord(signals->came[s], streams[s]));
            CHECK(mix_words(device, count, rounds, streams[s]));
            CHECK(cudaMemcpyAsync(down, device, bytes, cudaMemcpyDeviceToHost, streams[s]));
            CHECK(cudaEventRecord(signals->went[s], streams[s]));
        }
    }
    return cudaSuccess;
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    struct Signals signals;
    if (n == 0)
        return cudaSuccess;
    CHECK(start(streams, n_streams));
    cudaError_t error = make_signals(&signals, n_streams);
    if (error == cudaSuccess)
        error = staged(in, n, rounds, chunk, n_streams, stage, buffer, out, streams, &signals);
    error = finish(streams, n_streams, error);
    for (unsigned i = 0; i < signals.n; i++) {
        cudaEventDestroy(signals.came[i]);
        cudaEventDestroy(signals.went[i]);
    }
    return error;
}
