/*
 * The ctas that run where not all do. A pair is `a` and the cta as far from the grid's end, so that
 * of kernels whose ctas go through an array in order as much runs in its second half as in its
 * first, wherever the launch's budget ends. Places are fractions of the grid: what the ctas there
 * leave in an array is read by ctas at the same fraction of the next launch.
 */
#include "common/simt/run/grid/launch.h"

#include <stdlib.h>

/* Pairs at a place. */
enum { SIDE_BY_SIDE = 3 };

static bool has(const struct simt_ctas *ctas, uint64_t n, uint64_t cta) {
    for (uint64_t i = 0; i < n; i++)
        if (ctas->list[i] == cta)
            return true;
    return false;
}

/* Adds a pair whose ctas are not among the first `n_looked` of the list. */
static void add_pair(struct simt_ctas *ctas, uint64_t n_looked, uint64_t a, uint64_t n_ctas) {
    uint64_t b = n_ctas - 1 - a;

    if (a >= n_ctas || a > b || has(ctas, n_looked, a))
        return;
    ctas->list[ctas->n++] = a;
    if (a < b)
        ctas->list[ctas->n++] = b;
}

/* The cta at a fraction of the way to the middle; no product exceeds 64 bits. */
static uint64_t cta_at(uint64_t n_ctas, uint32_t fraction) {
    uint64_t half = n_ctas / 2;

    return (half >> 32) * fraction + ((half & UINT32_MAX) * fraction >> 32);
}

bool simt_sample_open(struct simt_ctas *ctas, const struct simt_sample *sample, uint64_t n_ctas) {
    uint32_t n_places = sample->n < SIMT_SAMPLE_PLACES ? sample->n : SIMT_SAMPLE_PLACES;
    uint64_t most = 2 + 2 * SIDE_BY_SIDE * SIMT_SAMPLE_PLACES;

    *ctas = (struct simt_ctas){.budget = sample->budget};
    ctas->list = malloc((most + SIMT_SAMPLE_WHOLE) * sizeof *ctas->list);
    if (!ctas->list)
        return false;
    add_pair(ctas, 0, 0, n_ctas);
    for (uint32_t i = 0; i < n_places; i++) {
        uint64_t middle = cta_at(n_ctas, sample->at[i]);

        for (uint64_t a = middle > 0 ? middle - 1 : 0; a <= middle + 1; a++)
            add_pair(ctas, ctas->n, a, n_ctas);
    }
    uint64_t n_looked = ctas->n;
    for (uint64_t a = 0; n_ctas <= SIMT_SAMPLE_WHOLE && a < n_ctas; a++)
        add_pair(ctas, n_looked, a, n_ctas);
    return true;
}

void simt_sample_close(struct simt_ctas *ctas) {
    free(ctas->list);
    ctas->list = NULL;
}
