// Wrong: combine puts both arrays into the first stream, so b is copied in only when a is mixed: nothing overlaps.
// Kind: stream
/* Lab 12: all of it by one template and lambdas. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

constexpr size_t WORD = sizeof(unsigned);

/* Opens n streams, lets body use them, closes them; the first error of all of it. */
template <typename Body>
static cudaError_t with_streams(unsigned n, Body body) {
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n);
    if (error == cudaSuccess)
        error = close_streams(streams, n, body(streams));
    if (error != cudaSuccess)
        cudaGetLastError();
    return error;
}

/* Runs steps until one of them fails. */
static cudaError_t in_turn() {
    return cudaSuccess;
}

template <typename Step, typename... Steps>
static cudaError_t in_turn(Step step, Steps... steps) {
    cudaError_t error = step();
    return error != cudaSuccess ? error : in_turn(steps...);
}

static auto up(unsigned *to, const unsigned *from, size_t n, cudaStream_t s) {
    return [=] { return cudaMemcpyAsync(to, from, n * WORD, cudaMemcpyHostToDevice, s); };
}
static auto down(unsigned *to, const unsigned *from, size_t n, cudaStream_t s) {
    return [=] { return cudaMemcpyAsync(to, from, n * WORD, cudaMemcpyDeviceToHost, s); };
}
static auto mix(unsigned *words, size_t n, unsigned rounds, cudaStream_t s) {
    return [=] { return mix_words(words, n, rounds, s); };
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    return with_streams(n_streams, [=](cudaStream_t *streams) {
        cudaError_t error = cudaSuccess;
        const size_t chunks = n / chunk + (n % chunk != 0);
        for (size_t k = 0; k < chunks && error == cudaSuccess; k++) {
            const size_t first = k * chunk, count = k + 1 < chunks ? chunk : n - first;
            cudaStream_t s = streams[k % n_streams];
            error = in_turn(up(buffer + first, in + first, count, s),
                            mix(buffer + first, count, rounds, s),
                            down(out + first, buffer + first, count, s));
        }
        return error;
    });
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    return n == 0 ? cudaSuccess : map_chunks(in, n, rounds, n, 1, buffer, out);
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    if (n == 0)
        return cudaSuccess;
    return with_streams(2, [=](cudaStream_t *streams) {
        cudaStream_t sa = streams[0], sb = streams[0];
        cudaEvent_t event;
        cudaError_t error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        if (error != cudaSuccess)
            return error;
        error = in_turn(up(buffer, a, n, sa), mix(buffer, n, rounds, sa),
                        [=] { return cudaEventRecord(event, sa); },
                        up(buffer + n, b, n, sb), mix(buffer + n, n, rounds, sb),
                        [=] { return cudaStreamWaitEvent(sb, event, 0); },
                        [=] { return add_words(buffer + n, buffer, n, sb); },
                        down(out, buffer + n, n, sb));
        cudaError_t gone = cudaEventDestroy(event);
        return error != cudaSuccess ? error : gone;
    });
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    return with_streams(n_streams, [=](cudaStream_t *streams) {
        const size_t chunks = n / chunk + (n % chunk != 0);
        const auto count = [=](size_t k) { return k + 1 < chunks ? chunk : n - k * chunk; };
        const auto send = [=](size_t k) {
            const size_t s = k % n_streams;
            unsigned *to = stage + (2 * s + 1) * chunk, *from = stage + 2 * s * chunk;
            memcpy(from, in + k * chunk, count(k) * WORD);
            return in_turn(up(buffer + s * chunk, from, count(k), streams[s]),
                           mix(buffer + s * chunk, count(k), rounds, streams[s]),
                           down(to, buffer + s * chunk, count(k), streams[s]));
        };
        const auto receive = [=](size_t k) {
            const size_t s = k % n_streams;
            cudaError_t error = cudaStreamSynchronize(streams[s]);
            if (error == cudaSuccess)
                memcpy(out + k * chunk, stage + (2 * s + 1) * chunk, count(k) * WORD);
            return error;
        };
        cudaError_t error = cudaSuccess;
        size_t sent = 0, received = 0;
        while (received < chunks && error == cudaSuccess)
            if (sent < chunks && sent - received < n_streams)
                error = send(sent++);
            else
                error = receive(received++);
        return error;
    });
}
