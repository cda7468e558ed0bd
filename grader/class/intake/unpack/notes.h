/* Notes on what students handed in, and on what became of it. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Sentences for the instructor: what was refused, cleaned or odd. The list is bounded: whoever
 * hands in a hundred thousand odd files must not fill the memory with notes. */
enum { NOTES_MAX = 1000 };

struct notes {
    char **items; /* clean texts of one line */
    size_t n;
    size_t n_dropped; /* beyond NOTES_MAX */
    bool has_losses;  /* something could not be graded by no fault of a student's */
    size_t loss;      /* the index of the first note on such; where there is one */
};

/* Adds a sentence by printf's rules; control characters in it are made visible. */
void notes_add(struct notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of what could not be graded by no fault of a student's; there is room for as many again.
 */
void notes_add_loss(struct notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds all of another list. */
void notes_take(struct notes *notes, const struct notes *more);
/* A list of strings, a new reference; its last item says how many were dropped. */
json_t *notes_json(const struct notes *notes);
void notes_finish(struct notes *notes);
