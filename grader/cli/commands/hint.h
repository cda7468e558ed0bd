/*
 * The hints that a student gets one by one. First those about the file as it was checked last: of
 * the first failure whose cause experiments have proven, the kind of mistake, and what mends it, as
 * far as the course reveals that; the place is in the report. Then those that the lab's author
 * wrote, of which a hint that has a part for each TODO ("TODO 1: … TODO 2: …") tells that of the
 * first TODO that is not done.
 */
#pragma once

#include <jansson.h>

#include "grader/report/text/render.h"
#include "grader/workbook/target.h"

struct hints {
    const char *lab;
    const struct manifest *manifest;
    const json_t *record; /* of the check, borrowed; NULL where nothing is proven */
    const json_t *test;   /* its test whose cause is told, or NULL */
    unsigned n_proven;    /* hints about that cause: 0 to 2 */
    unsigned todo;        /* the TODO that is worked at; 0: none of those with a number */
};

/* How much of a proven cause may be told: what the course says whose file is `course`, or else
 * ROOT/course.yaml; all where there is neither. GRADER_BAD_INPUT where the file is wrong. */
enum grader_status hints_limit(const struct workbook *book, const char *course,
                               enum render_reveal *limit, struct diag *diag);

/* The hints of a lab of which `record` is the last check (NULL: none). A failure's number, in the
 * order of telling, chooses which cause is told where it is proven; SIZE_MAX: the first failure. */
struct hints hints_of(const struct target *target, const json_t *record, size_t failure,
                      enum render_reveal limit);

/* The number (from 1) of the next hint that was not seen, the last one once all were. */
unsigned hints_next(const struct hints *hints, const struct workbook *book);
/* Remembers that a hint was seen. */
enum grader_status hints_note(const struct hints *hints, const struct workbook *book,
                              unsigned number, struct diag *diag);

/* Prints a hint; `title` stands behind its number, NULL: nothing. */
void hints_show(const struct hints *hints, struct render *render, unsigned number,
                const char *title);
