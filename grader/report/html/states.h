/* How a lab or a test ended, for a person to tell apart at a glance: a mark, a colour and a word.
 */
#pragma once

#include "grader/report/html/html.h"
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

/* The class that page.css has a colour for. */
const char *state_class(enum state state);
const char *state_word(enum state state);
/* The mark, which a screen reader says in words. */
void state_mark(struct html *html, enum state state);
/* What all marks mean. */
void state_legend(struct html *html);
