/*
 * A program's text as tokens, so that two can be compared by what was written and not by how it is
 * laid out.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum tokens_kind {
    /* What a disguise leaves as it is: one's own names are one token, whatever they are; comments,
     * #include, braces, parentheses and words such as `const` are none. Each function begins with
     * TOKENS_PAD tokens that are the same for all, so that no run of TOKENS_PAD + 1 has parts of
     * two: their order does not matter. */
    TOKENS_STRUCTURE,
    /* The words of comments alone: two who write the same short program don't explain it alike. */
    TOKENS_COMMENTS,
    /* All that the compiler reads, names as they are. */
    TOKENS_WORDS,
};

/* Of what is longer, only the beginning is read. */
enum { TOKENS_PAD = 11, TOKENS_MAX = 20000 };

struct token {
    uint32_t what; /* a hash: equal tokens have equal ones */
    unsigned line; /* from 1; 0 for TOKENS_PAD's */
};

struct tokens {
    struct token *items;
    size_t n;
};

/* Reads any text; what is no program gives odd tokens, and no error. */
void tokens_read(struct tokens *tokens, enum tokens_kind kind, const char *text, size_t bytes);
void tokens_finish(struct tokens *tokens);
