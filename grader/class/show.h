/* What is seen of a class while it is graded, and in the end: a line a student as they finish, a
 * bar with the time left below them on a terminal, and a summary. */
#pragma once

#include "grader/class/plan.h"
#include "grader/terminal/page.h"

struct show {
    struct page page;
    bool has_bar;   /* the page is a terminal */
    bool is_silent; /* --json: no lines; the bar goes to stderr where that is a terminal */
    double start_ms;
    size_t n_work_items, n_done; /* of those that have to be done */
    size_t n_elsewhere;          /* done by other machines, and still to come */
};

/* `n_work_items`: pieces of work that have to be done. */
void show_init(struct show *show, const struct options *options, size_t n_work_items);

/* What is known before the first piece of work is done. */
void show_start(struct show *show, const struct plan *plan, const char *journal);

/* A student's line: marks and points of the labs, and what is odd. */
void show_student(struct show *show, const struct plan *plan, size_t student);

/* Another piece of work is done. */
void show_step(struct show *show);

/* What other machines have done that is still to come. */
void show_elsewhere(struct show *show, size_t n_work_items);

/* A sentence among the lines. */
void show_note(struct show *show, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes the bar away, and shows the summary. */
void show_end(struct show *show, const struct plan *plan, bool is_interrupted);

/* A line of the summary on files that are alike, as class_json_alike lists them. */
void show_alike(const struct show *show, const json_t *alike);
