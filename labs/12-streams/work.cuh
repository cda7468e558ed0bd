/*
 * The work of this lab's kernels, and streams for it. Given: the lab is about what runs when.
 */
#ifndef WORK_CUH
#define WORK_CUH

#include "streams.h"

enum { THREADS = 256 };

static __global__ void mix_kernel(unsigned *words, size_t n, unsigned rounds) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i < n) {
        unsigned x = words[i];
        for (unsigned round = 0; round < rounds; round++)
            x = x * MIX_FACTOR + MIX_ADDEND;
        words[i] = x;
    }
}

static __global__ void add_kernel(unsigned *to, const unsigned *from, size_t n) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i < n)
        to[i] += from[i];
}

static inline unsigned blocks_of(size_t n) {
    return (unsigned)((n + THREADS - 1) / THREADS);
}

/* Puts a kernel into a stream that mixes n words of device memory, in place. Nothing where n is 0.
 * Returns the launch's error. */
static inline cudaError_t mix_words(unsigned *words, size_t n, unsigned rounds,
                                    cudaStream_t stream) {
    if (n == 0)
        return cudaSuccess;
    mix_kernel<<<blocks_of(n), THREADS, 0, stream>>>(words, n, rounds);
    return cudaGetLastError();
}

/* The same: to[i] += from[i], for n words of device memory. */
static inline cudaError_t add_words(unsigned *to, const unsigned *from, size_t n,
                                    cudaStream_t stream) {
    if (n == 0)
        return cudaSuccess;
    add_kernel<<<blocks_of(n), THREADS, 0, stream>>>(to, from, n);
    return cudaGetLastError();
}

/* Waits for n streams and destroys them. Returns `error`, or if that is cudaSuccess, the first one
 * of its own. */
static inline cudaError_t close_streams(cudaStream_t *streams, unsigned n, cudaError_t error) {
    for (unsigned i = 0; i < n; i++) {
        cudaError_t waited = cudaStreamSynchronize(streams[i]);
        cudaError_t gone = cudaStreamDestroy(streams[i]);
        error = error != cudaSuccess ? error : waited != cudaSuccess ? waited : gone;
    }
    return error;
}

/* Creates n streams; on an error, none. They wait for the default stream, and it for them. */
static inline cudaError_t open_streams(cudaStream_t *streams, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        cudaError_t error = cudaStreamCreate(&streams[i]);
        if (error != cudaSuccess)
            return close_streams(streams, i, error);
    }
    return cudaSuccess;
}

static inline bool is_shape(size_t chunk, unsigned n_streams) {
    return chunk > 0 && n_streams > 0 && n_streams <= MOST_STREAMS;
}

#endif
