/* Names for a leaderboard that only whoever teaches can tell: drawn from a student's id and the
 * very file that is ranked, so that the others, who don't have it, can't work them out. The same in
 * each page of a class; others in each lab. */
#pragma once

#include "grader/report/scoring/scored.h"

/* One for each student, none twice: "Amber Heron". pseudonyms_free lets go of them. */
char **pseudonyms_make(const char *lab, const struct scored_student *students, size_t n);
void pseudonyms_free(char **pseudonyms, size_t n);
