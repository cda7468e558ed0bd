/*
 * Strings: made by format, cleaned for display. The grader cannot say anything useful without
 * memory for a sentence, so these functions abort where malloc fails.
 */
#ifndef GRADER_TEXT_H
#define GRADER_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A string made by printf's rules; the caller frees it. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_vformat(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

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

#endif
