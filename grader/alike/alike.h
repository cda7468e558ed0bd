/*
 * Files of a class that are more alike than others of it: who may have worked together.
 *
 * A file is compared by its grams, all runs of a fixed number of tokens (Schleimer, Wilkerson and
 * Aiken, "Winnowing", 2003; all are kept, since answers are short). Grams of the skeleton and of
 * known answers carry no weight. Every other gram that two files share is weighed by how surprising
 * it is in this class (grams.h), since all who answer the same short question write much that is
 * the same.
 */
#pragma once

#include <stddef.h>

struct alike_text {
    const char *text;
    size_t bytes;
};

/* What is compared. No two files are the same byte for byte. */
struct alike_class {
    const struct alike_text *files;
    size_t n_files;
    const struct alike_text *skeletons; /* what all were given */
    size_t n_skeletons;
    const struct alike_text *known; /* other answers: the model's, known mistakes */
    size_t n_known;
};

/* Lines of one file and those of the other that say the same, first and last. */
struct alike_passage {
    unsigned one, one_end, other, other_end;
};

enum { ALIKE_PASSAGES = 8 };

struct alike_pair {
    size_t one, other; /* files, the earlier first */
    enum {
        ALIKE_STRUCTURE, /* whatever its names, comments, layout and order of functions */
        ALIKE_COMMENTS,  /* in its comments, too */
    } how;
    double bits;                   /* how surprising it is that both have what they share */
    double one_share, other_share; /* of what each wrote, how much the other has, 0 to 1 */
    struct alike_passage passages[ALIKE_PASSAGES]; /* the longest, by line */
    size_t n_passages;
};

struct alike_pairs {
    struct alike_pair *items; /* the most alike first */
    size_t n;
    size_t *n_own; /* a file: how many grams it has that no skeleton has */
};

/* alike_finish in each case. */
void alike_find(const struct alike_class *class, struct alike_pairs *pairs);
void alike_finish(struct alike_pairs *pairs);
