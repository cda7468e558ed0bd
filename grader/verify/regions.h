/*
 * The TODO regions of a skeleton: from a line `// TODO(n): …` to `// END TODO(n)`. Outside them a
 * skeleton and its model answer are the same, line by line.
 */
#ifndef GRADER_REGIONS_H
#define GRADER_REGIONS_H

#include <stdbool.h>

#include "common/base/diag.h"

/* True where two sources agree outside their regions. Else `diag` has the first difference: the
 * line of `a_path`, and in its message that of `b_path`. */
bool regions_agree(const char *a_path, const char *a, const char *b_path, const char *b,
                   struct diag *diag);

#endif
