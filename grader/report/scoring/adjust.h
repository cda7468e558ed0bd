/* The rules that come after the tests of a lab: late work and extensions, rounding, and that no lab
 * brings more than it is worth. Each that changed the points is told in a sentence. */
#pragma once

#include "grader/report/scoring/scored.h"

/* From the tests' points to the lab's. `handed` is when it was handed in (0: not known),
 * `is_marked` says that the school's system marked it as late. */
void adjust_lab(const struct scoring *scoring, const struct course_lab *own, time_t handed,
                bool is_marked, struct scored_lab *lab);
