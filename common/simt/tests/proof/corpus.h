/*
 * The kernels of one file of the corpus: what the lines that begin with "//:" in it say.
 *
 *   //: kernel=NAME fill=f32 grid=3 block=128 words=1 ulp=0 counters pending
 *
 * Only `kernel` must be there; the rest has the values above as defaults, but for `fill` (int),
 * `counters`, `lanes` and `pending` (off). `words` is how many 32-bit words each thread writes;
 * word w of thread t is out[w * n_threads + t]. `ulp` is by how much floats may differ
 * (approximations only), `lsb` the same as an absolute error of that many times 2^-24.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/simt/tests/proof/inputs.h"

struct proof_case {
    char kernel[64];
    enum proof_fill fill;
    uint32_t grid, block, words, ulp, lsb;
    uint32_t load_wavefronts, store_wavefronts; /* 0 where nobody derived them */
    bool counters; /* its counters are compared with Nsight Compute's */
    bool lanes;    /* machine code was seen to have its branches: lanes are compared */
    bool pending;  /* known to differ still, or not to be supported: a failure is expected */
};

struct proof_corpus {
    struct proof_case *cases;
    size_t n_cases;
};

/* Reads a kernel file. On failure says why in `error` and returns false. */
bool proof_corpus_read(struct proof_corpus *corpus, const char *path, char *error,
                       size_t error_bytes);
void proof_corpus_free(struct proof_corpus *corpus);

static inline size_t proof_n_threads(const struct proof_case *one) {
    return (size_t)one->grid * one->block;
}

/* A whole file, with a 0 behind its end that does not count; NULL when it can't be read. The caller
 * frees it. */
char *proof_read_file(const char *path, size_t *bytes);
