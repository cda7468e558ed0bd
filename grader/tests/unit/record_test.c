/* What a test's record says of its cause. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/workbook/manifest.h"

static struct manifest_diagnosis missing = {
    .id = (char *)"no_barrier", .text = (char *)"None.", .hint = (char *)"Where?"};
static const struct manifest manifest = {.diagnoses = &missing, .n_diagnoses = 1};
static const struct manifest_test test = {.name = (char *)"safety.has_no_race",
                                          .claim = (char *)"has none"};

/* Whether the diagnosis stands after so many tries, of which one mended the test (NULL: none). */
static bool stands(const char *proof, int tried, const char *edit) {
    json_auto_t *lab = json_pack("{s:s, s:[]}", "path", "", "tests");
    json_t *proven = json_array();
    if (edit)
        json_array_append_new(proven, json_pack("{s:s}", "edit", edit));
    json_auto_t *document = json_pack("{s:s, s:s, s:s, s:s, s:{s:i, s:o}}", "test", test.name,
                                      "verdict", "finding", "reason", "Two threads.", "diagnosis",
                                      "no_barrier", "experiment", "tried", tried, "proven", proven);
    missing.proof = (char *)proof;
    record_test(lab, &manifest, &test, document, "", "again");
    record_close(lab, &manifest);
    const json_t *record = json_array_get(json_object_get(lab, "tests"), 0);
    return json_is_object(json_object_get(record, "diagnosis"));
}

Test(record, takes_back_a_diagnosis_that_experiments_refute) {
    cr_expect(stands(NULL, 90, NULL), "it needs no proof");
    cr_expect(stands("barrier_*", 0, NULL), "nothing was tried");
    cr_expect(stands("barrier_*", 3, NULL), "little was tried");
    cr_expect(stands("shuffle barrier_*", 3, "barrier_after"));
    cr_expect_not(stands("barrier_*", 90, NULL));
    cr_expect_not(stands("barrier_*", 1, "constant"));
}

/* Two tests end with the same mistake, of which experiments looked into one alone: whether the
 * other's stands. */
static bool stands_unasked(int tried, const char *edit) {
    json_t *proven = json_array();
    if (edit)
        json_array_append_new(proven, json_pack("{s:s}", "edit", edit));
    json_t *told = json_pack("{s:s}", "id", "no_barrier");
    json_t *lab = json_pack("{s:[{s:s, s:O, s:{s:i, s:o}}, {s:s, s:O, s:n}]}", "tests", "verdict",
                            "finding", "diagnosis", told, "experiment", "tried", tried, "proven",
                            proven, "verdict", "finding", "diagnosis", told, "experiment");
    missing.proof = (char *)"barrier_*";
    record_close(lab, &manifest);
    const json_t *second = json_array_get(json_object_get(lab, "tests"), 1);
    const bool is_there = json_is_object(json_object_get(second, "diagnosis"));
    json_decref(told);
    json_decref(lab);
    return is_there;
}

Test(record, takes_back_what_is_refuted_in_another_test) {
    cr_expect(stands_unasked(0, NULL), "no experiment was made");
    cr_expect(stands_unasked(20, "barrier_before"), "another test proves it");
    cr_expect_not(stands_unasked(90, NULL));
    cr_expect_not(stands_unasked(20, "constant"));
}

/* How many edits are told of the lines 2 (given), 4 (in a TODO region) and 7 (a function of the
 * student's own), and of a header. */
static size_t count_told(json_int_t line, const char *file) {
    static const char skeleton[] = "__global__ void given() {\n    wait();\n}\n// TODO(1): sum\n"
                                   "// END TODO(1)\n";
    static const char source[] = "__global__ void given() {\n    wait();\n// TODO(1): sum\n"
                                 "    wait();\n// END TODO(1)\nvoid own() {\n    go();\n}\n";
    json_auto_t *lab =
        json_pack("{s:s, s:[{s:{s:i, s:[{s:s, s:I}]}}]}", "path", "/class/a/sum.cu", "tests",
                  "experiment", "tried", 9, "proven", "file", file, "line", line);
    record_leave_given(lab, source, skeleton);
    json_t *experiment =
        json_object_get(json_array_get(json_object_get(lab, "tests"), 0), "experiment");
    return json_array_size(json_object_get(experiment, "proven"));
}

Test(record, proves_nothing_of_given_lines) {
    cr_expect_eq(count_told(2, "sum.cu"), 0);
    cr_expect_eq(count_told(4, "sum.cu"), 1);
    cr_expect_eq(count_told(7, "sum.cu"), 1);
    cr_expect_eq(count_told(4, "tile.cuh"), 0);
}

/* A test that fails for the function `f` with this mistake (NULL: none). */
static json_t *failure(const char *verdict, const char *function, const char *id) {
    char *reason = text_format("%s (n = 3, block = 2): sum is 4, 5 is right.", function);
    json_t *told = id ? json_pack("{s:s}", "id", id) : json_null();
    json_t *failed =
        json_pack("{s:s, s:s, s:o, s:[], s:n, s:[{s:s}]}", "verdict", verdict, "reason", reason,
                  "diagnosis", told, "findings", "experiment", "launches", "kernel", function);
    free(reason);
    return failed;
}

/* Whether the first of four tests keeps its mistake. */
static bool stands_beside(json_t *second, json_t *third, json_t *fourth) {
    json_t *lab = json_pack("{s:[o, o, o, o]}", "tests", failure("wrong_answer", "f", "no_barrier"),
                            second, third, fourth);
    missing.proof = NULL;
    record_close(lab, &manifest);
    const json_t *first = json_array_get(json_object_get(lab, "tests"), 0);
    const bool is_there = json_is_object(json_object_get(first, "diagnosis"));
    json_decref(lab);
    return is_there;
}

Test(record, takes_back_what_most_failures_alike_do_not_have) {
    cr_expect_not(stands_beside(failure("wrong_answer", "f", NULL),
                                failure("wrong_answer", "f", NULL),
                                failure("wrong_answer", "f", NULL)));
    cr_expect_not(stands_beside(failure("wrong_answer", "f", "other"),
                                failure("wrong_answer", "f", "other"),
                                failure("wrong_answer", "f", "other")));
    cr_expect(stands_beside(failure("wrong_answer", "f", "no_barrier"),
                            failure("wrong_answer", "f", NULL),
                            failure("wrong_answer", "f", NULL)));
    cr_expect(stands_beside(failure("wrong_answer", "g", NULL), failure("wrong_answer", "g", NULL),
                            failure("wrong_answer", "f2", NULL)),
              "another function's failures say nothing of it");
    cr_expect(stands_beside(failure("timeout", "f", NULL), failure("finding", "f", NULL),
                            failure("pass", "f", NULL)),
              "they fail in another way");
}

/* A test whose kernel stores something. */
static json_t *storing(const char *kernel) {
    json_t *test_of_it = failure("finding", kernel, NULL);
    json_object_set_new(
        test_of_it, "launches",
        json_pack("[{s:s, s:{s:i}}]", "kernel", kernel, "counters", "global_stores", 1));
    return test_of_it;
}

Test(record, takes_back_that_a_kernel_stores_nothing_where_it_stores_elsewhere) {
    missing.stores_nothing = true;
    cr_expect(
        stands_beside(failure("finding", "f", NULL), failure("timeout", "f", NULL), storing("g")));
    cr_expect_not(
        stands_beside(failure("finding", "f", NULL), failure("timeout", "f", NULL), storing("f")));
    missing.stores_nothing = false;
    cr_expect(
        stands_beside(failure("finding", "f", NULL), failure("timeout", "f", NULL), storing("f")));
}

Test(record, takes_back_that_all_else_is_right_where_it_is_not) {
    missing.else_right = true;
    cr_expect_not(stands_beside(failure("wrong_answer", "f", NULL), failure("pass", "f", NULL),
                                failure("pass", "f", NULL)));
    cr_expect(stands_beside(failure("wrong_answer", "f", "no_barrier"), failure("pass", "f", NULL),
                            failure("pass", "f", NULL)),
              "the other test says the same");
    cr_expect(stands_beside(failure("wrong_answer", "g", NULL), failure("pass", "f", NULL),
                            failure("pass", "f", NULL)),
              "the other test is of another function");
    cr_expect(stands_beside(failure("technique", "f", NULL), failure("pass", "f", NULL),
                            failure("pass", "f", NULL)),
              "what the other test counts is no wrong result");
    missing.else_right = false;
    cr_expect(stands_beside(failure("wrong_answer", "f", NULL), failure("pass", "f", NULL),
                            failure("pass", "f", NULL)));
}

Test(record, takes_back_what_three_times_as_many_tests_of_the_function_are_told_otherwise) {
    cr_expect_not(stands_beside(failure("timeout", "f", "other"), failure("finding", "f", "other"),
                                failure("damage", "f", "other")));
    cr_expect(stands_beside(failure("timeout", "f", "other"), failure("finding", "f", "other"),
                            failure("damage", "g", "other")));
    cr_expect(stands_beside(failure("technique", "f", "other"), failure("technique", "f", "other"),
                            failure("technique", "f", "other")),
              "what is counted is not taken for anything");
}

/* Whether the mistake of a test stays, a barrier that is missing, that an edit of this kind mends
 * in this line of the source. */
static bool stands_with(const char *edit, int line) {
    static const char source[] = "int lane = threadIdx.x % 16;\n"
                                 "work();\n"
                                 "__syncthreads();\n";
    json_t *lab = json_pack("{s:[o]}", "tests", failure("finding", "f", "no_barrier"));
    json_t *test_of_it = json_array_get(json_object_get(lab, "tests"), 0);
    json_object_set_new(
        test_of_it, "experiment",
        json_pack("{s:i, s:[{s:s, s:i}]}", "tried", 1, "proven", "edit", edit, "line", line));
    missing.proof = NULL;
    record_doubt(lab, &manifest, source);
    const bool is_there = json_is_object(json_object_get(test_of_it, "diagnosis"));
    json_decref(lab);
    return is_there;
}

Test(record, takes_back_what_an_edit_mends_where_nothing_of_it_stands) {
    cr_expect_not(stands_with("constant", 1));
    cr_expect(stands_with("constant", 3));
    cr_expect(stands_with("constant", 2), "nobody knows what the line is about");
    cr_expect(stands_with("written", 1), "that is so with any mistake");
}

/* The lines that a diagnosis of launches points to, as JSON, with these launches in the document
 * (NULL: none are listed). The caller frees it. */
static char *lines_of_launch(const char *path, json_t *launches) {
    json_auto_t *lab = json_pack("{s:s, s:[]}", "path", path, "tests");
    json_auto_t *document =
        json_pack("{s:s, s:s, s:s, s:s, s:o*}", "test", test.name, "verdict", "wrong_answer",
                  "reason", "f (n = 1) is wrong.", "diagnosis", "no_barrier", "launches", launches);
    missing.proof = NULL;
    missing.where = (char *)"<<<";
    record_test(lab, &manifest, &test, document, "", "again");
    missing.where = NULL;
    const json_t *record = json_array_get(json_object_get(lab, "tests"), 0);
    return json_dumps(json_object_get(json_object_get(record, "diagnosis"), "lines"), JSON_COMPACT);
}

Test(record, shows_what_comes_before_a_launch_only_where_there_was_known_to_be_none) {
    char path[] = "/tmp/record-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("void f(int n) {\n    if (n)\n        k<<<1, 1>>>();\n}\n", file);
    fclose(file);
    OWNED char *none = lines_of_launch(path, json_array());
    OWNED char *one = lines_of_launch(path, json_pack("[{s:s}]", "kernel", "k"));
    OWNED char *unknown = lines_of_launch(path, NULL);
    remove(path);
    cr_expect_str_eq(none, "[2]");
    cr_expect_str_eq(one, "[3]");
    cr_expect_str_eq(unknown, "[3]");
}
