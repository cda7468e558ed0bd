/* Which lines of a source stand beside each other: blank lines, comments and lone braces are no
 * places of their own. */
#pragma once

#include <stdbool.h>

struct places {
    bool *is_code; /* by line, from 1: something stands there beside braces */
    unsigned n_lines;
    const char *text;
};

/* Reads a source, which must live as long. The caller frees it with places_finish. */
void places_read(struct places *places, const char *text);
void places_finish(struct places *places);

/* How many lines with code lie from one line to another; as many lines as there are where one of
 * them is beyond the source's end. */
unsigned places_between(const struct places *places, unsigned a, unsigned b);

/* True where a line stands within the innermost braces around the gap behind line `gap`, or in
 * their first or last line. Outside all braces no line does. */
bool places_are_together(const struct places *places, unsigned gap, unsigned line);
