/*
 * The grams of all texts of a class, and how surprising each is.
 *
 * A gram is a run of tokens. How surprising its last token is after those before it, in bits, is
 * estimated from the other files (prediction by partial matching): of the files that have the
 * tokens before it, how many go on with this one? Where no other file has them, a shorter run is
 * looked up. What all files go on with is worth next to nothing; each of three equally common
 * choices about 1.6 bits; what only two files have, much.
 */
#pragma once

#include <stdbool.h>

#include "grader/alike/alike.h"
#include "grader/alike/tokens.h"

/* Where a run of tokens is. */
struct gram {
    uint64_t hash;
    unsigned text; /* of which text: the class's files, then skeletons, then known answers */
    unsigned at;   /* which token it begins with */
};

struct grams_text {
    struct tokens tokens;
    struct gram *in_order, *by_hash;
    size_t n;
    bool *are_own; /* of in_order: no skeleton has it */
    size_t n_own;  /* of in_order */
};

struct grams {
    const struct alike_class *class;
    size_t width; /* tokens of a gram */
    struct grams_text *texts;
    size_t n_texts;
    float *shared; /* bits that two files share: [one * n_files + other], one < other */
};

/* The widths of grams to ask for, the longest first; ends with 0. */
void grams_read(struct grams *grams, const struct alike_class *class, enum tokens_kind kind,
                const size_t *widths);
void grams_finish(struct grams *grams);

/* The first of a text's `by_hash` that equals a gram; the others follow it. NULL where none does.
 */
const struct gram *grams_find(const struct grams_text *text, uint64_t hash);

/* Of what is one's own, the share that the other has, 0 to 1. */
double grams_share(const struct grams *grams, size_t one, size_t other);
