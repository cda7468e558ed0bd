/* See marks.h. */
#include "grader/report/html/draw/marks.h"

static const struct {
    const char *class, *mark, *word, *meaning;
} marks[] = {
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

const char *mark_class(enum state state) {
    return marks[state].class;
}

const char *mark_word(enum state state) {
    return marks[state].word;
}

void mark_draw(struct html *html, enum state state) {
    html_open(html, "span", "class", "mark", "role", "img", "aria-label", marks[state].word,
              "title", marks[state].word);
    html_text(html, "%s", marks[state].mark);
    html_close(html);
}

void mark_legend(struct html *html) {
    html_open(html, "ul", "class", "legend", "aria-label", "What the marks mean");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        html_open(html, "li", "class", marks[i].class);
        html_open(html, "span", "class", "mark", "aria-hidden", "true");
        html_text(html, "%s", marks[i].mark);
        html_close(html);
        html_text(html, " %s%s", marks[i].word, marks[i].meaning);
        html_close(html);
    }
    html_close(html);
}
