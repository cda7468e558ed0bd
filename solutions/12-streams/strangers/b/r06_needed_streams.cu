// Right: map_chunks opens no more streams than there are chunks, and none where n is 0.
/* Lab 12: streams, with a ring of places for the host's part. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

static size_t least(size_t x, size_t y) {
    return x < y ? x : y;
}

/* The earlier error of two; CUDA's record of it is wiped, since the caller is told. */
static cudaError_t earlier(cudaError_t first, cudaError_t second) {
    cudaError_t error = first != cudaSuccess ? first : second;
    if (error != cudaSuccess)
        cudaGetLastError();
    return error;
}

static cudaError_t enqueue(unsigned *to, unsigned *device, const unsigned *from, size_t n,
                           unsigned rounds, cudaStream_t stream) {
    const size_t bytes = n * sizeof(unsigned);
    cudaError_t error = cudaMemcpyAsync(device, from, bytes, cudaMemcpyHostToDevice, stream);
    if (error != cudaSuccess)
        return error;
    error = mix_words(device, n, rounds, stream);
    if (error != cudaSuccess)
        return error;
    return cudaMemcpyAsync(to, device, bytes, cudaMemcpyDeviceToHost, stream);
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t stream;
    cudaError_t error = cudaStreamCreate(&stream);
    if (error != cudaSuccess)
        return earlier(error, cudaSuccess);
    if (n > 0)
        error = enqueue(out, buffer, in, n, rounds, stream);
    error = earlier(error, cudaStreamSynchronize(stream));
    return earlier(error, cudaStreamDestroy(stream));
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    cudaStream_t streams[MOST_STREAMS];
    const unsigned *const end = in + n;
    unsigned turn = 0;

    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    n_streams = (unsigned)least(n_streams, n / chunk + (n % chunk > 0));
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return earlier(error, cudaSuccess);
    while (in < end && error == cudaSuccess) {
        size_t now = least(chunk, (size_t)(end - in));
        error = enqueue(out, buffer, in, now, rounds, streams[turn]);
        in += now;
        buffer += now;
        out += now;
        turn = turn + 1 < n_streams ? turn + 1 : 0;
    }
    return earlier(close_streams(streams, n_streams, error), cudaSuccess);
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t lane[2];
    cudaEvent_t b_ready;
    const size_t bytes = n * sizeof *a;

    cudaError_t error = cudaEventCreateWithFlags(&b_ready, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return earlier(error, cudaSuccess);
    error = open_streams(lane, 2);
    if (error != cudaSuccess) {
        cudaEventDestroy(b_ready);
        return earlier(error, cudaSuccess);
    }
    do {
        if ((error = cudaMemcpyAsync(buffer, a, bytes, cudaMemcpyHostToDevice, lane[0])))
            break;
        if ((error = mix_words(buffer, n, rounds, lane[0])))
            break;
        if ((error = cudaMemcpyAsync(buffer + n, b, bytes, cudaMemcpyHostToDevice, lane[1])))
            break;
        if ((error = mix_words(buffer + n, n, rounds, lane[1])))
            break;
        if ((error = cudaEventRecord(b_ready, lane[1])))
            break;
        if ((error = cudaStreamWaitEvent(lane[0], b_ready, 0)))
            break;
        if ((error = add_words(buffer, buffer + n, n, lane[0])))
            break;
        error = cudaMemcpyAsync(out, buffer, bytes, cudaMemcpyDeviceToHost, lane[0]);
    } while (0);
    error = close_streams(lane, 2, error);
    return earlier(error, cudaEventDestroy(b_ready));
}

/* Chunks [tail, head) are under way. */
struct ring {
    cudaStream_t streams[MOST_STREAMS];
    size_t head, tail, chunk, n;
    unsigned places;
    unsigned *up, *down;
};

static size_t words_of(const struct ring *r, size_t k) {
    return least(r->chunk, r->n - k * r->chunk);
}

static cudaError_t take_oldest(struct ring *r, unsigned *out) {
    const size_t k = r->tail, p = k % r->places;
    cudaError_t error = cudaStreamSynchronize(r->streams[p]);
    if (error != cudaSuccess)
        return error;
    memcpy(out + k * r->chunk, r->down + p * r->chunk, words_of(r, k) * sizeof *out);
    r->tail = k + 1;
    return cudaSuccess;
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    struct ring r;

    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaError_t error = open_streams(r.streams, n_streams);
    if (error != cudaSuccess)
        return earlier(error, cudaSuccess);
    r.head = r.tail = 0;
    r.chunk = chunk;
    r.n = n;
    r.places = n_streams;
    r.up = stage;
    r.down = stage + n_streams * chunk;
    while (r.head * chunk < n && error == cudaSuccess) {
        const size_t k = r.head, p = k % n_streams, words = words_of(&r, k);
        if (r.head - r.tail == r.places)
            error = take_oldest(&r, out);
        if (error != cudaSuccess)
            break;
        memcpy(r.up + p * chunk, in + k * chunk, words * sizeof *in);
        error = enqueue(r.down + p * chunk, buffer + p * chunk, r.up + p * chunk, words, rounds,
                        r.streams[p]);
        r.head++;
    }
    while (r.tail < r.head && error == cudaSuccess)
        error = take_oldest(&r, out);
    return earlier(close_streams(r.streams, n_streams, error), cudaSuccess);
}
