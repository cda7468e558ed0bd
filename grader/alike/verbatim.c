/* Runs of tokens are compared by their hashes, in order. */
#include "grader/alike/verbatim.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/base/grow.h"
#include "common/base/owned.h"
#include "grader/alike/tokens.h"

enum { WIDTH = 8 };

struct runs {
    uint64_t *items;
    size_t n;
};

static int compare(const void *a, const void *b) {
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

static void add_runs(struct runs *runs, const struct alike_text *text) {
    struct tokens tokens;
    tokens_read(&tokens, TOKENS_WORDS, text->text, text->bytes);
    for (size_t at = 0; at + WIDTH <= tokens.n; at++) {
        uint64_t hash = 14695981039346656037u; /* FNV-1a, a token at a time */
        for (size_t i = 0; i < WIDTH; i++) {
            hash = (hash ^ tokens.items[at + i].what) * 1099511628211u;
            hash ^= hash >> 32;
        }
        runs->items = grow_list(runs->items, runs->n, sizeof *runs->items);
        runs->items[runs->n++] = hash;
    }
    tokens_finish(&tokens);
}

static void sort(struct runs *runs) {
    if (runs->n > 0)
        qsort(runs->items, runs->n, sizeof *runs->items, compare);
}

static bool has(const struct runs *runs, uint64_t hash) {
    return runs->n > 0 &&
           bsearch(&hash, runs->items, runs->n, sizeof *runs->items, compare) != NULL;
}

/* Of the runs that were not given, the share that the others have. */
static double share(const struct runs *runs, const struct runs *others, const struct runs *given,
                    size_t *n_own) {
    size_t n_shared = 0;
    *n_own = 0;
    for (size_t i = 0; i < runs->n; i++) {
        if (has(given, runs->items[i]))
            continue;
        ++*n_own;
        n_shared += has(others, runs->items[i]);
    }
    return *n_own > 0 ? (double)n_shared / (double)*n_own : 0;
}

struct verbatim_shared verbatim_compare(const struct alike_text *file,
                                        const struct alike_text *original,
                                        const struct alike_text *skeletons, size_t n_skeletons) {
    struct runs given = {0}, of_file = {0}, of_original = {0};
    struct verbatim_shared shared;
    size_t n_originals;
    for (size_t i = 0; i < n_skeletons; i++)
        add_runs(&given, &skeletons[i]);
    add_runs(&of_file, file);
    add_runs(&of_original, original);
    sort(&given);
    sort(&of_file);
    sort(&of_original);
    shared.file = share(&of_file, &of_original, &given, &shared.n_own);
    shared.original = share(&of_original, &of_file, &given, &n_originals);
    free(given.items);
    free(of_file.items);
    free(of_original.items);
    return shared;
}
