/*
 * Lab 12: words of the host's memory, which the device works on while others come and go.
 * Source: NVIDIA, "CUDA C++ Programming Guide", asynchronous concurrent execution.
 *
 * mixed(x, rounds) is what mix_words (work.cuh) makes of a word x.
 *
 *   in, a, b   n words in host memory, left unchanged
 *   n          any number of words, up to 2^28
 *   rounds     how often each word is mixed; any
 *   chunk      words of a chunk, at least 1; the last chunk may have fewer. It may be larger than n
 *   n_streams  how many streams to use, 1 to MOST_STREAMS. Where chunk or n_streams is out of its
 *              range: cudaErrorInvalidValue, which the skeleton sees to
 *   buffer     words in device memory; hold anything before and after
 *   out        n words in host memory; hold anything before
 *
 * in, a, b and out are pinned, but for map_staged. The caller owns all memory; what is in the
 * default stream when the call begins may still be at work on `buffer`. When a function returns,
 * all of its work is done, and its streams and events are destroyed. It allocates no device memory,
 * and keeps nothing from one call to the next. Kernels are those of work.cuh, and none is launched
 * where n is 0. Each word goes to the device once, and comes back once. Returns cudaSuccess, or the
 * error of the call to CUDA or of the launch that was refused. That of a launch does not stay
 * pending (cudaGetLastError takes it away); that of another call may.
 */
#ifndef STREAMS_H
#define STREAMS_H

#include "labs/common/not_written.h"
#include "shapes.h"

/* out[i] = mixed(in[i], rounds): copy in, kernel, copy out in one stream. `buffer` has n words. */
extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out);

/* The same by chunks, which go round n_streams streams, so that one chunk is copied in, another one
 * mixed and a third one copied out at the same time. `buffer` has n words. */
extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out);

/* out[i] = mixed(a[i], rounds) + mixed(b[i], rounds), modulo 2^32. One of them is mixed while the
 * other one is copied in. `buffer` has 2 * n words. */
extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out);

/* As map_chunks, but `in` and `out` are ordinary (pageable) memory, and there is room for n_streams
 * chunks alone. `buffer` has n_streams * chunk words. `stage` is pinned and has 2 * n_streams *
 * chunk words, which hold anything before and after. The host copies chunks between in, stage and
 * out while the device is busy with others. */
extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out);

#endif
