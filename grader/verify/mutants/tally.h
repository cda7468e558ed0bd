/* Counts of what came of mutants, for people and as JSON. */
#pragma once

#include <stdio.h>

#include "grader/terminal/page.h"
#include "grader/verify/mutants/campaign.h"

struct tally {
    size_t n, ends[N_MUTANT_ENDS];
    size_t line, cause, kind, is_false; /* of the killed: told, named, right, false */
};

/* Families by their number, and all of them together as the last one. */
struct tallies {
    struct tally of[N_FAMILIES + 1];
};

/* Adds rows as campaign_run makes them. */
void tallies_add(struct tallies *tallies, const json_t *rows);

/* A new reference: {families: {…}, all: {mutants, not_compiling, same, killed, …}}. */
json_t *tallies_json(const struct tallies *tallies);

/* A table on a terminal. */
void tallies_show(const struct tallies *tallies, const struct page *page);

/* A table in Markdown. */
void tallies_write(const struct tallies *tallies, FILE *out);

/* Mutants of a row that are survivors: listed nowhere, or as holes. */
bool row_is_survivor(const json_t *row);

/* "file:line:column: change", and the line below it; the caller frees it. */
char *row_text(const json_t *row);
