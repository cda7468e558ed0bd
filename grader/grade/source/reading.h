/*
 * A source, lexeme by lexeme: what lines.c and assignments.c look for lines with.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "grader/alike/lexer.h"

/* A lexeme, and where it stands. */
struct reader {
    struct lexer lexer;
    struct lexeme lexeme;
    bool has_regions, is_in_region;
};

void reader_init(struct reader *reader, const char *text);
/* The next lexeme that is program; false at the end. */
bool reader_next(struct reader *reader);
/* True where students write: within TODO regions, or anywhere where there are none. */
bool reader_is_open(const struct reader *reader);

bool lexeme_is(const struct lexeme *lexeme, const char *word);
/* Of patterns as of files' names, with blanks between; false for strings and names of headers. */
bool lexeme_is_one_of(const struct lexeme *lexeme, const char *words);

/* The first and last line of a function's body; both 0 where the source has none of this name, or
 * the line is in none. */
void read_body(const char *text, const char *function, unsigned *first, unsigned *last);
void read_body_around(const char *text, unsigned line, unsigned *first, unsigned *last);

/* Appends a line behind those before it, unless it is the last of them. */
void lines_add(json_t *lines, unsigned line);
/* Appends the open lines from `first` to `last` with one of the words. */
void lines_collect(json_t *lines, const char *text, const char *words, unsigned first,
                   unsigned last);
/* True where one of the lines is from `first` to `last`. */
bool lines_have(const json_t *lines, unsigned first, unsigned last);
/* The same lines, each once and in their order. Takes `lines`, gives a new array. */
json_t *lines_in_order(json_t *lines);
/* The same lines, or none where they are more. */
json_t *lines_at_most(json_t *lines, size_t most);
