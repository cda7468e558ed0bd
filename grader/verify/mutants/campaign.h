/*
 * `verify --mutants`: every mutant of the chosen sample is compiled, compared with the others, and
 * graded as `grade` does. The file of an answer that has any in the sample comes first: where it
 * does not get all points, its mutants say nothing.
 */
#pragma once

#include <jansson.h>

#include "grader/grade/grading.h"
#include "grader/verify/measure/share.h"
#include "grader/verify/mutants/mutant.h"

struct campaign {
    struct grading *grading;
    struct share share;
    unsigned order;   /* changes of a mutant: 1 or 2 */
    bool holes_alone; /* those that equivalent.yaml lists as holes */
    uint64_t seed;    /* of the sample, and of the inputs */
    measure_progress *progress;
};

/* What came of a lab: rows {lab, file, line, column, family, change, end, …}, as README.md has
 * them, and problems, texts on answers that lose points and entries of equivalent.yaml that don't
 * hold. Where it was interrupted, rows of the mutants that were done.
 */
struct campaign_lab {
    json_t *rows, *problems;
    bool is_interrupted;
};

/* Looks at a lab's mutants. GRADER_FAILED with a reason where its files can't be read. */
enum grader_status campaign_run(const struct campaign *campaign, const struct workbook_lab *lab,
                                struct campaign_lab *result, struct diag *diag);
void campaign_lab_finish(struct campaign_lab *result);
