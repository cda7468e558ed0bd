/*
 * What is new in a failing case: the lines of kernels that ran in it, and in none of the cases of
 * this test that passed before. Where a mistake lies in code that small cases don't reach, it is
 * there. (The idea is that of comparing the coverage of tests that pass and fail: Jones, Harrold
 * and Stasko, "Visualization of test information to assist fault localization", ICSE 2002.)
 */
#include "common/harness/context.h"

static bool is_same(const json_t *a, const json_t *b) {
    return json_equal(json_object_get(a, "file"), json_object_get(b, "file")) &&
           json_equal(json_object_get(a, "line"), json_object_get(b, "line"));
}

static bool is_among(const json_t *lines, const json_t *line) {
    size_t i;
    const json_t *one;

    json_array_foreach(lines, i, one) {
        if (is_same(one, line))
            return true;
    }
    return false;
}

static bool has_run(const json_t *report, const json_t *line) {
    size_t i;
    const json_t *launch;

    json_array_foreach(json_object_get(report, "launches"), i, launch) {
        if (is_among(json_object_get(launch, "lines"), line))
            return true;
    }
    return false;
}

/* What the simulator says of the first case that failed. It counts from its beginning, and calls of
 * this test that it did not see are not in it. */
static json_t *first_news(const struct lab *lab, const json_t *report) {
    const json_t *news = json_object_get(report, "news");
    json_t *lines = json_object_get(news, "lines");
    const bool is_whole =
        json_integer_value(json_object_get(news, "resets")) == (json_int_t)lab->n_calls;

    return is_whole && lab->cases_passed > 0 && json_is_array(lines) ? json_incref(lines)
                                                                     : json_array();
}

json_t *lab_news(struct lab *lab) {
    const json_t *report = lab_on_gpu(lab) || lab->settings->trial ? NULL : lab_report(lab);
    json_t *news = json_array(), *line;
    size_t i;

    if (!report)
        return news;
    if (!lab->news)
        lab->news = first_news(lab, report);
    json_array_foreach(lab->news, i, line) {
        if (has_run(report, line))
            json_array_append(news, line);
    }
    return news;
}
