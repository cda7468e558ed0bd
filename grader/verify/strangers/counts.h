/* Counts of what came of strangers' answers, for people and as JSON. */
#pragma once

#include <stdio.h>

#include "grader/terminal/page.h"
#include "grader/verify/strangers/strangers.h"

struct counts {
    size_t n[N_STRANGER_ENDS];
};

/* Adds rows as strangers_run makes them. */
void counts_add(struct counts *counts, const json_t *rows);

/* A new reference: {right: 3, vague: 1, …}. */
json_t *counts_json(const struct counts *counts);

/* In what follows, `labs` is [{lab, rows, problems, …}]. */

/* Shows the lab's wrongly judged answers (all of its answers if `is_all`), then its problems. */
void strangers_show(const struct page *page, const json_t *lab, bool is_all);

/* A table on a terminal: a row a lab, and one for all. */
void counts_show(const struct page *page, const json_t *labs);

/* The table in Markdown, and a list of the answers that were not judged as they should be. */
void counts_write(FILE *out, const json_t *labs);
