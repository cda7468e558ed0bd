/* A command line under construction: words, each a string of its own. */
#ifndef SANDBOX_WORDS_H
#define SANDBOX_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
    char **list; /* ends with NULL once something was added */
    size_t n, capacity;
    bool has_failed; /* no memory: the rest is missing */
};

/* Adds the words up to a NULL. */
void words_add(struct words *words, ...) __attribute__((sentinel));

/* Adds one word, made by printf's rules. */
void words_format(struct words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void words_free(char **list);

#endif
