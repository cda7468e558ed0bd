/* See states.h. */
#include "grader/report/html/count/states.h"

enum state state_of_test(const struct scored_test *test) {
    static const enum state of_outcomes[] = {
        [SCORED_PASSED] = STATE_PASSED, [SCORED_WRONG] = STATE_WRONG,
        [SCORED_BROKEN] = STATE_BROKEN, [SCORED_SKIPPED] = STATE_SKIPPED,
        [SCORED_OURS] = STATE_UNGRADED,
    };
    return test->is_waiting ? STATE_WAITING : of_outcomes[test->outcome];
}

enum state state_of_lab(const struct scored_lab *lab) {
    bool is_wrong = false, is_broken = false, is_waiting = false;
    if (!lab->is_handed_in)
        return STATE_MISSING;
    if (!lab->is_graded)
        return STATE_UNGRADED;
    if (lab->outcome == SCORED_PASSED || lab->outcome == SCORED_SKIPPED)
        return lab->outcome == SCORED_PASSED ? STATE_PASSED : STATE_SKIPPED;
    for (size_t i = 0; i < lab->n_tests; i++) {
        enum state state = state_of_test(&lab->tests[i]);
        is_wrong |= state == STATE_WRONG;
        is_broken |= state == STATE_BROKEN;
        is_waiting |= state == STATE_WAITING;
    }
    return is_wrong || (!is_broken && !is_waiting) ? STATE_WRONG
           : is_broken                             ? STATE_BROKEN
                                                   : STATE_WAITING;
}

enum state state_of_student(const struct scored_student *student, const char *lab) {
    const struct scored_lab *found = scored_lab(student, lab);
    return found ? state_of_lab(found) : STATE_MISSING;
}
