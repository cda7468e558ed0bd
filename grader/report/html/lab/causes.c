/* See causes.h. Nothing is left out: each test is there, and each message. */
#include "grader/report/html/lab/causes.h"

#include <string.h>

#include "common/base/text.h"
#include "grader/report/html/draw/marks.h"

static void row(struct html *html, const struct scored_test *test) {
    OWNED char *got = points_text(test->points), *all = points_text(test->max_points);
    enum state state = state_of_test(test);
    html_open(html, "tr", "class", mark_class(state));
    html_open(html, "td");
    mark_draw(html, state);
    html_text(html, " %s", test->verdict);
    html_close(html);
    html_item(html, "td", NULL, "%s%s", test->name, test->is_elsewhere ? ", in another place" : "");
    html_item(html, "td", "number", "%s/%s", got, all);
    html_close(html);
}

static void heading(struct html *html, const struct scored_test *test, bool has_points) {
    OWNED char *got = points_text(test->points), *all = points_text(test->max_points);
    enum state state = state_of_test(test);
    html_open(html, "h4", "class", mark_class(state));
    mark_draw(html, state);
    html_text(html, " %s: %s", test->name, test->verdict);
    if (has_points)
        html_text(html, ", %s/%s", got, all);
    html_close(html);
}

/* True where there is nothing to say, or another test says it. One that tells of a cause always
 * speaks. */
static bool is_told(const struct scored_lab *lab, size_t index) {
    const struct scored_test *test = &lab->tests[index];
    bool is_told = !*test->message;
    for (size_t i = 0; i < lab->n_tests && !is_told && !test->tells; i++) {
        const struct scored_test *other = &lab->tests[i];
        is_told = (other->tells || i < index) && strcmp(other->message, test->message) == 0;
    }
    return is_told;
}

static void message(struct html *html, const struct scored_lab *lab, size_t index) {
    if (!is_told(lab, index))
        html_item(html, "pre", NULL, "%s", lab->tests[index].message);
}

/* The tests that failed by a cause, but for the one that tells. */
static void others(struct html *html, const struct scored_lab *lab, size_t cause) {
    size_t n = 0;
    for (size_t i = 0; i < lab->n_tests; i++)
        n += lab->tests[i].cause == cause && !lab->tests[i].tells;
    if (n == 0)
        return;
    html_open(html, "details", "class", "others");
    html_item(html, "summary", NULL, "%zu more test%s failed by this", n, n == 1 ? "" : "s");
    html_open(html, "table", "class", "tests");
    for (size_t i = 0; i < lab->n_tests; i++) {
        if (lab->tests[i].cause == cause && !lab->tests[i].tells)
            row(html, &lab->tests[i]);
    }
    html_close(html);
    for (size_t i = 0; i < lab->n_tests; i++) {
        const struct scored_test *test = &lab->tests[i];
        if (test->cause != cause || test->tells || is_told(lab, i))
            continue;
        heading(html, test, false);
        message(html, lab, i);
    }
    html_close(html);
}

static void causes(struct html *html, const struct scored_lab *lab) {
    for (size_t cause = 1; cause <= lab->n_causes; cause++) {
        for (size_t i = 0; i < lab->n_tests; i++) {
            if (lab->tests[i].cause != cause || !lab->tests[i].tells)
                continue;
            heading(html, &lab->tests[i], true);
            message(html, lab, i);
        }
        others(html, lab, cause);
    }
}

/* What failed without a cause: it is not written yet, say, or no test ran. */
static void rest(struct html *html, const struct scored_lab *lab) {
    for (size_t i = 0; i < lab->n_tests; i++) {
        const struct scored_test *test = &lab->tests[i];
        if (test->cause > 0 || test->outcome == SCORED_PASSED)
            continue;
        heading(html, test, lab->has_tests);
        message(html, lab, i);
    }
}

static void passed(struct html *html, const struct scored_lab *lab) {
    size_t n = 0;
    for (size_t i = 0; i < lab->n_tests; i++)
        n += lab->tests[i].outcome == SCORED_PASSED;
    if (n == 0)
        return;
    html_open(html, "details", "class", "others");
    html_item(html, "summary", NULL, "%zu of %zu tests passed", n, lab->n_tests);
    html_open(html, "table", "class", "tests");
    for (size_t i = 0; i < lab->n_tests; i++) {
        if (lab->tests[i].outcome == SCORED_PASSED)
            row(html, &lab->tests[i]);
    }
    html_close(html);
    html_close(html);
}

void causes_write(struct html *html, const struct scored_lab *lab) {
    causes(html, lab);
    rest(html, lab);
    passed(html, lab);
}
