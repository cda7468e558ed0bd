/*
 * Gradescope's results.json. The score stands at the top, where it wins over the tests' own. A
 * submission that could not be graded gets none, neither there nor in a test: Gradescope then shows
 * it as failed to grade, to be run again, and keeps no points.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/report/formats/format.h"

static const char *status_of(const struct scored_test *test) {
    return test->outcome == SCORED_PASSED || test->outcome == SCORED_SKIPPED ? "passed" : "failed";
}

/* The test that tells of a test's cause where both are shown; NULL where it tells itself. Whoever
 * sees the one must see the other, so one that everybody sees tells, or one with the same rule. */
static const struct scored_test *teller(const struct scored_lab *lab,
                                        const struct scored_test *test) {
    const struct scored_test *found = NULL;
    for (size_t i = 0; i < lab->n_tests && test->cause > 0; i++) {
        const struct scored_test *other = &lab->tests[i];
        bool is_seen = other->show == COURSE_VISIBLE || other->show == test->show;
        bool is_better = !found || other->tells || (found->is_elsewhere && !other->is_elsewhere);
        if (other->cause == test->cause && is_seen && is_better)
            found = other;
        if (found && found->tells)
            break;
    }
    return found == test ? NULL : found;
}

/* What is said of a test: of those that failed for one cause, one has the whole of it. */
static char *output_of(const struct scored_lab *lab, const struct scored_test *test) {
    const struct scored_test *other = test->is_waiting ? NULL : teller(lab, test);
    if (!other)
        return text_format("%s: %s%s%s", test->verdict, test->claim, *test->message ? "\n" : "",
                           test->message);
    bool is_apart = test->is_elsewhere || other->is_elsewhere;
    return text_format("%s: %s\nThe same as in %s%s: see there.", test->verdict, test->claim,
                       other->name, is_apart ? ", perhaps in another place" : "");
}

static json_t *test_json(const struct scored_student *student, const struct scored_lab *lab,
                         const struct scored_test *test, size_t number) {
    char *numbers = text_format("%zu.%zu", (size_t)(lab - student->labs) + 1, number);
    char *name = format_test_name(student, lab, test->name);
    char *output = output_of(lab, test);
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:s, s:[s]}", "name", name, "number", numbers,
                             "output", output, "output_format", "text", "visibility",
                             course_show_word(test->show), "tags", lab->name);
    if (student->is_graded) {
        json_object_set_new(json, "score", points_json(test->points));
        json_object_set_new(json, "max_score", points_json(test->max_points));
        json_object_set_new(json, "status", json_string(status_of(test)));
    }
    free(output);
    free(name);
    free(numbers);
    return json;
}

/* What is said of the whole submission, lab by lab; no points, since tests may be hidden. */
static char *summary(const struct scored_student *student) {
    char *text = text_format("%s", "");
    size_t index;
    json_t *note;
    if (!student->is_graded)
        text_add(&text, "This could not be graded, by no fault of the code. Nobody loses points by "
                        "it: it has to be graded again.\n");
    json_array_foreach(student->notes, index, note)
        text_add(&text, "Note: %s.\n", json_is_string(note) ? json_string_value(note) : "");
    for (size_t i = 0; i < student->n_labs; i++) {
        const struct scored_lab *lab = &student->labs[i];
        text_add(&text, "%s · %s\n", lab->name, lab->title);
        if (!lab->is_graded)
            text_add(&text, "  not graded\n");
        if (lab->adjusted)
            text_add(&text, "  %s\n", lab->adjusted);
        if (*lab->hints)
            text_add(&text, "%s\n", lab->hints);
    }
    return text;
}

/* Late rules and rounding, as an entry of their own: the entries add up. */
static json_t *adjustment(const struct scored_student *student, const struct scored_lab *lab) {
    OWNED char *name = format_test_name(student, lab, "adjustment");
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:o, s:i, s:s}", "name", name, "output", lab->adjusted,
                  "output_format", "text", "score", points_json(lab->adjustment), "max_score", 0,
                  "status", lab->adjustment < 0 ? "failed" : "passed");
    return json;
}

FORMAT_WRITER(format_gradescope) {
    const struct scored_student *student = students;
    json_t *tests = json_array();
    double seconds = 0;
    for (size_t i = 0; i < student->n_labs; i++) {
        const struct scored_lab *lab = &student->labs[i];
        seconds += lab->seconds;
        for (size_t k = 0; k < lab->n_tests; k++)
            json_array_append_new(tests, test_json(student, lab, &lab->tests[k], k + 1));
        if (student->is_graded && lab->adjusted)
            json_array_append_new(tests, adjustment(student, lab));
    }
    OWNED char *output = summary(student);
    json_t *document =
        json_pack("{s:s, s:s, s:s, s:s, s:f, s:o, s:{s:b}}", "output", output, "output_format",
                  "text", "visibility", "visible", "stdout_visibility", "hidden", "execution_time",
                  seconds, "tests", tests, "extra_data", "graded", student->is_graded);
    if (student->is_graded)
        json_object_set_new(document, "score", points_json(student->points));
    format_print(document, JSON_INDENT(2), out);
    return student->is_graded ? GRADER_OK : GRADER_FAILED;
}
