/* The model answer's speed beside the student's: measured once, remembered, compared. A GPU is
 * pretended; the stand-ins say what it measured. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/tests/support.h"

FOLDER_SUITE(model, support_prepare(folder));

/* Grades a file as if there were a GPU; returns its share of the model answer, or -1. */
static double share_of(const char *path) {
    json_auto_t *lab = support_grade_on_gpu(path, 1, false);
    json_t *test = json_array_get(json_object_get(lab, "tests"), 3);
    json_t *bench = json_array_get(json_object_get(test, "bench"), 0);
    json_t *share = json_object_get(bench, "share_of_model");
    return json_is_number(share) ? json_number_value(share) : -1;
}

/* How often the stand-in for the tests ran with this filter. */
static size_t runs(const char *filter) {
    return support_count(folder, "log.tests", filter);
}

/* A function, because Criterion's macro evaluates its arguments twice. */
static void expect_share(const char *path, double wanted) {
    double share = share_of(path);
    cr_expect_float_eq(share, wanted, 1e-9, "%g, not %g", share, wanted);
}

static const char student[] = "// gives example.adds_one pass\n// gives edge.handles_nothing pass\n"
                              "// gives safety.has_no_race pass\n// gives speed.at_2_22 gbps=300\n";

Test(model, is_measured_once_and_compared) {
    char *path = support_write(folder, "beta.cu", student);
    expect_share(path, 0.75);
    cr_expect_eq(runs(" speed/*"), 2u, "the student's run and the model answer's");
    expect_share(path, 0.75);
    cr_expect_eq(runs(" speed/*"), 3u, "the model answer's is remembered");
}

Test(model, compares_with_itself_without_a_second_run) {
    char *path =
        support_text("%s/workbook/solutions/02-beta/beta.cu", getenv("WARPBOOK_TEST_DATA"));
    expect_share(path, 1);
    cr_expect_eq(runs(" speed/*"), 1u);
    path = support_write(folder, "beta.cu", student);
    expect_share(path, 0.75);
    cr_expect_eq(runs(" speed/*"), 2u, "what was measured then is remembered");
}

Test(model, is_measured_once_for_all_who_ask_at_once) {
    json_decref(support_grade_on_gpu(support_write(folder, "beta.cu", student), 6, false));
    cr_expect_eq(runs(" speed/*"), 7u, "six students', and the model answer's");
}

Test(model, is_not_compared_where_it_has_no_measurement) {
    expect_share(support_write(folder, "alpha.cu", student), -1);
}

/* A workbook as students have it: without solutions, and with a table of GPUs. */
static void take_solutions_away(const char *gpu) {
    support_shell(folder, "cp -r \"$WARPBOOK_TEST_DATA/workbook\" students && "
                          "rm -r students/solutions");
    support_write(folder, "students/labs/recorded.json",
                  support_text("{\"%s\": {\"02-beta\": {\"speed.at_2_22\": [600]}}}", gpu));
    setenv("WARPBOOK_ROOT", support_text("%s/students", folder), 1);
}

Test(model, is_recorded_where_there_are_no_solutions) {
    take_solutions_away("pretended");
    expect_share(support_write(folder, "beta.cu", student), 0.5);
    cr_expect_eq(runs(" speed/*"), 1u, "the student's run alone");
}

Test(model, is_not_compared_with_a_record_of_another_gpu) {
    take_solutions_away("Another GPU");
    expect_share(support_write(folder, "beta.cu", student), -1);
}

Test(model, is_measured_while_nothing_else_runs) {
    share_of(support_write(folder, "beta.cu", student));
    cr_expect_eq(runs("@(safety|technique)/*"), 1u);
}
