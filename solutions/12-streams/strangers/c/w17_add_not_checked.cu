// Wrong: combine launches add_kernel itself and does not ask whether the launch was refused
// Kind: error
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
// the first error stays in `error`
#define TRY(call)                                                                                  \
    do {                                                                                           \
        error = (call);                                                                            \
        if (error != cudaSuccess)                                                                  \
            goto done;                                                                             \
    } while (0)

#define KEEP(call)                                                                                 \
    do {                                                                                           \
        cudaError_t late = (call);                                                                 \
        if (error == cudaSuccess)                                                                  \
            error = late;                                                                          \
    } while (0)
// END TODO(1)

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    // TODO(1): a stream of your own (cudaStreamCreate); copy in, mix, copy out (about 12 lines)
    const size_t bytes = n * sizeof(unsigned);
    cudaStream_t stream;
    cudaError_t error = cudaStreamCreate(&stream);

    if (error != cudaSuccess)
        return error;
    TRY(cudaMemcpyAsync(buffer, in, bytes, cudaMemcpyHostToDevice, stream));
    TRY(mix_words(buffer, n, rounds, stream));
    TRY(cudaMemcpyAsync(out, buffer, bytes, cudaMemcpyDeviceToHost, stream));
done:
    KEEP(cudaStreamSynchronize(stream));
    KEEP(cudaStreamDestroy(stream));
    return error;
    // END TODO(1)
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    // TODO(2): chunk after chunk, round the streams; wait once, at the end (about 14 lines)
    cudaError_t error = cudaSuccess;
    cudaStream_t streams[MOST_STREAMS];
    unsigned made = 0;
    size_t k = 0;

    for (; made < n_streams; made++)
        TRY(cudaStreamCreate(&streams[made]));
    for (size_t at = 0; at < n; at += chunk, k++) {
        const size_t left = n - at;
        const size_t bytes = (left < chunk ? left : chunk) * sizeof(unsigned);
        cudaStream_t stream = streams[k % n_streams];

        TRY(cudaMemcpyAsync(buffer + at, in + at, bytes, cudaMemcpyHostToDevice, stream));
        TRY(mix_words(buffer + at, bytes / sizeof(unsigned), rounds, stream));
        TRY(cudaMemcpyAsync(out + at, buffer + at, bytes, cudaMemcpyDeviceToHost, stream));
    }
done:
    for (unsigned i = 0; i < made; i++)
        KEEP(cudaStreamSynchronize(streams[i]));
    for (unsigned i = 0; i < made; i++)
        KEEP(cudaStreamDestroy(streams[i]));
    return error;
    // END TODO(2)
}

// TODO(3): functions of your own (about 20 lines)
// END TODO(3)

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    // TODO(3): two streams, and an event that lets one of them wait for the other (about 25 lines)
    const size_t bytes = n * sizeof(unsigned);
    unsigned *dev_a = buffer;
    unsigned *dev_b = buffer + n;
    cudaError_t error = cudaSuccess;
    cudaStream_t stream_a, stream_b;
    cudaEvent_t ready;
    int made = 0; // how many of these three there are

    TRY(cudaStreamCreate(&stream_a));
    made++;
    TRY(cudaStreamCreate(&stream_b));
    made++;
    TRY(cudaEventCreate(&ready));
    made++;

    TRY(cudaMemcpyAsync(dev_a, a, bytes, cudaMemcpyHostToDevice, stream_a));
    TRY(mix_words(dev_a, n, rounds, stream_a));
    TRY(cudaMemcpyAsync(dev_b, b, bytes, cudaMemcpyHostToDevice, stream_b));
    TRY(mix_words(dev_b, n, rounds, stream_b));

    TRY(cudaEventRecord(ready, stream_b));
    TRY(cudaStreamWaitEvent(stream_a, ready, 0));
    if (n > 0)
        add_kernel<<<blocks_of(n), THREADS, 0, stream_a>>>(dev_a, dev_b, n);
    TRY(cudaMemcpyAsync(out, dev_a, bytes, cudaMemcpyDeviceToHost, stream_a));
done:
    if (made > 0)
        KEEP(cudaStreamSynchronize(stream_a));
    if (made > 1)
        KEEP(cudaStreamSynchronize(stream_b));
    if (made > 2)
        KEEP(cudaEventDestroy(ready));
    if (made > 1)
        KEEP(cudaStreamDestroy(stream_b));
    if (made > 0)
        KEEP(cudaStreamDestroy(stream_a));
    return error;
    // END TODO(3)
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    // TODO(4): each stream has a place in stage for a chunk on its way in, one for a chunk on its
    // way out, and one in buffer; the host fills and empties them (about 25 lines)
    cudaError_t error = cudaSuccess;
    cudaStream_t streams[MOST_STREAMS];
    unsigned made = 0;
    const size_t chunks = n / chunk + (n % chunk ? 1 : 0);

    for (; made < n_streams; made++)
        TRY(cudaStreamCreate(&streams[made]));
    // n_streams more rounds, in which the last chunks are only taken back
    for (size_t k = 0; k < chunks + n_streams; k++) {
        const size_t s = k % n_streams;
        unsigned *going = stage + 2 * s * chunk;
        unsigned *coming = stage + (2 * s + 1) * chunk;
        unsigned *dev = buffer + s * chunk;

        if (k >= n_streams && k - n_streams < chunks) {
            const size_t at = (k - n_streams) * chunk;
            const size_t words = n - at < chunk ? n - at : chunk;
            TRY(cudaStreamSynchronize(streams[s]));
            memcpy(out + at, coming, words * sizeof(unsigned));
        }
        if (k < chunks) {
            const size_t at = k * chunk;
            const size_t words = n - at < chunk ? n - at : chunk;
            const size_t bytes = words * sizeof(unsigned);
            memcpy(going, in + at, bytes);
            TRY(cudaMemcpyAsync(dev, going, bytes, cudaMemcpyHostToDevice, streams[s]));
            TRY(mix_words(dev, words, rounds, streams[s]));
            TRY(cudaMemcpyAsync(coming, dev, bytes, cudaMemcpyDeviceToHost, streams[s]));
        }
    }
done:
    for (unsigned i = 0; i < made; i++)
        KEEP(cudaStreamSynchronize(streams[i]));
    for (unsigned i = 0; i < made; i++)
        KEEP(cudaStreamDestroy(streams[i]));
    return error;
    // END TODO(4)
}
