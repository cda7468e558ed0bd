/* What is told of a failed test where nothing else names a cause. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "grader/grade/evidence/observe.h"
#include "grader/grade/record.h"

static const char source[] = "__global__ void tree(const int *in, int *out) {\n" /* 1 */
                             "    __shared__ int tile[64], more[4];\n"           /* 2 */
                             "    unsigned t = threadIdx.x;\n"                   /* 3 */
                             "    tile[t] = in[t];\n"                            /* 4 */
                             "    if (t > 64) {\n"                               /* 5 */
                             "        for (int i = 0; i < 2; i++)\n"             /* 6 */
                             "            tile[t] += more[i];\n"                 /* 7 */
                             "        t++;\n"                                    /* 8 */
                             "    }\n"                                           /* 9 */
                             "    if (t == 0)\n"                                 /* 10 */
                             "        *out = tile[0];\n"                         /* 11 */
                             "}\n"                                               /* 12 */
                             "int sum(const int *in, int *out) {\n"              /* 13 */
                             "    tree<<<1, 64>>>(in, out);\n"                   /* 14 */
                             "}\n";

/* A test that failed: the lines that ran, and its other keys. */
static json_t *test_of(const char *lines, const char *keys) {
    OWNED char *text = text_format(
        "{\"name\": \"edge.one\", \"verdict\": \"wrong_answer\", \"reason\": \"sum gave a wrong "
        "result.\", \"diagnosis\": null, \"findings\": [], \"experiment\": null, \"launches\": "
        "[{\"kernel\": \"tree\", \"lines\": [%s]}]%s}",
        lines, keys);
    json_t *test = json_loads(text, 0, NULL);
    cr_assert_not_null(test);
    return test;
}

static json_t *lines_run(json_t *test, const int *lines, size_t n) {
    json_t *list = json_object_get(json_array_get(json_object_get(test, "launches"), 0), "lines");
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:s, s:i}", "file", "/x/sum.cu", "line", lines[i]));
    return test;
}

/* The diagnosis of the first of some tests, which are given up; "" for none. */
static json_t *observe(json_t *first, json_t *second, const char *messages) {
    json_t *lab = json_pack("{s:s, s:{s:s}, s:[o]}", "source", "sum.cu", "compile", "messages",
                            messages, "tests", first);
    if (second)
        json_array_append_new(json_object_get(lab, "tests"), second);
    record_observe(lab, source);
    json_t *diagnosis = json_incref(json_object_get(first, "diagnosis"));
    json_decref(lab);
    return diagnosis;
}

static void expect(json_t *diagnosis, const char *id, const char *begins, const char *lines) {
    json_t *wanted = json_loads(lines, 0, NULL);
    cr_expect_str_eq(record_text(diagnosis, "id"), id);
    cr_expect_eq(strncmp(record_text(diagnosis, "text"), begins, strlen(begins)), 0, "%s",
                 record_text(diagnosis, "text"));
    cr_expect(json_equal(json_object_get(diagnosis, "lines"), wanted), "%s",
              json_dumps(json_object_get(diagnosis, "lines"), 0));
    json_decref(wanted);
    json_decref(diagnosis);
}

static void expect_none(const json_t *diagnosis) {
    cr_expect(json_is_null(diagnosis));
}

static const int run[] = {3, 4, 5, 10, 11}, all[] = {3, 4, 5, 6, 7, 8, 10, 11};
#define RUN                        run, sizeof run / sizeof *run
#define UNREAD(first, last, count) UNREAD_BY("thread", first, last, count)
#define UNREAD_BY(by, first, last, count)                                                          \
    ", \"unread\": {\"name\": \"in\", \"by\": \"" by "\", \"first\": " #first ", \"last\": " #last \
    ", \"count\": " #count "}"

Test(observe, names_what_nobody_read) {
    expect(observe(test_of("", UNREAD(8, 15, 8)), NULL, ""), "never_read",
           "In this case no thread read in[8] to in[15].", "[3, 4, 8, 14]");
    expect(observe(test_of("", UNREAD_BY("copy", 0, 7, 8)), NULL, ""), "never_read",
           "In this case no copy to the device took in[0] to in[7].", "[]");
    expect(observe(test_of("", UNREAD(8, 15, 8) ", \"findings\": [{\"kind\": \"uninitialised\"}]"),
                   NULL, ""),
           "never_read", "In this case no thread read in[8] to in[15].", "[3, 4, 8, 14]");
    expect(observe(test_of("", UNREAD(3, 3, 2)), NULL, ""), "never_read",
           "In this case no thread read in[3], nor 1 more of its elements.", "[3, 4, 8, 14]");
}

Test(observe, names_what_nobody_ran) {
    expect(observe(lines_run(test_of("", ""), RUN), NULL, ""), "never_ran",
           "No thread ran line 7, in this case or in the last one of any other test: the condition "
           "in line 5 never let one get there.",
           "[5, 7]");
}

Test(observe, leaves_out_what_another_test_ran) {
    json_t *other = lines_run(test_of("", ""), all, sizeof all / sizeof *all);
    expect_none(observe(lines_run(test_of("", ""), RUN), other, ""));
}

Test(observe, leaves_out_what_nobody_came_to_or_past) {
    expect_none(observe(lines_run(test_of("", ""), run, 2), NULL, ""));
    expect_none(observe(lines_run(test_of("", ""), run + 3, 2), NULL, ""));
}

Test(observe, names_a_function_that_may_end_without_a_return) {
    static const char warned[] = "sum.cu(14): warning #1: no\n"
                                 "sum.cu(15): warning #940-D: missing return statement at end of "
                                 "non-void function \"sum\"\n";
    json_t *crashed = test_of("", "");
    json_object_set_new(crashed, "verdict", json_string("crash"));
    expect(observe(crashed, NULL, warned), "missing_return",
           "sum may end without a return, in line 15:", "[15]");
}

/* Where something else is known, and where nothing failed. */
Test(observe, says_nothing_beside_a_cause) {
    static const char *const keys[] = {
        UNREAD(8, 15, 8) ", \"diagnosis\": {\"id\": \"known\"}",
        UNREAD(8, 15, 8) ", \"findings\": [{\"kind\": \"shared_race\"}]",
        UNREAD(8, 15, 8) ", \"experiment\": {\"proven\": [{}]}",
        UNREAD(8, 15, 8) ", \"verdict\": \"pass\"",
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *diagnosis = observe(test_of("", keys[i]), NULL, "");
        cr_expect_str_neq(record_text(diagnosis, "id"), "never_read");
    }
}

/* The keys of a test with such terms: how the list of them begins, and what the element is off by.
 */
#define TERMS(list, off_by) SOME_TERMS("true", list, off_by)
#define SOME_TERMS(is_sum, list, off_by)                                                           \
    ", \"experiment\": {\"tried\": 9, \"proven\": [], \"terms\": {\"what\": \"out\", \"index\": "  \
    "4, \"more\": 0, \"is_sum\": " is_sum ", \"off_by\": " #off_by ", \"list\": [" list "]}}"
#define TERM(first, last, got, expected)                                                           \
    "{\"name\": \"in\", \"first\": " #first ", \"last\": " #last ", \"got\": " #got                \
    ", \"expected\": " #expected "}"
#define MADE_OF "Calls with other numbers show what out[4] is made of: "

Test(observe, says_what_a_wrong_sum_is_made_of) {
    expect(observe(test_of("", TERMS(TERM(0, 1, 0, 1), 0)), NULL, ""), "terms_missing",
           MADE_OF "in[0] and in[1] are missing.", "[3, 4, 8, 14]");
    expect(observe(test_of("", TERMS(TERM(5, 5, 1, 0), 0)), NULL, ""), "terms_beside",
           MADE_OF "in[5] is in it, and must not be.", "[3, 4, 8, 14]");
    expect(observe(test_of("", TERMS(TERM(0, 0, 32, 1), 0)), NULL, ""), "terms_weighted",
           MADE_OF "in[0] counts 32 times, and must once.", "[3, 4, 8, 14]");
    expect(observe(test_of("", TERMS(TERM(2, 2, 0, 1) ", " TERM(3, 9, 2, 0), 0)), NULL, ""),
           "terms_exchanged",
           MADE_OF "in[2] is missing; in[3] to in[9] count 2 times, and must not.",
           "[3, 4, 8, 14]");
    expect(observe(test_of("", TERMS("", -256)), NULL, ""), "always_off",
           MADE_OF "whatever the numbers are, it is 256 too small.", "[]");
}

Test(observe, says_no_more_than_three_of_what_a_sum_is_made_of) {
    expect(observe(test_of("", TERMS(TERM(0, 0, 0, 1) ", " TERM(2, 2, 0, 1) ", " TERM(
                                         4, 4, 0, 1) ", " TERM(6, 7, 0, 1),
                                     1)),
                   NULL, ""),
           "terms_missing",
           MADE_OF "in[0] is missing; in[2] is missing; in[4] is missing; of 2 more it is not as "
                   "it should be; whatever the numbers are, it is 1 too large.",
           "[3, 4, 8, 14]");
}

Test(observe, says_what_a_product_is_made_of) {
    expect(observe(test_of("", TERMS(TERM(0, 0, 7, -3) ", " TERM(3, 3, -5, 0), 0)), NULL, ""),
           "terms_beside",
           MADE_OF "in[0] counts with the factor 7, and must with -3; in[3] is in it, and must not "
                   "be.",
           "[3, 4, 8, 14]");
}

Test(observe, says_what_else_a_result_depends_on) {
    expect(observe(test_of("", SOME_TERMS("false", TERM(0, 0, 0, 1) ", " TERM(1, 4, 1, 0), 0)),
                   NULL, ""),
           "terms_exchanged",
           "Calls with other numbers show what out[4] depends on: with another in[0] it stays "
           "the same, and must not; with another in[1] to in[4] it changes, and must not.",
           "[3, 4, 8, 14]");
}

#define WHERE "\"where\": {\"is\": \"odd\", \"where\": \"n is odd\", \"failed\": 3, \"passed\": 4}"
#define SAID                                                                                       \
    "Of 7 calls of sum with other sizes, all 3 fail in which n is odd, and none of the others."

Test(observe, says_where_a_function_fails) {
    expect(observe(test_of("", ", \"experiment\": {\"proven\": [], " WHERE "}"), NULL, ""),
           "where_odd", SAID, "[]");
}

Test(observe, says_where_it_fails_behind_what_else_was_seen) {
    expect(observe(test_of("", UNREAD(8, 15, 8) ", \"experiment\": {\"proven\": [], " WHERE "}"),
                   NULL, ""),
           "never_read", "In this case no thread read in[8] to in[15]. " SAID, "[3, 4, 8, 14]");
}

Test(observe, says_no_place_of_a_failure_that_is_explained) {
    json_t *diagnosis = observe(
        test_of("", ", \"diagnosis\": {\"id\": \"known\"}, \"experiment\": {\"proven\": [], " WHERE
                    "}"),
        NULL, "");
    cr_expect_str_eq(record_text(diagnosis, "id"), "known");
}
