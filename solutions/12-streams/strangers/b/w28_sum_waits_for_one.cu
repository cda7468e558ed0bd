// Wrong: the sum has a stream of its own, which waits for b alone: a was begun first, but need not be mixed yet.
// Kind: event
/* Lab 12: streams of my own making, and a function of each stream's turn. */
#include <cstdint>
#include <cstring>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

using Word = unsigned;

#define RETURN_ON_ERROR(expr)                                    \
    if (cudaError_t failed_ = (expr); failed_ != cudaSuccess)    \
    return failed_

static size_t bytes_of(size_t words) {
    return words * sizeof(Word);
}

static cudaError_t forget(cudaError_t error) {
    return error == cudaSuccess ? error : (cudaGetLastError(), error);
}

template <class T> struct Range {
    T *data;
    size_t size;
    bool empty() const { return size == 0; }
    Range head(size_t most) const { return {data, size < most ? size : most}; }
    Range rest(size_t most) const { return {data + head(most).size, size - head(most).size}; }
};

static cudaError_t turn(Range<const Word> source, Word *device, Word *target, unsigned rounds,
                        cudaStream_t stream) {
    RETURN_ON_ERROR(cudaMemcpyAsync(device, source.data, bytes_of(source.size),
                                    cudaMemcpyHostToDevice, stream));
    RETURN_ON_ERROR(mix_words(device, source.size, rounds, stream));
    return cudaMemcpyAsync(target, device, bytes_of(source.size), cudaMemcpyDeviceToHost, stream);
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t stream;
    if (cudaError_t error = cudaStreamCreate(&stream); error != cudaSuccess)
        return forget(error);
    cudaError_t error = turn({in, n}, buffer, out, rounds, stream);
    return forget(close_streams(&stream, 1, error));
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return forget(error);
    uint64_t k = 0;
    for (Range<const Word> left{in, n}; !left.empty(); left = left.rest(chunk), k++) {
        const size_t done = left.data - in;
        error = turn(left.head(chunk), buffer + done, out + done, rounds, streams[k % n_streams]);
        if (error != cudaSuccess)
            break;
    }
    return forget(close_streams(streams, n_streams, error));
}

static cudaError_t come(Range<const Word> source, Word *device, unsigned rounds,
                        cudaStream_t stream, cudaEvent_t event) {
    RETURN_ON_ERROR(cudaMemcpyAsync(device, source.data, bytes_of(source.size),
                                    cudaMemcpyHostToDevice, stream));
    RETURN_ON_ERROR(mix_words(device, source.size, rounds, stream));
    return cudaEventRecord(event, stream);
}

static cudaError_t meet(const Word *a, const Word *b, size_t n, unsigned rounds, Word *buffer,
                        Word *out, const cudaStream_t *streams, const cudaEvent_t *events) {
    RETURN_ON_ERROR(come({a, n}, buffer, rounds, streams[0], events[0]));
    RETURN_ON_ERROR(come({b, n}, buffer + n, rounds, streams[1], events[1]));
    /* The third stream has the sum, and waits for both others. */
    for (int i = 1; i < 2; i++)
        RETURN_ON_ERROR(cudaStreamWaitEvent(streams[2], events[i], 0));
    RETURN_ON_ERROR(add_words(buffer, buffer + n, n, streams[2]));
    return cudaMemcpyAsync(out, buffer, bytes_of(n), cudaMemcpyDeviceToHost, streams[2]);
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t streams[3];
    cudaEvent_t events[2];
    int made = 0;
    cudaError_t error = open_streams(streams, 3);
    if (error != cudaSuccess)
        return forget(error);
    for (; made < 2 && error == cudaSuccess; made += error == cudaSuccess)
        error = cudaEventCreateWithFlags(&events[made], cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = meet(a, b, n, rounds, buffer, out, streams, events);
    error = close_streams(streams, 3, error);
    for (int i = 0; i < made; i++)
        cudaEventDestroy(events[i]);
    return forget(error);
}

static cudaError_t stages(const Word *in, size_t n, unsigned rounds, size_t chunk,
                          unsigned n_streams, Word *stage, Word *buffer, Word *out,
                          const cudaStream_t *streams) {
    const size_t per_stream = 2 * chunk;
    Range<Word> waiting[MOST_STREAMS] = {};
    Range<const Word> left{in, n};
    unsigned busy = 0; /* places that wait for words */
    for (unsigned s = 0; busy > 0 || !left.empty(); s = (s + 1) % n_streams) {
        Word *const coming = stage + s * per_stream, *const going = coming + chunk;
        if (!waiting[s].empty()) {
            RETURN_ON_ERROR(cudaStreamSynchronize(streams[s]));
            memcpy(waiting[s].data, going, bytes_of(waiting[s].size));
            waiting[s].size = 0;
            busy--;
        }
        if (left.empty())
            continue;
        const Range<const Word> part = left.head(chunk);
        memcpy(coming, part.data, bytes_of(part.size));
        RETURN_ON_ERROR(turn({coming, part.size}, buffer + s * chunk, going, rounds, streams[s]));
        waiting[s] = {out + (part.data - in), part.size};
        left = left.rest(chunk);
        busy++;
    }
    return cudaSuccess;
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return forget(error);
    error = stages(in, n, rounds, chunk, n_streams, stage, buffer, out, streams);
    return forget(close_streams(streams, n_streams, error));
}
