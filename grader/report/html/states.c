/* See states.h. */
#include "grader/report/html/states.h"

static const struct {
    const char *class, *mark, *word, *meaning;
} states[] = {
    [STATE_PASSED] = {"passed", "✓", "passed", ""},
    [STATE_WRONG] = {"wrong", "✗", "not passed", ": it ran, and a test failed"},
    [STATE_BROKEN] = {"broken", "⊗", "broken",
                      ": it did not compile or load, or it ended without an answer (crash, "
                      "time-out, error of CUDA)"},
    [STATE_WAITING] = {"waiting", "○", "not written yet", ": what fails is still the skeleton"},
    [STATE_MISSING] = {"missing", "∅", "not handed in", ""},
    [STATE_UNGRADED] = {"ungraded", "!", "not graded", ": by no fault of the code"},
    [STATE_SKIPPED] = {"skipped", "–", "skipped",
                       ": it could not run here, and counts for nothing"},
};

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

const char *state_class(enum state state) {
    return states[state].class;
}

const char *state_word(enum state state) {
    return states[state].word;
}

void state_mark(struct html *html, enum state state) {
    html_open(html, "span", "class", "mark", "role", "img", "aria-label", states[state].word,
              "title", states[state].word);
    html_text(html, "%s", states[state].mark);
    html_close(html);
}

void state_legend(struct html *html) {
    html_open(html, "ul", "class", "legend", "aria-label", "What the marks mean");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        html_open(html, "li", "class", states[i].class);
        html_open(html, "span", "class", "mark", "aria-hidden", "true");
        html_text(html, "%s", states[i].mark);
        html_close(html);
        html_text(html, " %s%s", states[i].word, states[i].meaning);
        html_close(html);
    }
    html_close(html);
}
