/*
 * Words for people.
 *
 * Strings: made by format, cleaned for display. The grader cannot say anything useful without
 * memory for a sentence, so these functions abort where malloc fails.
 *
 * Diagnostics: what went wrong, as a sentence, with the file and line where there is one. Functions
 * that fail fill a diagnostic and return a status; only the commands print.
 *
 * Suggestions: the name that somebody probably meant.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/base/owned.h"

/* A string made by printf's rules; the caller frees it (owned.h). */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_vformat(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Adds to the end of such a string, or makes one of NULL. */
void text_add(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A copy of `bytes` bytes as valid UTF-8 without control characters: a newline stays (where
 * `keep_newlines`), a tab becomes spaces to the next multiple of four, and everything else that a
 * terminal would act upon becomes "\x1b". The caller frees it. */
char *text_clean(const char *from, size_t bytes, bool keep_newlines);

/* A copy with each `from` replaced; the caller frees it. */
char *text_replace(const char *text, const char *from, const char *to);

/* A word as a shell reads it back: in quotes where that is needed. The caller frees it. */
char *text_quote(const char *word);

/* Bytes of the UTF-8 character at `from` (which has `bytes` bytes left); 0 where it is none. */
size_t text_utf8_length(const char *from, size_t bytes);

/* Characters (not bytes) of a string: what it takes in columns of a terminal. */
size_t text_columns(const char *text);

/* Line `number` (from 1) of `text`: its start, and its length without the newline in `length`.
 * NULL where the text has no such line. */
const char *text_line(const char *text, unsigned number, size_t *length);

/* True where a text's first `bytes` bytes are decimal digits, one at least. */
bool text_is_number(const char *text, size_t bytes);

/* True where a text that has more than `end` ends so. */
bool text_ends_with(const char *text, const char *end);

/* True where the text is like one of these patterns (of files' names, as fnmatch has them; with
 * blanks between; of up to 63 bytes). text_is_like_any_case takes A and a for the same. */
bool text_is_like(const char *text, const char *patterns);
bool text_is_like_any_case(const char *text, const char *patterns);

/* How a piece of work ended. The values are the exit codes of the program. */
enum grader_status {
    GRADER_OK = 0,
    GRADER_NOT_PASSED = 1,    /* something was graded and did not pass */
    GRADER_BAD_INPUT = 2,     /* usage: unknown lab, option, missing or unusable file */
    GRADER_FAILED = 3,        /* the grader or the machine failed: no compiler, a broken lab */
    GRADER_INTERRUPTED = 130, /* Ctrl-C */
};

struct diag {
    char file[512]; /* "" where no file is meant */
    unsigned line;  /* 0 where no line is known */
    char message[1024];
};

/* Fills `diag` (which may be NULL); `file` may be NULL. */
void diag_set(struct diag *diag, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Prints "file:line: message" with a newline. */
void diag_print(const struct diag *diag, FILE *out);

/* Edits (insert, delete, replace, swap of neighbours) that turn one word into the other, upper and
 * lower case alike. Words longer than 63 characters count as far away. */
unsigned nearest_distance(const char *a, const char *b);

/* Index of the name nearest to `word`, or -1 where none is near enough to suggest (more than about
 * a third of the letters differ, and neither begins the other). */
int nearest_index(const char *word, const char *const *names, size_t n_names);
