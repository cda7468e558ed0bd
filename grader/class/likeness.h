/* Which students' files are alike, as the class's document tells it. */
#ifndef GRADER_CLASS_LIKENESS_H
#define GRADER_CLASS_LIKENESS_H

#include "grader/class/plan.h"

/* Compares what was handed in, lab by lab; a new reference, a list as class.schema.json describes
 * it. Files that cannot be read are left out. */
json_t *likeness_find(const struct plan *plan);

#endif
