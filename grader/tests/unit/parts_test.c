/* On a GPU tests run in parts: those that want it, the simulator's, speed. What makes the rest
 * pointless is known before the rest is run. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/tests/support.h"

FOLDER_SUITE(parts, support_prepare(folder));

/* Grades a text as lab 01; expects these verdicts, and which parts were run: by their filters. */
static void expect_of(const char *text, bool is_untimed, const char *verdicts, const char *runs) {
    json_auto_t *lab = support_grade_on_gpu(support_write(folder, "alpha.cu", text), 1, is_untimed);
    OWNED char *got = text_format("%s", ""), *ran = text_format("%s", "");
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        text_add(&got, "%s ", record_text(test, "verdict"));
    }
    cr_expect_str_eq(got, verdicts);
    char *log_path = support_text("%s/log.tests", folder), *log = support_read(log_path);
    for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n")) {
        const char *filter = strrchr(line, ' ') + 1;
        if (strchr(filter, '*')) /* else one test, which runs again where the machine was busy */
            text_add(&ran, "%s ", filter);
    }
    cr_expect_str_eq(ran, runs);
}

static void expect(const char *text, const char *verdicts, const char *runs) {
    expect_of(text, false, verdicts, runs);
}

Test(parts, end_with_the_examples_where_nothing_is_written) {
    expect("// gives example.adds_one not_written\n",
           "not_written not_written not_written not_written ", "@(example|edge)/* ");
}

Test(parts, end_with_the_examples_where_nothing_can_be_called) {
    expect("// gives example.adds_one load_failed\n",
           "load_failed load_failed load_failed load_failed ", "@(example|edge)/* ");
}

Test(parts, leave_speed_out_once_a_test_has_not_ended) {
    expect("// gives example.adds_one timeout\n// gives edge.handles_nothing pass\n"
           "// gives safety.has_no_race timeout\n// gives speed.at_2_22 pass\n",
           "timeout pass timeout not_run ", "@(example|edge)/* @(safety|technique)/* ");
}

Test(parts, all_run_in_order_where_code_is_merely_wrong) {
    expect("// gives example.adds_one wrong_answer\n// gives edge.handles_nothing crash\n"
           "// gives safety.has_no_race pass\n// gives speed.at_2_22 pass\n",
           "wrong_answer crash pass pass ", "@(example|edge)/* @(safety|technique)/* speed/* ");
}

Test(parts, measure_speed_once_what_was_late_has_ended) {
    setenv("WARPBOOK_BUSY_LOAD", "0", 1);
    expect("// gives example.adds_one late\n// gives edge.handles_nothing pass\n"
           "// gives safety.has_no_race late\n// gives speed.at_2_22 pass\n",
           "pass pass pass pass ", "@(example|edge)/* @(safety|technique)/* speed/* ");
}

Test(parts, try_again_what_was_late_behind_a_test_that_hangs) {
    setenv("WARPBOOK_BUSY_LOAD", "0", 1);
    expect("// gives example.adds_one timeout\n// gives edge.handles_nothing late\n"
           "// gives safety.has_no_race late\n// gives speed.at_2_22 pass\n",
           "timeout pass pass not_run ", "@(example|edge)/* @(safety|technique)/* ");
}

Test(parts, give_up_after_two_tests_that_hang) {
    setenv("WARPBOOK_BUSY_LOAD", "0", 1);
    expect("// gives example.adds_one timeout\n// gives edge.handles_nothing timeout\n"
           "// gives safety.has_no_race late\n// gives speed.at_2_22 pass\n",
           "timeout timeout timeout not_run ", "@(example|edge)/* @(safety|technique)/* ");
}

Test(parts, have_no_speed_where_nobody_wants_it) {
    expect_of("// gives example.adds_one pass\n// gives edge.handles_nothing timeout\n"
              "// gives safety.has_no_race pass\n// gives speed.at_2_22 pass\n",
              true, "pass timeout pass skipped ", "@(example|edge)/* @(safety|technique)/* ");
}
