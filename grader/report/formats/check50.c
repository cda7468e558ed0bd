/*
 * check50's `-o json`. Its checks pass, fail, or were not run; points go into a check's `data`,
 * which is the author's to fill. Where something could not be graded, the document has check50's
 * own `error` in place of results.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/config.h"
#include "grader/report/formats/format.h"

static json_t *cause(const struct scored_test *test) {
    json_t *json;
    if (test->outcome == SCORED_PASSED)
        return json_null();
    json = json_pack("{s:s, s:s?}", "rationale", test->verdict, "help",
                     *test->message ? test->message : NULL);
    if (test->expected) {
        json_object_set_new(json, "expected", json_string(test->expected));
        json_object_set_new(json, "actual", json_string(test->actual));
    }
    return json;
}

static json_t *check(const struct scored_student *student, const struct scored_lab *lab,
                     const struct scored_test *test) {
    char *name = format_test_name(student, lab, test->name);
    json_t *json =
        json_pack("{s:s, s:s, s:o, s:[], s:o, s:{s:o, s:o}, s:n}", "name", name, "description",
                  test->claim, "passed",
                  test->outcome == SCORED_SKIPPED ? json_null()
                                                  : json_boolean(test->outcome == SCORED_PASSED),
                  "log", "cause", cause(test), "data", "points", points_json(test->points),
                  "max_points", points_json(test->max_points), "dependency");
    free(name);
    return json;
}

static json_t *adjustment(const struct scored_student *student, const struct scored_lab *lab) {
    OWNED char *name = format_test_name(student, lab, "adjustment");
    return json_pack("{s:s, s:s, s:n, s:[], s:{s:s, s:n}, s:{s:o, s:i}, s:n}", "name", name,
                     "description", lab->adjusted, "passed", "log", "cause", "rationale",
                     lab->adjusted, "help", "data", "points", points_json(lab->adjustment),
                     "max_points", 0, "dependency");
}

FORMAT_WRITER(format_check50) {
    const struct scored_student *student = students;
    OWNED char *slug =
        text_format("warpbook/%s", student->n_labs == 1 ? student->labs[0].name : "labs");
    json_t *document = json_pack("{s:s, s:s}", "slug", slug, "version", CONFIG_VERSION);
    enum grader_status status = format_refuse(student, diag);
    if (status != GRADER_OK) {
        json_object_set_new(document, "error",
                            json_pack("{s:s, s:s, s:[], s:{s:b, s:s}, s:{}}", "type",
                                      "InfrastructureError", "value", diag->message, "traceback",
                                      "actions", "show_traceback", 0, "message", diag->message,
                                      "data"));
    } else {
        json_t *results = json_array();
        for (size_t i = 0; i < student->n_labs; i++) {
            const struct scored_lab *lab = &student->labs[i];
            for (size_t k = 0; k < lab->n_tests; k++)
                json_array_append_new(results, check(student, lab, &lab->tests[k]));
            if (lab->adjusted)
                json_array_append_new(results, adjustment(student, lab));
        }
        json_object_set_new(document, "results", results);
    }
    format_print(document, JSON_INDENT(2), out);
    return status;
}
