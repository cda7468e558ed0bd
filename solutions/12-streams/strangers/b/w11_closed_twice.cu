// Wrong: on an error map_chunks closes its streams in the loop and again at the end, when they are destroyed already.
// Kind: stream
/* Lab 12: a context that carries streams and the first error through all calls. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

typedef struct {
    cudaStream_t s[MOST_STREAMS];
    unsigned n;
    cudaError_t first;
} ctx_t;

static int ctx_open(ctx_t *c, unsigned n) {
    c->first = open_streams(c->s, n);
    c->n = c->first == cudaSuccess ? n : 0;
    return c->first == cudaSuccess;
}

static int ctx_ok(ctx_t *c, cudaError_t e) {
    if (c->first == cudaSuccess)
        c->first = e;
    return c->first == cudaSuccess;
}

static cudaError_t ctx_close(ctx_t *c) {
    c->first = close_streams(c->s, c->n, c->first);
    if (c->first != cudaSuccess)
        cudaGetLastError();
    return c->first;
}

static int ctx_h2d(ctx_t *c, unsigned i, unsigned *dst, const unsigned *src, size_t n) {
    return ctx_ok(c, cudaMemcpyAsync(dst, src, n * sizeof *dst, cudaMemcpyHostToDevice, c->s[i]));
}

static int ctx_d2h(ctx_t *c, unsigned i, unsigned *dst, const unsigned *src, size_t n) {
    return ctx_ok(c, cudaMemcpyAsync(dst, src, n * sizeof *dst, cudaMemcpyDeviceToHost, c->s[i]));
}

static int ctx_mix(ctx_t *c, unsigned i, unsigned *words, size_t n, unsigned rounds) {
    return ctx_ok(c, mix_words(words, n, rounds, c->s[i]));
}

static int ctx_wait(ctx_t *c, unsigned i) {
    return ctx_ok(c, cudaStreamSynchronize(c->s[i]));
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    ctx_t c;
    if (ctx_open(&c, 1) && n != 0)
        (void)(ctx_h2d(&c, 0, buffer, in, n) && ctx_mix(&c, 0, buffer, n, rounds) &&
               ctx_d2h(&c, 0, out, buffer, n));
    return ctx_close(&c);
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    ctx_t c;
    size_t k, chunks, at, len;

    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    if (!ctx_open(&c, n_streams))
        return ctx_close(&c);
    chunks = n / chunk + (n % chunk != 0);
    for (k = 0; k < chunks; ++k) {
        const unsigned i = (unsigned)(k % n_streams);
        at = k * chunk;
        len = k == chunks - 1 ? n - at : chunk;
        if (!ctx_h2d(&c, i, buffer + at, in + at, len) ||
            !ctx_mix(&c, i, buffer + at, len, rounds) ||
            !ctx_d2h(&c, i, out + at, buffer + at, len)) {
            ctx_close(&c);
            break;
        }
    }
    return ctx_close(&c);
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    ctx_t c;
    cudaEvent_t e;
    enum { A, B };
    unsigned *const half[] = {buffer, buffer + n};

    if (n == 0)
        return cudaSuccess;
    if (!ctx_open(&c, 2))
        return ctx_close(&c);
    if (ctx_ok(&c, cudaEventCreate(&e))) {
        if (ctx_h2d(&c, A, half[A], a, n) && ctx_h2d(&c, B, half[B], b, n) &&
            ctx_mix(&c, A, half[A], n, rounds) && ctx_mix(&c, B, half[B], n, rounds) &&
            ctx_ok(&c, cudaEventRecord(e, c.s[B])) &&
            ctx_ok(&c, cudaStreamWaitEvent(c.s[A], e, 0)) &&
            ctx_ok(&c, add_words(half[A], half[B], n, c.s[A])))
            ctx_d2h(&c, A, out, half[A], n);
        ctx_ok(&c, cudaEventDestroy(e));
    }
    return ctx_close(&c);
}

/* Beginning, middle and end are three loops: fill all places; empty and refill; empty all. */
extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    ctx_t c;
    size_t chunks, k;

    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    if (!ctx_open(&c, n_streams))
        return ctx_close(&c);
    chunks = n / chunk + (n % chunk != 0);
    auto len = [&](size_t k) { return k == chunks - 1 ? n - k * chunk : chunk; };
    auto fill = [&](size_t k) {
        const unsigned i = (unsigned)(k % n_streams);
        unsigned *const src = stage + i * chunk, *const dst = stage + (i + n_streams) * chunk;
        memcpy(src, in + k * chunk, len(k) * sizeof *in);
        return ctx_h2d(&c, i, buffer + i * chunk, src, len(k)) &&
               ctx_mix(&c, i, buffer + i * chunk, len(k), rounds) &&
               ctx_d2h(&c, i, dst, buffer + i * chunk, len(k));
    };
    auto empty = [&](size_t k) {
        const unsigned i = (unsigned)(k % n_streams);
        if (!ctx_wait(&c, i))
            return false;
        memcpy(out + k * chunk, stage + (i + n_streams) * chunk, len(k) * sizeof *out);
        return true;
    };
    const size_t ahead = chunks < n_streams ? chunks : n_streams;
    bool good = true;
    for (k = 0; good && k < ahead; ++k)
        good = fill(k);
    for (; good && k < chunks; ++k)
        good = empty(k - ahead) && fill(k);
    for (; good && k < chunks + ahead; ++k)
        good = empty(k - ahead);
    return ctx_close(&c);
}
