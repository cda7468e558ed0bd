/* What was found at a line of a student's file: findings of the simulator, what known mistakes and
 * experiments point to, and the compiler's errors. */
#pragma once

#include "grader/report/scoring/scored.h"

struct remark {
    unsigned line;
    char *text;
};

struct remarks {
    struct remark *items; /* by line, none twice */
    size_t n;
};

void remarks_make(struct remarks *remarks, const struct scored_lab *lab);
void remarks_finish(struct remarks *remarks);
