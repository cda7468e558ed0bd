/*
 * The page that a report is written on: a terminal or a pipe, with its width and its colours. Text
 * is wrapped at spaces; continuation lines hang under the text they continue.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum page_style {
    PAGE_PLAIN,
    PAGE_STRONG,
    PAGE_FAINT,
    PAGE_GOOD,
    PAGE_BAD,
    PAGE_WAITING,
    PAGE_BAR,
};

enum page_colour { PAGE_COLOUR_AUTO, PAGE_COLOUR_ALWAYS, PAGE_COLOUR_NEVER };

enum { PAGE_NARROWEST = 40, PAGE_WIDEST = 100, PAGE_USUAL = 80 };

/* Takes a page's text in place of a file, not wrapped and without styles; `to` is the page's. */
struct page_taker {
    void (*text)(void *to, const char *label, const char *text); /* either may be "", or both */
    void (*line)(void *to, const char *text); /* what stands in columns, or deeper than a text */
    void (*command)(void *to, const char *label, const char *command);
};

struct page {
    FILE *out;
    unsigned width; /* in columns */
    bool has_colour;
    const struct page_taker *taker; /* NULL where `out` is written on; else that may be NULL, and
                                       page_row and page_blank are not for such a page */
    void *to;
};

/* A stretch of text in one style; NULL text is nothing. */
struct page_span {
    enum page_style style;
    const char *text;
};

/* Colours by `choice`; on PAGE_COLOUR_AUTO where `out` is a terminal and NO_COLOR is not set. The
 * width is the terminal's, else COLUMNS, else 80, within the limits above. */
void page_init(struct page *page, FILE *out, enum page_colour choice);

void page_blank(const struct page *page);

/* Wraps the spans, one after the other: the first line begins at column `indent`, the others at
 * `hang`. A newline in a text begins a line at `hang`. */
void page_spans(const struct page *page, unsigned indent, unsigned hang,
                const struct page_span *spans, size_t n);

/* One text in one style, made by printf's rules. */
void page_text(const struct page *page, unsigned indent, enum page_style style, const char *format,
               ...) __attribute__((format(printf, 4, 5)));

/* A faint label, and wrapped text in a column to the right of it. */
void page_labelled(const struct page *page, unsigned indent, const char *label,
                   const struct page_span *spans, size_t n);

/* A faint label over what follows. */
void page_over(const struct page *page, unsigned indent, const char *label);
/* Lines that follow are about something else: no text, but a taker's to tell apart. */
void page_part(const struct page *page);

/* Spans at the left and one text at the right edge; below it where both don't fit on a line. */
void page_row(const struct page *page, unsigned indent, const struct page_span *spans, size_t n,
              struct page_span right);

/* A line as it is, cut with an ellipsis at the edge. */
void page_verbatim(const struct page *page, unsigned indent, const char *prefix,
                   enum page_style style, const char *text, size_t bytes);

/* A line of code as it is. What is beyond the edge goes on in the next rows, further right, behind
 * the bar that `prefix` ends with ("7 │ "); a comment is cut. */
void page_code(const struct page *page, unsigned indent, const char *prefix, enum page_style style,
               const char *text, size_t bytes);

/* A shell command, broken before options with a backslash, so that it can be copied. */
void page_command(const struct page *page, unsigned indent, const char *label, const char *command);
