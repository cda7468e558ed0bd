/*
 * What one run of a program came to, and where two runs of it differ.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct tool_outcome {
    int status;
    char *text;   /* of its standard output; the lines point into it */
    char **lines; /* without line ends */
    size_t n_lines;
    json_t *report; /* of the drop-in; NULL where there is none */
};

/* What differs between two runs in one and the same order, as a time of day does: nothing to
 * compare. */
struct tool_noise {
    bool all_lines; /* there are more or fewer of them */
    bool *lines;    /* a flag a line of the usual run */
    json_t *memory; /* numbers of allocations, as keys */
};

/* Reads the files that a run left. False where the host has no memory. */
bool tool_outcome_read(struct tool_outcome *outcome, const char *output, const char *report);
void tool_outcome_free(struct tool_outcome *outcome);

/* False where the host has no memory. */
bool tool_noise_find(struct tool_noise *noise, const struct tool_outcome *usual,
                     const struct tool_outcome *again);
void tool_noise_free(struct tool_noise *noise);

/* An array of sentences without full stop, one a difference, empty where there is none. That the
 * same lines come in another order is no difference: printf of kernels promises none. */
json_t *tool_outcome_compare(const struct tool_outcome *usual, const struct tool_outcome *other,
                             const struct tool_noise *noise);
