/*
 * solutions/NN-name/equivalent.yaml: mutants that get all points, and why. Most of them mean the
 * same as the answer, which a compiler can't see; some show a hole in the tests (`hole: true`).
 */
#pragma once

#include <stdbool.h>

#include "common/base/text.h"

struct known_mutant {
    char *file;     /* "shuffle_sum.cu", "variants/one_word.cu", or a pattern of them: "*" */
    char *line;     /* of the answer, without blanks around it */
    char *next;     /* one of the two that follow it; NULL: any */
    char *at;       /* how the line goes on where it is changed; NULL: in any way */
    char **changes; /* "< → <=", each by itself */
    unsigned n_changes;
    char *why;     /* for people */
    bool *is_hole; /* NULL: false */
};

struct known {
    struct known_mutant *survivors;
    unsigned n_survivors;
};

/* Loads FOLDER/equivalent.yaml; an empty list where there is none. NULL with file, line and reason
 * in `diag`, also where a mutant is listed twice. */
struct known *known_load(const char *folder, struct diag *diag);
void known_free(struct known *known);

/* Where an answer is changed. */
struct known_place {
    const char *text; /* of the whole answer */
    unsigned line;    /* of it, from 1 */
    const char *at;   /* in the text, what is changed */
};

/* The entry of a mutant, or NULL. */
const struct known_mutant *known_find(const struct known *known, const char *file,
                                      const struct known_place *place, const char *change);
