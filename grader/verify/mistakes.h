/* The catalogue of a lab's known mistakes, solutions/NN-name/mistakes.yaml, for `verify`. */
#ifndef GRADER_MISTAKES_H
#define GRADER_MISTAKES_H

#include <stdbool.h>

#include "common/base/diag.h"

struct mistake {
    char *file;      /* name of the wrong answer in mistakes/ */
    char *verdict;   /* that the named test must give */
    char *test;      /* "edge.handles_partial_last_block" */
    char *diagnosis; /* an id of the manifest */
    char *backend;   /* that can show it: "any" (also where it is NULL), "sim" or "gpu" */
};

struct mistakes {
    struct mistake *mistakes;
    unsigned n_mistakes;
};

/* Loads FOLDER/mistakes.yaml. NULL with file, line and reason in `diag`. */
struct mistakes *mistakes_load(const char *folder, struct diag *diag);
void mistakes_free(struct mistakes *mistakes);

/* True where the backend ("sim", "gpu") can show the mistake. */
bool mistake_shows_on(const struct mistake *mistake, const char *backend);

#endif
