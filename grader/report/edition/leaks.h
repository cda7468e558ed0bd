/*
 * Whether a text has a piece of an answer in it: a run of tokens that an answer has, too, and no
 * file that students are handed. Tokens are those of alike/tokens.h, so other names, comments,
 * layout and braces hide nothing.
 */
#pragma once

#include <stdint.h>

#include "common/base/text.h"
#include "grader/workbook/workbook.h"

/* Where names don't count, any two loops that add up are alike over some twenty tokens. So a run
 * has to be longer to mean anything, and longer still where there are hundreds of answers to meet.
 */
enum {
    LEAKS_OF_MODEL = 26, /* tokens of a run of a model answer, or of a variant of it */
    LEAKS_OF_ANY = 32,   /* of a known mistake, or of what strangers wrote */
};

/* Hashes of runs, in order. */
struct leaks_runs {
    size_t width; /* tokens of a run */
    uint64_t *answers, *given;
    size_t n_answers, n_given, room_answers, room_given;
};

struct leaks {
    struct leaks_runs of_model, of_any;
};

/* Reads what the workbook has of answers to any lab, all sources of solutions/ but skeletons (what
 * is packed stays closed); and what it hands out: skeletons, and the headers beside the labs' own
 * files. leaks_finish either way. */
enum grader_status leaks_read(struct leaks *leaks, const struct workbook *book, struct diag *diag);
void leaks_finish(struct leaks *leaks);

/* The line at which a text begins to be like an answer; 0 where it nowhere is. */
unsigned leaks_find(const struct leaks *leaks, const char *text, size_t n_bytes);
