/* Under which names Canvas and Moodle take feedback files back: README.md of report/ says where
 * that is written. Neither is asked: what they would give to somebody else is given no such name.
 */
#pragma once

#include "grader/report/scoring/scored.h"

enum names_taker {
    NAMES_NOBODY, /* no system takes it; names_start is a folder's that none takes for its own */
    NAMES_CANVAS,
    NAMES_MOODLE,
};

/* What the names of a student's files begin with, in `*start`, which the caller frees: Canvas's own
 * "doejane_12_345_", Moodle's folder "Jane Doe_7_assignsubmission_file_/", or a folder with the
 * student's place in the class, from 0. */
enum names_taker names_start(const struct scored_student *student, size_t place, char **start);
