// Right: map_chunks works by groups of n_streams chunks, and calls first all their copies in, then their kernels, then their copies out
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
static cudaError_t copyIn(unsigned *to, const unsigned *from, size_t words, cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, words * sizeof(unsigned), cudaMemcpyHostToDevice, stream);
}

static cudaError_t copyOut(unsigned *to, const unsigned *from, size_t words, cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, words * sizeof(unsigned), cudaMemcpyDeviceToHost, stream);
}

static cudaError_t wholeInStream(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out, cudaStream_t stream) {
    if (cudaError_t error = copyIn(buffer, in, n, stream))
        return error;
    if (cudaError_t error = mix_words(buffer, n, rounds, stream))
        return error;
    return copyOut(out, buffer, n, stream);
}

static cudaError_t chunksInStreams(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                   unsigned nStreams, unsigned *buffer, unsigned *out,
                                   const cudaStream_t *streams) {
    size_t chunks = n / chunk + (n % chunk != 0);
    size_t lastWords = n - (chunks - 1) * chunk; // n is not 0

    for (size_t group = 0; group < chunks; group += nStreams) {
        unsigned inGroup = chunks - group < nStreams ? (unsigned)(chunks - group) : nStreams;

        for (int piece = 0; piece < 3; piece++) {
            for (unsigned s = 0; s < inGroup; s++) {
                size_t begin = (group + s) * chunk;
                size_t words = group + s + 1 == chunks ? lastWords : chunk;
                cudaError_t error =
                    piece == 0   ? copyIn(buffer + begin, in + begin, words, streams[s])
                    : piece == 1 ? mix_words(buffer + begin, words, rounds, streams[s])
                                 : copyOut(out + begin, buffer + begin, words, streams[s]);
                if (error)
                    return error;
            }
        }
    }
    return cudaSuccess;
}
// END TODO(1)

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    // TODO(1): a stream of your own (cudaStreamCreate); copy in, mix, copy out (about 12 lines)
    if (n == 0)
        return cudaSuccess;
    cudaStream_t stream;
    cudaError_t error = open_streams(&stream, 1);
    if (error)
        return error;
    return close_streams(&stream, 1, wholeInStream(in, n, rounds, buffer, out, stream));
    // END TODO(1)
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    // TODO(2): chunk after chunk, round the streams; wait once, at the end (about 14 lines)
    if (n == 0)
        return cudaSuccess;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    if (error)
        return error;
    error = chunksInStreams(in, n, rounds, chunk, n_streams, buffer, out, streams);
    return close_streams(streams, n_streams, error);
    // END TODO(2)
}

// TODO(3): functions of your own (about 20 lines)
/* a is worked on in streams[0], b in streams[1], where the sum is made, too. */
static cudaError_t combineInStreams(const unsigned *a, const unsigned *b, size_t n,
                                    unsigned rounds, unsigned *buffer, unsigned *out,
                                    const cudaStream_t *streams, cudaEvent_t aMixed) {
    unsigned *sumHere = buffer + n;

    if (cudaError_t error = copyIn(buffer, a, n, streams[0]))
        return error;
    if (cudaError_t error = mix_words(buffer, n, rounds, streams[0]))
        return error;
    if (cudaError_t error = cudaEventRecord(aMixed, streams[0]))
        return error;
    if (cudaError_t error = copyIn(sumHere, b, n, streams[1]))
        return error;
    if (cudaError_t error = mix_words(sumHere, n, rounds, streams[1]))
        return error;
    if (cudaError_t error = cudaStreamWaitEvent(streams[1], aMixed, 0))
        return error;
    if (cudaError_t error = add_words(sumHere, buffer, n, streams[1]))
        return error;
    return copyOut(out, sumHere, n, streams[1]);
}

struct Place {
    unsigned *in;     // pinned, on the way to the device
    unsigned *out;    // pinned, on the way back
    unsigned *device; // where the words are mixed
    size_t begin;     // the chunk that is there
    size_t words;     // 0: none
};

/* Waits until the chunk of a place is back, and hands it on. */
static cudaError_t emptyPlace(Place *place, unsigned *out, cudaStream_t stream) {
    if (place->words == 0)
        return cudaSuccess;
    if (cudaError_t error = cudaStreamSynchronize(stream))
        return error;
    memcpy(out + place->begin, place->out, place->words * sizeof(unsigned));
    place->words = 0;
    return cudaSuccess;
}

static cudaError_t stagedInStreams(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                   unsigned nStreams, unsigned *stage, unsigned *buffer,
                                   unsigned *out, const cudaStream_t *streams) {
    Place places[MOST_STREAMS];
    for (unsigned s = 0; s < nStreams; s++) {
        places[s].in = stage + s * chunk;
        places[s].out = stage + (nStreams + s) * chunk;
        places[s].device = buffer + s * chunk;
        places[s].begin = 0;
        places[s].words = 0;
    }

    unsigned s = 0;
    for (size_t begin = 0; begin < n; begin += chunk) {
        Place *place = &places[s];
        if (cudaError_t error = emptyPlace(place, out, streams[s]))
            return error;
        place->begin = begin;
        place->words = n - begin < chunk ? n - begin : chunk;
        memcpy(place->in, in + begin, place->words * sizeof(unsigned));
        if (cudaError_t error = copyIn(place->device, place->in, place->words, streams[s]))
            return error;
        if (cudaError_t error = mix_words(place->device, place->words, rounds, streams[s]))
            return error;
        if (cudaError_t error = copyOut(place->out, place->device, place->words, streams[s]))
            return error;
        s = s + 1 == nStreams ? 0 : s + 1;
    }

    for (s = 0; s < nStreams; s++)
        if (cudaError_t error = emptyPlace(&places[s], out, streams[s]))
            return error;
    return cudaSuccess;
}
// END TODO(3)

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    // TODO(3): two streams, and an event that lets one of them wait for the other (about 25 lines)
    if (n == 0)
        return cudaSuccess;
    cudaStream_t streams[2];
    cudaEvent_t aMixed;
    cudaError_t error = open_streams(streams, 2);
    if (error)
        return error;
    error = cudaEventCreateWithFlags(&aMixed, cudaEventDisableTiming);
    if (error)
        return close_streams(streams, 2, error);
    error = combineInStreams(a, b, n, rounds, buffer, out, streams, aMixed);
    cudaError_t destroyed = cudaEventDestroy(aMixed);
    return close_streams(streams, 2, error ? error : destroyed);
    // END TODO(3)
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    // TODO(4): each stream has a place in stage for a chunk on its way in, one for a chunk on its
    // way out, and one in buffer; the host fills and empties them (about 25 lines)
    if (n == 0)
        return cudaSuccess;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    if (error)
        return error;
    error = stagedInStreams(in, n, rounds, chunk, n_streams, stage, buffer, out, streams);
    return close_streams(streams, n_streams, error);
    // END TODO(4)
}
