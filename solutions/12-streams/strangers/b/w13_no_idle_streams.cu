// Wrong: map_chunks takes no more streams than full chunks: of a chunk above n there are 0, and it divides by 0.
// Kind: condition
/* Lab 12. An error so far is handed from step to step; after one, steps do nothing. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

#define STEP(error, call) ((error) = (error) != cudaSuccess ? (error) : (call))

static size_t part_of(size_t n, size_t first, size_t most) {
    return n - first > most ? most : n - first;
}

static cudaError_t there(cudaError_t error, unsigned *device, const unsigned *host, size_t n,
                         cudaStream_t stream) {
    return STEP(error, cudaMemcpyAsync(device, host, n * sizeof(unsigned), cudaMemcpyHostToDevice,
                                       stream));
}

static cudaError_t mix(cudaError_t error, unsigned *device, size_t n, unsigned rounds,
                       cudaStream_t stream) {
    return STEP(error, mix_words(device, n, rounds, stream));
}

static cudaError_t back(cudaError_t error, unsigned *host, const unsigned *device, size_t n,
                        cudaStream_t stream) {
    return STEP(error, cudaMemcpyAsync(host, device, n * sizeof(unsigned), cudaMemcpyDeviceToHost,
                                       stream));
}

static cudaError_t end(cudaError_t error, cudaStream_t *streams, unsigned n) {
    error = close_streams(streams, n, error);
    if (error != cudaSuccess)
        cudaGetLastError();
    return error;
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t mine = NULL;
    cudaError_t error = open_streams(&mine, 1);
    const unsigned opened = error == cudaSuccess;

    error = there(error, buffer, in, n, mine);
    error = mix(error, buffer, n, rounds, mine);
    error = back(error, out, buffer, n, mine);
    return end(error, &mine, opened);
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    const unsigned opened = error == cudaSuccess ? n_streams : 0;
    if (n_streams > n / chunk)
        n_streams = (unsigned)(n / chunk);
    size_t next = 0;

    for (size_t first = 0; error == cudaSuccess && first < n; first += chunk) {
        const size_t count = part_of(n, first, chunk);
        cudaStream_t s = streams[next++ % n_streams];
        error = there(error, buffer + first, in + first, count, s);
        error = mix(error, buffer + first, count, rounds, s);
        error = back(error, out + first, buffer + first, count, s);
    }
    return end(error, streams, opened);
}

/* Both arrays come in by quarters, which are mixed while the next ones come. */
extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t streams[2] = {NULL, NULL};
    cudaEvent_t b_mixed;
    const size_t quarter = n / 4 + 1;

    cudaError_t error = cudaEventCreateWithFlags(&b_mixed, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return end(error, streams, 0);
    error = open_streams(streams, 2);
    const unsigned opened = error == cudaSuccess ? 2 : 0;
    for (size_t first = 0; first < n && error == cudaSuccess; first += quarter) {
        const size_t count = part_of(n, first, quarter);
        error = there(error, buffer + first, a + first, count, streams[0]);
        error = mix(error, buffer + first, count, rounds, streams[0]);
        error = there(error, buffer + n + first, b + first, count, streams[1]);
        error = mix(error, buffer + n + first, count, rounds, streams[1]);
    }
    STEP(error, cudaEventRecord(b_mixed, streams[1]));
    STEP(error, cudaStreamWaitEvent(streams[0], b_mixed, 0));
    STEP(error, add_words(buffer, buffer + n, n, streams[0]));
    error = back(error, out, buffer, n, streams[0]);
    error = end(error, streams, opened);
    cudaEventDestroy(b_mixed);
    return error;
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    const unsigned opened = error == cudaSuccess ? n_streams : 0;
    const size_t room = n_streams * chunk;
    size_t sent = 0, got = 0; /* words */

    while (error == cudaSuccess && got < n) {
        if (sent < n && sent - got < room) {
            const size_t place = sent % room, count = part_of(n, sent, chunk);
            cudaStream_t s = streams[place / chunk];
            memcpy(stage + place, in + sent, count * sizeof(unsigned));
            error = there(error, buffer + place, stage + place, count, s);
            error = mix(error, buffer + place, count, rounds, s);
            error = back(error, stage + room + place, buffer + place, count, s);
            sent += count;
        } else {
            const size_t place = got % room, count = part_of(n, got, chunk);
            STEP(error, cudaStreamSynchronize(streams[place / chunk]));
            if (error == cudaSuccess)
                memcpy(out + got, stage + room + place, count * sizeof(unsigned));
            got += count;
        }
    }
    return end(error, streams, opened);
}
