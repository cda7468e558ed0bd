/*
 * GitHub Classroom: what a step of an autograding workflow gives its reporter, JSON in base64. The
 * reporter adds up the tests' scores, so what is taken off is a test with a score below 0. It
 * cannot be told of a failure that is not the student's: then nothing is written, and its step
 * fails.
 */
#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/report/formats/format.h"

static const char *status_of(enum scored_outcome outcome) {
    return outcome == SCORED_PASSED || outcome == SCORED_SKIPPED ? "pass"
           : outcome == SCORED_BROKEN                            ? "error"
                                                                 : "fail";
}

static json_t *test_json(const struct scored_student *student, const struct scored_lab *lab,
                         const struct scored_test *test) {
    char *name = format_test_name(student, lab, test->name);
    char *message = text_format("%s%s%s", test->verdict, *test->message ? "\n" : "", test->message);
    json_t *json = json_pack("{s:s, s:s, s:o, s:s, s:s, s:s, s:i, s:f}", "name", name, "status",
                             status_of(test->outcome), "score", points_json(test->points),
                             "message", message, "test_code", test->claim, "filename", lab->source,
                             "line_no", (int)test->line, "duration", test->seconds * 1e3);
    free(message);
    free(name);
    return json;
}

static json_t *adjustment(const struct scored_student *student, const struct scored_lab *lab) {
    OWNED char *name = format_test_name(student, lab, "adjustment");
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:s, s:i, s:f}", "name", name, "status",
                     lab->adjustment < 0 ? "fail" : "pass", "score", points_json(lab->adjustment),
                     "message", lab->adjusted, "test_code", "", "filename", lab->source, "line_no",
                     0, "duration", 0.0);
}

FORMAT_WRITER(format_github) {
    const struct scored_student *student = students;
    if (!student->is_graded)
        return format_refuse(student, diag);
    json_t *tests = json_array();
    enum scored_outcome worst = SCORED_PASSED;
    for (size_t i = 0; i < student->n_labs; i++) {
        const struct scored_lab *lab = &student->labs[i];
        for (size_t k = 0; k < lab->n_tests; k++)
            json_array_append_new(tests, test_json(student, lab, &lab->tests[k]));
        if (lab->adjusted)
            json_array_append_new(tests, adjustment(student, lab));
        if (lab->outcome == SCORED_WRONG || lab->outcome == SCORED_BROKEN)
            worst = worst == SCORED_WRONG ? worst : lab->outcome;
    }
    json_auto_t *document =
        json_pack("{s:i, s:s, s:o, s:o}", "version", 1, "status", status_of(worst), "max_score",
                  points_json(student->max_points), "tests", tests);
    OWNED char *text = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(12));
    size_t bytes = text ? strlen(text) : 0;
    OWNED char *encoded = malloc(BASE64_ENCODE_RAW_LENGTH(bytes) + 1);
    if (!text || !encoded)
        abort();
    base64_encode_raw(encoded, bytes, (const uint8_t *)text);
    fprintf(out, "%.*s\n", (int)BASE64_ENCODE_RAW_LENGTH(bytes), encoded);
    return GRADER_OK;
}
