/* Sorts all runs, and keeps each once. */
#include "grader/alike/counts.h"

#include <stdlib.h>

struct run {
    uint64_t hash;
    size_t text;
};

uint64_t counts_hash(const struct token *tokens, size_t width) {
    uint64_t hash = 14695981039346656037u; /* FNV-1a, a token at a time */
    for (size_t i = 0; i < width; i++) {
        hash = (hash ^ tokens[i].what) * 1099511628211u;
        hash ^= hash >> 32; /* its high bits would never come down */
    }
    return hash;
}

static int compare(const void *a, const void *b) {
    const struct run *one = a, *other = b;
    if (one->hash != other->hash)
        return one->hash < other->hash ? -1 : 1;
    return (one->text > other->text) - (one->text < other->text);
}

void counts_make(struct counts *counts, size_t width, const struct tokens *const *texts,
                 size_t n_texts) {
    size_t n = 0, room = 1;
    for (size_t i = 0; i < n_texts; i++)
        room += texts[i]->n;
    struct run *runs = calloc(room, sizeof *runs);
    *counts = (struct counts){
        .width = width,
        .hashes = calloc(room, sizeof *counts->hashes),
        .n_texts = calloc(room, sizeof *counts->n_texts),
    };
    if (!runs || !counts->hashes || !counts->n_texts)
        abort();
    for (size_t i = 0; i < n_texts; i++) {
        for (size_t at = 0; at + width <= texts[i]->n; at++)
            runs[n++] = (struct run){counts_hash(texts[i]->items + at, width), i};
    }
    qsort(runs, n, sizeof *runs, compare);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || runs[i].hash != runs[i - 1].hash)
            counts->hashes[counts->n++] = runs[i].hash;
        if (i == 0 || runs[i].hash != runs[i - 1].hash || runs[i].text != runs[i - 1].text)
            counts->n_texts[counts->n - 1]++;
    }
    free(runs);
}

void counts_finish(struct counts *counts) {
    free(counts->hashes);
    free(counts->n_texts);
}

unsigned counts_find(const struct counts *counts, uint64_t hash) {
    size_t from = 0, to = counts->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (counts->hashes[middle] < hash)
            from = middle + 1;
        else
            to = middle;
    }
    return from < counts->n && counts->hashes[from] == hash ? counts->n_texts[from] : 0;
}
