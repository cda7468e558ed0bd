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
extern "C" const int predicted_pieces_50000 = -1;

// Each of 8 chunks takes 1 ms to be copied in, 1 ms to be mixed and 1 ms to be copied out, and the
// device has an engine for each of the three: how many ms does map_chunks take in 4 streams?
extern "C" const int predicted_ms_of_8_chunks = -1;

// END TODO(0)

// TODO(1): functions of your own (about 10 lines)
// END TODO(1)

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    // TODO(1): a stream of your own (cudaStreamCreate); copy in, mix, copy out (about 12 lines)
    return LAB_NOT_WRITTEN;
    // END TODO(1)
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    // TODO(2): chunk after chunk, round the streams; wait once, at the end (about 14 lines)
    return LAB_NOT_WRITTEN;
    // END TODO(2)
}

// TODO(3): functions of your own (about 20 lines)
// END TODO(3)

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    // TODO(3): two streams, and an event that lets one of them wait for the other (about 25 lines)
    return LAB_NOT_WRITTEN;
    // END TODO(3)
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    // TODO(4): each stream has a place in stage for a chunk on its way in, one for a chunk on its
    // way out, and one in buffer; the host fills and empties them (about 25 lines)
    return LAB_NOT_WRITTEN;
    // END TODO(4)
}
