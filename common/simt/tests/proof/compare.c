/*
 * Runs kernels and compares words.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/proof/compare.h"

bool proof_run_case(struct proof_device *device, const struct proof_case *one,
                    struct proof_result *result) {
    const size_t n_threads = proof_n_threads(one);
    result->n_in = PROOF_COLUMNS * n_threads;
    result->n_out = one->words * n_threads;
    result->in = calloc(result->n_in, sizeof(*result->in));
    result->out = calloc(result->n_out, sizeof(*result->out));
    if (!result->in || !result->out)
        abort();
    proof_fill(one->fill, one->kernel, result->in, n_threads);
    const struct proof_launch launch = {
        .kernel = one->kernel,
        .grid = one->grid,
        .block = one->block,
        .in = result->in,
        .n_in = result->n_in,
        .out = result->out,
        .n_out = result->n_out,
    };
    return proof_run(device, &launch);
}

void proof_result_free(struct proof_result *result) {
    free(result->in);
    free(result->out);
    *result = (struct proof_result){0};
}

/* Floats as integers whose order is theirs: neighbours differ by 1. */
static int64_t order_of(uint32_t bits) {
    return bits >> 31 ? -(int64_t)(bits & INT32_MAX) : (int64_t)bits;
}

static bool is_near(const struct proof_case *one, uint32_t got, uint32_t wanted) {
    float a, b;
    memcpy(&a, &got, sizeof(a));
    memcpy(&b, &wanted, sizeof(b));
    if (isnan(a) || isnan(b))
        return false; /* its bits count */
    return llabs(order_of(got) - order_of(wanted)) <= one->ulp ||
           fabsf(a - b) <= (float)one->lsb * 0x1p-24f;
}

size_t proof_first_mismatch(const struct proof_case *one, const struct proof_result *got,
                            const char *wanted) {
    for (size_t i = 0; i < got->n_out; i++) {
        uint32_t word;
        memcpy(&word, wanted + i * sizeof(word), sizeof(word));
        const bool has_tolerance = one->ulp || one->lsb;
        if (got->out[i] != word && !(has_tolerance && is_near(one, got->out[i], word)))
            return i;
    }
    return got->n_out;
}
