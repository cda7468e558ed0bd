/* How many texts have a run of tokens. */
#ifndef GRADER_ALIKE_COUNTS_H
#define GRADER_ALIKE_COUNTS_H

#include "grader/alike/tokens.h"

struct counts {
    size_t width; /* tokens of a run */
    uint64_t *hashes;
    unsigned *n_texts; /* of each hash */
    size_t n;
};

/* The run that begins at a token, as a number. */
uint64_t counts_hash(const struct token *tokens, size_t width);

/* Counts runs of `width` tokens of some texts. */
void counts_make(struct counts *counts, size_t width, const struct tokens *const *texts,
                 size_t n_texts);
void counts_finish(struct counts *counts);

unsigned counts_find(const struct counts *counts, uint64_t hash);

#endif
