/* The tests of a student's lab: what failed by one cause is one entry, with the rest folded. */
#pragma once

#include "grader/report/html/html.h"
#include "grader/report/scoring/scored.h"

void causes_write(struct html *html, const struct scored_lab *lab);
