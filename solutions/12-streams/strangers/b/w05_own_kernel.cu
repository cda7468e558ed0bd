// Wrong: the sum is made by a kernel of the author's own, where kernels have to be those of work.cuh.
// Kind: launch
/* Lab 12: own launches of the given kernels, in blocks of 128. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

#define STOP_IF(e)              \
    do {                        \
        cudaError_t e_ = (e);   \
        if (e_ != cudaSuccess)  \
            return e_;          \
    } while (0)

enum { BLOCK = 128 };

static dim3 grid_for(size_t n) {
    return dim3((unsigned)((n + BLOCK - 1) / BLOCK));
}

static __global__ void plus_kernel(unsigned *to, const unsigned *from, size_t n) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = to[i] + from[i];
}

static cudaError_t mixing(unsigned *words, size_t n, unsigned rounds, cudaStream_t stream) {
    if (n == 0)
        return cudaSuccess;
    mix_kernel<<<grid_for(n), BLOCK, 0, stream>>>(words, n, rounds);
    return cudaGetLastError();
}

static cudaError_t adding(unsigned *to, const unsigned *from, size_t n, cudaStream_t stream) {
    if (n == 0)
        return cudaSuccess;
    plus_kernel<<<grid_for(n), BLOCK, 0, stream>>>(to, from, n);
    return cudaGetLastError();
}

static cudaError_t loading(unsigned *to, const unsigned *from, size_t n, unsigned rounds,
                           cudaStream_t stream) {
    STOP_IF(cudaMemcpyAsync(to, from, sizeof *to * n, cudaMemcpyHostToDevice, stream));
    return mixing(to, n, rounds, stream);
}

static cudaError_t storing(unsigned *to, const unsigned *from, size_t n, cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, sizeof *to * n, cudaMemcpyDeviceToHost, stream);
}

static cudaError_t closing(cudaStream_t *streams, unsigned n, cudaError_t error) {
    error = close_streams(streams, n, error);
    if (error != cudaSuccess)
        cudaGetLastError();
    return error;
}

static cudaError_t put_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                             unsigned *out, cudaStream_t stream) {
    STOP_IF(loading(buffer, in, n, rounds, stream));
    return storing(out, buffer, n, stream);
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t stream;
    cudaError_t error = open_streams(&stream, 1);
    if (error != cudaSuccess)
        return closing(&stream, 0, error);
    return closing(&stream, 1, put_whole(in, n, rounds, buffer, out, stream));
}

static cudaError_t put_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                              unsigned n_streams, unsigned *buffer, unsigned *out,
                              cudaStream_t *streams) {
    for (size_t k = 0, i = 0; i < n; k++) {
        const size_t count = chunk < n - i ? chunk : n - i;
        STOP_IF(put_whole(in + i, count, rounds, buffer + i, out + i, streams[k % n_streams]));
        i += count;
    }
    return cudaSuccess;
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    cudaStream_t streams[MOST_STREAMS];
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return closing(streams, 0, error);
    error = put_chunks(in, n, rounds, chunk, n_streams, buffer, out, streams);
    return closing(streams, n_streams, error);
}

static cudaError_t put_sum(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                           unsigned *buffer, unsigned *out, cudaStream_t *streams,
                           cudaEvent_t event) {
    STOP_IF(loading(buffer + n, b, n, rounds, streams[1]));
    STOP_IF(cudaEventRecord(event, streams[1]));
    STOP_IF(loading(buffer, a, n, rounds, streams[0]));
    STOP_IF(cudaStreamWaitEvent(streams[0], event, 0));
    STOP_IF(adding(buffer, buffer + n, n, streams[0]));
    return storing(out, buffer, n, streams[0]);
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t streams[2];
    cudaEvent_t event;
    cudaError_t error = open_streams(streams, 2);
    if (error != cudaSuccess)
        return closing(streams, 0, error);
    error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return closing(streams, 2, error);
    error = put_sum(a, b, n, rounds, buffer, out, streams, event);
    cudaError_t gone = cudaEventDestroy(event);
    if (error == cudaSuccess)
        error = gone;
    return closing(streams, 2, error);
}

static cudaError_t put_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                              unsigned n_streams, unsigned *stage, unsigned *buffer, unsigned *out,
                              cudaStream_t *streams) {
    const size_t room = chunk * n_streams;
    unsigned *const stage_out = stage + room;
    /* Word i of in lies at i % room of stage and buffer. */
    for (size_t i = 0; i < n + room; i += chunk) {
        const size_t place = i % room;
        cudaStream_t stream = streams[place / chunk];
        if (i >= room) {
            const size_t old = i - room;
            if (old >= n)
                break;
            STOP_IF(cudaStreamSynchronize(stream));
            memcpy(out + old, stage_out + place, sizeof *out * (n - old < chunk ? n - old : chunk));
        }
        if (i < n) {
            const size_t count = n - i < chunk ? n - i : chunk;
            memcpy(stage + place, in + i, sizeof *in * count);
            STOP_IF(put_whole(stage + place, count, rounds, buffer + place, stage_out + place,
                              stream));
        }
    }
    return cudaSuccess;
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    cudaStream_t streams[MOST_STREAMS];
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return closing(streams, 0, error);
    error = put_staged(in, n, rounds, chunk, n_streams, stage, buffer, out, streams);
    return closing(streams, n_streams, error);
}
