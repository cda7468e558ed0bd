/*
 * Classroom 50's result.json. Its runner names the submission in the environment. Its scores are
 * those of the tests, added up: what is taken off is a test of its own. Where something could not
 * be graded, nothing is written, which its runner takes for a failed run, not for a grade.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/text.h"
#include "grader/report/formats/format.h"

static void add(json_t *tests, const struct scored_student *student, const struct scored_lab *lab,
                const char *test, bool passed, points_t score, points_t max_score) {
    char *name = format_test_name(student, lab, test);
    json_array_append_new(tests, json_pack("{s:s, s:b, s:o, s:o}", "test-name", name, "passed",
                                           passed, "score", points_json(score), "max-score",
                                           points_json(max_score)));
    free(name);
}

/* Sets what the runner says of the submission. */
static enum grader_status add_environment(json_t *document, struct diag *diag) {
    static const struct {
        const char *key, *variable;
    } wanted[] = {
        {"classroom", "CLASSROOM"},       {"assignment", "ASSIGNMENT"}, {"release", "RELEASE_URL"},
        {"submission", "SUBMISSION_TAG"}, {"commit", "COMMIT_URL"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const char *value = getenv(wanted[i].variable);
        if (!value || !*value) {
            diag_set(diag, NULL, 0,
                     "%s is not set: this format is for a runner of Classroom 50, which sets it",
                     wanted[i].variable);
            return GRADER_BAD_INPUT;
        }
        OWNED char *clean = text_clean(value, strlen(value), false);
        json_object_set_new(document, wanted[i].key, json_string(clean));
    }
    const char *review = getenv("REVIEW_URL");
    OWNED char *clean = review && *review ? text_clean(review, strlen(review), false) : NULL;
    json_object_set_new(document, "review",
                        clean ? json_string(clean)
                              : json_incref(json_object_get(document, "commit")));
    return GRADER_OK;
}

FORMAT_WRITER(format_classroom50) {
    const struct scored_student *student = students;
    if (!student->is_graded)
        return format_refuse(student, diag);
    char datetime[32];
    struct tm utc;
    time_t now = time(NULL);
    strftime(datetime, sizeof datetime, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    json_t *tests = json_array();
    for (size_t i = 0; i < student->n_labs; i++) {
        const struct scored_lab *lab = &student->labs[i];
        for (size_t k = 0; k < lab->n_tests; k++) {
            const struct scored_test *test = &lab->tests[k];
            add(tests, student, lab, test->name,
                test->outcome == SCORED_PASSED || test->outcome == SCORED_SKIPPED, test->points,
                test->max_points);
        }
        if (lab->adjusted)
            add(tests, student, lab, lab->adjusted, lab->adjustment >= 0, lab->adjustment, 0);
    }
    json_t *document = json_pack("{s:s, s:s, s:o, s:o, s:o}", "schema", "classroom50/result/v1",
                                 "datetime", datetime, "score", points_json(student->points),
                                 "max-score", points_json(student->max_points), "tests", tests);
    enum grader_status status = add_environment(document, diag);
    if (status == GRADER_OK)
        format_print(document, JSON_INDENT(2), out);
    else
        json_decref(document);
    return status;
}
