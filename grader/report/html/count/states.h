/* How a lab or a test ended, in as few states as can be told apart at a glance (marks.h). */
#pragma once

#include "grader/report/scoring/scored.h"

enum state {
    STATE_PASSED,
    STATE_WRONG,
    STATE_BROKEN,
    STATE_WAITING, /* nothing else is wrong than that it is not written yet */
    STATE_MISSING,
    STATE_UNGRADED,
    STATE_SKIPPED,
    N_STATES,
};

enum state state_of_lab(const struct scored_lab *lab);
/* A lab that the student has no record of is not handed in. */
enum state state_of_student(const struct scored_student *student, const char *lab);
enum state state_of_test(const struct scored_test *test);
