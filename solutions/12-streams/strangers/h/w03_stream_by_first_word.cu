// Wrong: the number of a chunk's first word spreads the chunks over the streams as well as the chunk's own number (where the chunk is a multiple of n_streams, all go into stream 0).
// Kind: stream
/*
 * Lab 12: streams. Handout: handouts/12-streams.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then one stream (TODO 1), chunks (TODO 2), an event
 * (TODO 3), the host's part (TODO 4). Each can be tested when it is done. Kernels and streams come
 * from work.cuh.
 */
#include <string.h>

#include "work.cuh"

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted.
 */
// TODO(0): answer the questions (2 numbers)

// map_chunks, 50,000 words in chunks of 8,192: how many copies and kernels, all together?
extern "C" const int predicted_pieces_50000 = 21;

// Each of 8 chunks takes 1 ms to be copied in, 1 ms to be mixed and 1 ms to be copied out, and the
// device has an engine for each of the three: how many ms does map_chunks take in 4 streams?
extern "C" const int predicted_ms_of_8_chunks = 10;

// END TODO(0)

// TODO(1): functions of your own (about 10 lines)
/* Puts n words' way to the device, the kernel, and the way back into a stream. */
static cudaError_t put_work(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                            unsigned *out, cudaStream_t stream) {
    cudaError_t error = cudaMemcpyAsync(buffer, in, n * sizeof *in, cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error = mix_words(buffer, n, rounds, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, buffer, n * sizeof *out, cudaMemcpyDeviceToHost, stream);
    return error;
}
// END TODO(1)

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    // TODO(1): a stream of your own (cudaStreamCreate); copy in, mix, copy out (about 12 lines)
    cudaStream_t stream;

    if (n == 0)
        return cudaSuccess;
    cudaError_t error = open_streams(&stream, 1);
    if (error != cudaSuccess)
        return error;
    error = put_work(in, n, rounds, buffer, out, stream);
    return close_streams(&stream, 1, error);
    // END TODO(1)
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    // TODO(2): chunk after chunk, round the streams; wait once, at the end (about 14 lines)
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return error;
    for (size_t first = 0; first < n && error == cudaSuccess; first += chunk)
        error = put_work(in + first, n - first < chunk ? n - first : chunk, rounds, buffer + first,
                         out + first, streams[first % n_streams]);
    return close_streams(streams, n_streams, error);
    // END TODO(2)
}

// TODO(3): functions of your own (about 20 lines)
/* Copies n words to the device and mixes them there, in a stream. */
static cudaError_t bring(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                         cudaStream_t stream) {
    cudaError_t error = cudaMemcpyAsync(buffer, in, n * sizeof *in, cudaMemcpyHostToDevice, stream);
    return error != cudaSuccess ? error : mix_words(buffer, n, rounds, stream);
}

/* Both arrays and their sum, in two streams. */
static cudaError_t put_both(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                            unsigned *buffer, unsigned *out, cudaStream_t *streams,
                            cudaEvent_t mixed) {
    cudaError_t error = bring(a, n, rounds, buffer, streams[0]);
    if (error == cudaSuccess)
        error = bring(b, n, rounds, buffer + n, streams[1]);
    if (error == cudaSuccess)
        error = cudaEventRecord(mixed, streams[1]);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(streams[0], mixed, 0);
    if (error == cudaSuccess)
        error = add_words(buffer, buffer + n, n, streams[0]);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, buffer, n * sizeof *out, cudaMemcpyDeviceToHost, streams[0]);
    return error;
}
// END TODO(3)

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    // TODO(3): two streams, and an event that lets one of them wait for the other (about 25 lines)
    cudaStream_t streams[2];
    cudaEvent_t mixed;

    if (n == 0)
        return cudaSuccess;
    cudaError_t error = open_streams(streams, 2);
    if (error != cudaSuccess)
        return error;
    error = cudaEventCreateWithFlags(&mixed, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return close_streams(streams, 2, error);
    error = put_both(a, b, n, rounds, buffer, out, streams, mixed);
    error = close_streams(streams, 2, error);
    cudaError_t gone = cudaEventDestroy(mixed);
    return error != cudaSuccess ? error : gone;
    // END TODO(3)
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    // TODO(4): each stream has a place in stage for a chunk on its way in, one for a chunk on its
    // way out, and one in buffer; the host fills and empties them (about 25 lines)
    cudaStream_t streams[MOST_STREAMS];
    size_t taken[MOST_STREAMS], count[MOST_STREAMS] = {0};
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return error;

    unsigned s = 0;
    for (size_t first = 0; first < n && error == cudaSuccess; first += chunk) {
        unsigned *going = stage + 2 * s * chunk, *coming = going + chunk;
        size_t words = n - first < chunk ? n - first : chunk;

        if (count[s] > 0) {
            error = cudaStreamSynchronize(streams[s]);
            if (error != cudaSuccess)
                break;
            memcpy(out + taken[s], coming, count[s] * sizeof *out);
        }
        memcpy(going, in + first, words * sizeof *in);
        error = put_work(going, words, rounds, buffer + s * chunk, coming, streams[s]);
        taken[s] = first;
        count[s] = words;
        s = (s + 1) % n_streams;
    }
    error = close_streams(streams, n_streams, error);
    if (error == cudaSuccess)
        for (s = 0; s < n_streams; s++)
            if (count[s] > 0)
                memcpy(out + taken[s], stage + (2 * s + 1) * chunk, count[s] * sizeof *out);
    return error;
    // END TODO(4)
}
