/* Compares a class's files by what they share, twice: by structure and by comments. */
#include "grader/alike/alike.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/base/grow.h"
#include "grader/alike/grams.h"

/* Two files count as alike where they share more bits than any two of a class of this size would by
 * chance, and `spare` more. Each place at which a file leaves what both share takes some bits back:
 * a copied file has few such places, two files that only have habits in common have many.
 * `.ci/bench/alike` measures what these numbers find and miss. */
struct measure {
    enum tokens_kind kind;
    size_t widths[5]; /* tokens of a gram, and of shorter ones */
    double spare, parting;
};

static const struct measure by_structure = {TOKENS_STRUCTURE, {12, 6, 3, 1}, 6, 8};
static const struct measure by_comments = {TOKENS_COMMENTS, {4, 2, 1}, 30, 8};

/* At how many places a file leaves what it shares with the other. */
static size_t n_partings(const struct grams *grams, size_t one, size_t other) {
    const struct grams_text *text = &grams->texts[one];
    bool was_shared = true;
    size_t n = 0;
    for (size_t at = 0; at < text->n; at++) {
        bool is_shared = grams_find(&grams->texts[other], text->in_order[at].hash);
        n += was_shared && !is_shared;
        was_shared = is_shared;
    }
    return n;
}

/* How surprising it is that two files are as alike as they are, in bits; 0 where it is not. */
static double surprise(const struct grams *grams, const struct measure *measure, size_t one,
                       size_t other) {
    size_t n_files = grams->class->n_files;
    double bits = grams->shared[one * n_files + other];
    double least = log2((double)n_files * (double)n_files / 2) + measure->spare;
    if (bits < least)
        return 0;
    size_t n_one = n_partings(grams, one, other), n_other = n_partings(grams, other, one);
    bits -= measure->parting * (double)(n_one > n_other ? n_one : n_other);
    return bits >= least ? bits : 0;
}

/* How many grams on from here are the same in both, and the first text's own. */
static size_t run_length(const struct grams_text *one, const struct grams_text *other, size_t at,
                         size_t there) {
    size_t n = 0;
    while (at + n < one->n && there + n < other->n && one->are_own[at + n] &&
           one->in_order[at + n].hash == other->in_order[there + n].hash)
        n++;
    return n;
}

/* The longest run that begins at a gram of `one`, and where it is in the other. */
static size_t longest_run(const struct grams_text *one, const struct grams_text *other, size_t at,
                          size_t *there) {
    size_t longest = 0;
    uint64_t hash = one->in_order[at].hash;
    const struct gram *end = other->by_hash + other->n;
    unsigned tries = 0;
    for (const struct gram *gram = grams_find(other, hash);
         gram && gram < end && gram->hash == hash && tries < 16; gram++, tries++) {
        size_t length = run_length(one, other, at, gram->at);
        if (length > longest) {
            longest = length;
            *there = gram->at;
        }
    }
    return longest;
}

static unsigned n_lines(const struct alike_passage *passage) {
    return passage->one_end - passage->one + 1;
}

/* Keeps the longest passages, in order of lines. A passage that begins where the last one ended is
 * joined to it. */
static void keep(struct alike_pair *pair, struct alike_passage passage) {
    struct alike_passage *last = pair->n_passages ? &pair->passages[pair->n_passages - 1] : NULL;
    if (last && passage.one <= last->one_end + 1 && passage.other <= last->other_end + 1 &&
        passage.other >= last->other) {
        last->one_end = passage.one_end > last->one_end ? passage.one_end : last->one_end;
        last->other_end = passage.other_end > last->other_end ? passage.other_end : last->other_end;
        return;
    }
    if (pair->n_passages == ALIKE_PASSAGES) {
        size_t shortest = 0;
        for (size_t i = 1; i < ALIKE_PASSAGES; i++) {
            if (n_lines(&pair->passages[i]) < n_lines(&pair->passages[shortest]))
                shortest = i;
        }
        if (n_lines(&pair->passages[shortest]) >= n_lines(&passage))
            return;
        for (size_t i = shortest; i + 1 < ALIKE_PASSAGES; i++)
            pair->passages[i] = pair->passages[i + 1];
        pair->n_passages--;
    }
    pair->passages[pair->n_passages++] = passage;
}

/* The first line of a run of tokens, and the last. */
static void lines_of(const struct token *tokens, size_t n, unsigned *first, unsigned *last) {
    *first = *last = 0;
    for (size_t i = 0; i < n; i++) {
        *first = *first > 0 ? *first : tokens[i].line;
        *last = tokens[i].line > 0 ? tokens[i].line : *last;
    }
}

static void find_passages(const struct grams *grams, struct alike_pair *pair) {
    const struct grams_text *one = &grams->texts[pair->one], *other = &grams->texts[pair->other];
    for (size_t at = 0; at < one->n;) {
        size_t there = 0, length = one->are_own[at] ? longest_run(one, other, at, &there) : 0;
        if (length > 0) {
            struct alike_passage passage;
            size_t n = length + grams->width - 1;
            lines_of(one->tokens.items + at, n, &passage.one, &passage.one_end);
            lines_of(other->tokens.items + there, n, &passage.other, &passage.other_end);
            if (passage.one > 0)
                keep(pair, passage);
        }
        at += length > 0 ? length : 1;
    }
}

static void add_pair(struct alike_pairs *pairs, struct alike_pair pair) {
    pairs->items = grow_list(pairs->items, pairs->n, sizeof *pairs->items);
    pairs->items[pairs->n++] = pair;
}

static int compare_pairs(const void *a, const void *b) {
    const struct alike_pair *one = a, *other = b;
    if (one->bits != other->bits)
        return one->bits > other->bits ? -1 : 1;
    if (one->one != other->one)
        return one->one < other->one ? -1 : 1;
    return (one->other > other->other) - (one->other < other->other);
}

void alike_find(const struct alike_class *class, struct alike_pairs *pairs) {
    struct grams structure, comments;
    *pairs = (struct alike_pairs){.n_own = make_zeroed(class->n_files, sizeof *pairs->n_own)};
    grams_read(&structure, class, by_structure.kind, by_structure.widths);
    grams_read(&comments, class, by_comments.kind, by_comments.widths);
    for (size_t one = 0; one < class->n_files; one++) {
        pairs->n_own[one] = structure.texts[one].n_own;
        for (size_t other = one + 1; other < class->n_files; other++) {
            double in_structure = surprise(&structure, &by_structure, one, other);
            double in_comments = surprise(&comments, &by_comments, one, other);
            if (in_structure == 0 && in_comments == 0)
                continue;
            struct alike_pair pair = {
                .one = one,
                .other = other,
                .how = in_comments > 0 ? ALIKE_COMMENTS : ALIKE_STRUCTURE,
                .bits = in_structure + in_comments,
                .one_share = grams_share(&structure, one, other),
                .other_share = grams_share(&structure, other, one),
            };
            find_passages(&structure, &pair);
            add_pair(pairs, pair);
        }
    }
    if (pairs->n > 0)
        qsort(pairs->items, pairs->n, sizeof *pairs->items, compare_pairs);
    grams_finish(&structure);
    grams_finish(&comments);
}

void alike_finish(struct alike_pairs *pairs) {
    free(pairs->items);
    free(pairs->n_own);
    *pairs = (struct alike_pairs){0};
}
