/* The record of a class: one JSON document, described by class.schema.json. */
#ifndef GRADER_CLASS_REPORT_H
#define GRADER_CLASS_REPORT_H

#include <stdio.h>

#include "grader/class/plan.h"

/* All but the students, a new reference; takes `alike`, what likeness_find found. */
json_t *report_head(const struct plan *plan, json_t *alike, double seconds, int exit_code);

/* Writes it student by student, so that it never is in memory whole. */
void report_print(const struct plan *plan, const json_t *head, FILE *out);

/* The part of one student, a new reference. */
json_t *report_student(const struct plan *plan, size_t student);

#endif
