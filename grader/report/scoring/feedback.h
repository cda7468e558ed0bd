/* The feedback that a student gets on a lab: the report's own words, as far as the course allows.
 */
#pragma once

#include "grader/report/scoring/scored.h"

/* Fills in a test's message, mismatch and line. */
void feedback_test(const struct scoring *scoring, const json_t *lab, const json_t *record,
                   struct scored_test *test);

/* Fills in the message where no test ran: the reason, the compiler's words. */
void feedback_lab(const json_t *lab, struct scored_test *test);

/* The hints that the course shows of a lab that did not pass, a line each, or "". The caller frees
 * them. */
char *feedback_hints(const struct scoring *scoring, const struct scored_lab *lab);

/* Puts one test in the place of those that students do not see: with all their points, it tells
 * nothing but how many they are and what they come to. */
void feedback_fold(const struct scoring *scoring, const struct course_lab *own,
                   struct scored_lab *lab);

/* Says which of the tests that are left failed by one cause. What the course hides of causes does
 * not join tests either. */
void feedback_causes(const struct scoring *scoring, const json_t *record, struct scored_lab *lab);
