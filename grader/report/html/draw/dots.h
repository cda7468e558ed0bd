/* The drawing of a lab's speeds: a line a test, on it a dot a student, and marks for what they are
 * to be seen beside. */
#pragma once

#include "grader/report/html/count/speeds.h"
#include "grader/report/html/html.h"

/* The axis, which all drawings that are to be compared share. */
struct dots_axis {
    unsigned step, n; /* per cent of each part, and parts; n is 0 at first */
    const char *name; /* below it */
    const char *line; /* what 100 per cent are, beside a dashed line */
};

/* Makes the axis as long as these speeds want it. */
void dots_fit(struct dots_axis *axis, const struct speeds *speeds);

void dots_draw(struct html *html, const struct dots_axis *axis, const char *lab,
               const struct speeds *speeds, const struct scored_student *students);
