/* The record of a class: one JSON document, described by class.schema.json. */
#ifndef GRADER_CLASS_REPORT_H
#define GRADER_CLASS_REPORT_H

#include <stdio.h>

#include "grader/class/plan.h"

/* Writes it student by student, so that it never is in memory whole. */
void report_print(const struct plan *plan, double seconds, int exit_code, FILE *out);

/* The part of one student, a new reference. */
json_t *report_student(const struct plan *plan, size_t student);

#endif
