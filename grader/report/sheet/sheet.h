/*
 * A student's sheet: one document that a student reads, with the points and each rule that made
 * them, what failed by its causes, and what to do next. What is in it is said once, in sheet.c; a
 * form writes it as HTML or as Markdown.
 */
#pragma once

#include <stdio.h>

#include "grader/report/scoring/scored.h"

/* What a text is about, for its colour. */
enum sheet_tone { SHEET_PLAIN, SHEET_GOOD, SHEET_BAD, SHEET_WAITING };

struct sheet_form {
    /* A document in the making, on `out`; sheet_write ends it. Texts are UTF-8 of anybody's: the
     * form escapes them. */
    void *(*begin)(FILE *out, const char *title);
    void (*end)(void *document);
    void (*heading)(void *document, unsigned level, enum sheet_tone tone, const char *text);
    void (*paragraph)(void *document, const char *text);
    void (*labelled)(void *document, const char *label, const char *text); /* a paragraph, too */
    void (*points)(void *document, const char *text); /* of the whole, then of each lab */
    void (*list)(void *document, bool is_begin);
    void (*item)(void *document, const char *text);
    void (*verbatim)(void *document, const char *text); /* with its lines and blanks */
    void (*command)(void *document, const char *text);
    /* What follows, up to the end, matters less; it may be folded away. */
    void (*fold)(void *document, const char *summary, bool is_begin);
};

extern const struct sheet_form sheet_html, sheet_markdown;

void sheet_write(const struct sheet_form *form, const struct course *course,
                 const struct scored_student *student, FILE *out);
