// Wrong: in map_whole the launch's code takes the place of a refused copy's, which is lost.
// Kind: error
/* Lab 12: plain and short. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

#define H2D cudaMemcpyHostToDevice
#define D2H cudaMemcpyDeviceToHost
#define DO(call)                    \
    if (rc == cudaSuccess)          \
    rc = (call)

/* Waits for the streams, destroys them, and leaves no error behind. */
static cudaError_t bye(cudaStream_t *q, unsigned n, cudaError_t rc) {
    for (unsigned i = 0; i < n; i++)
        DO(cudaStreamSynchronize(q[i]));
    rc = close_streams(q, n, rc);
    if (rc != cudaSuccess)
        (void)cudaGetLastError();
    return rc;
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    size_t size = n * 4;
    cudaStream_t q;
    cudaError_t rc = cudaStreamCreate(&q);
    unsigned made = rc == cudaSuccess ? 1 : 0;
    DO(cudaMemcpyAsync(buffer, in, size, H2D, q));
    rc = mix_words(buffer, n, rounds, q);
    DO(cudaMemcpyAsync(out, buffer, size, D2H, q));
    return bye(&q, made, rc);
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    cudaStream_t q[MOST_STREAMS];
    cudaError_t rc;
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    rc = open_streams(q, n_streams);
    if (rc != cudaSuccess)
        return bye(q, 0, rc);
    if (chunk > n)
        chunk = n;
    for (size_t i = 0, k = 0; i < n && rc == cudaSuccess; i += chunk, k++) {
        cudaStream_t s = q[k % n_streams];
        size_t m = i + chunk <= n ? chunk : n - i;
        DO(cudaMemcpyAsync(&buffer[i], &in[i], m * 4, H2D, s));
        DO(mix_words(&buffer[i], m, rounds, s));
        DO(cudaMemcpyAsync(&out[i], &buffer[i], m * 4, D2H, s));
    }
    return bye(q, n_streams, rc);
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t q[2];
    cudaEvent_t both;
    cudaError_t rc;
    unsigned *a_words = buffer, *b_words = &buffer[n];
    if (n == 0)
        return cudaSuccess;
    rc = open_streams(q, 2);
    if (rc != cudaSuccess)
        return bye(q, 0, rc);
    rc = cudaEventCreate(&both);
    if (rc != cudaSuccess)
        return bye(q, 2, rc);
    DO(cudaMemcpyAsync(a_words, a, n * 4, H2D, q[0]));
    DO(mix_words(a_words, n, rounds, q[0]));
    DO(cudaMemcpyAsync(b_words, b, n * 4, H2D, q[1]));
    DO(mix_words(b_words, n, rounds, q[1]));
    DO(cudaEventRecord(both, q[1]));
    DO(cudaStreamWaitEvent(q[0], both, 0));
    DO(add_words(a_words, b_words, n, q[0]));
    DO(cudaMemcpyAsync(out, a_words, n * 4, D2H, q[0]));
    rc = bye(q, 2, rc);
    cudaEventDestroy(both);
    return rc;
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    cudaStream_t q[MOST_STREAMS];
    size_t due[MOST_STREAMS];
    size_t i = 0, k, chunks;
    cudaError_t rc;
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    rc = open_streams(q, n_streams);
    if (rc != cudaSuccess)
        return bye(q, 0, rc);
    chunks = n / chunk;
    if (n % chunk != 0)
        chunks++;
    for (k = 0; k < chunks && rc == cudaSuccess; k++, i += chunk) {
        size_t s = k % n_streams, m = n - i < chunk ? n - i : chunk;
        unsigned *up = &stage[s * chunk], *down = &stage[(n_streams + s) * chunk];
        unsigned *dev = &buffer[s * chunk];
        if (k >= n_streams) {
            DO(cudaStreamSynchronize(q[s]));
            if (rc == cudaSuccess)
                memcpy(&out[due[s]], down, chunk * 4);
        }
        if (rc == cudaSuccess)
            memcpy(up, &in[i], m * 4);
        DO(cudaMemcpyAsync(dev, up, m * 4, H2D, q[s]));
        DO(mix_words(dev, m, rounds, q[s]));
        DO(cudaMemcpyAsync(down, dev, m * 4, D2H, q[s]));
        due[s] = i;
    }
    for (unsigned s = 0; s < n_streams && s < chunks && rc == cudaSuccess; s++) {
        size_t m = n - due[s] < chunk ? n - due[s] : chunk;
        DO(cudaStreamSynchronize(q[s]));
        if (rc == cudaSuccess)
            memcpy(&out[due[s]], &stage[(n_streams + s) * chunk], m * 4);
    }
    return bye(q, n_streams, rc);
}
