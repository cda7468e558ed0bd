/* The record of a class as one JSON document, which class.schema.json describes. */
#pragma once

#include <stdio.h>

#include "grader/class/plan.h"

/* Compares what was handed in, lab by lab; a new reference, a list as class.schema.json describes
 * it. Files that cannot be read are left out. */
json_t *class_json_alike(const struct plan *plan);

/* All but the students, a new reference; takes `alike`, what class_json_alike found. */
json_t *class_json_head(const struct plan *plan, json_t *alike, double seconds, int exit_code);

/* Writes it student by student, so that it never is in memory whole. */
void class_json_print(const struct plan *plan, const json_t *head, FILE *out);

/* The part of one student, a new reference. */
json_t *class_json_student(const struct plan *plan, size_t student);
