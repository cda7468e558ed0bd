/* A student's file with what was found beside its lines. */
#pragma once

#include "grader/report/html/html.h"
#include "grader/report/scoring/scored.h"

/* Of a lab that did not pass. Where the file is no longer what was graded, the findings alone. */
void listing_write(struct html *html, const struct scored_lab *lab);
