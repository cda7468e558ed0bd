/* What a student is told of a test: the report's own words, as far as the course lets them be. */
#ifndef GRADER_FORMATS_TOLD_H
#define GRADER_FORMATS_TOLD_H

#include "grader/report/scoring/scored.h"

/* Fills in a test's message, mismatch and line. */
void told_of_test(const struct scoring *scoring, const json_t *lab, const json_t *record,
                  struct scored_test *test);

/* Fills in the message where no test ran: the reason, the compiler's words. */
void told_of_lab(const json_t *lab, struct scored_test *test);

#endif
