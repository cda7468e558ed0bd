/* Documents from a lab's tests: complete ones are taken, all others are refused by name. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "grader/grade/record.h"
#include "grader/workbook/manifest.h"
#include "grader/grade/results.h"
#include "grader/tests/support.h"

static json_t *good_document(void) {
    return json_loads(
        "{\"test\": \"edge.one\", \"verdict\": \"wrong_answer\", \"reason\": \"No.\","
        "\"diagnosis\": null, \"case\": {\"n\": 5, \"block\": 2, \"seed\": \"0f\", "
        "\"words\": null},"
        "\"cases_passed\": 1, \"mismatch\": {\"what\": \"sum\", \"index\": 0, \"expected\": \"1\","
        "\"got\": null, \"block\": null, \"thread\": 3, \"launch\": null,"
        "\"stored\": {\"kernel\": \"k\", \"file\": \"f\", \"line\": 7, \"who\": \"a thread\", "
        "\"behind\": [5]},"
        "\"news\": [{\"file\": \"f\", \"line\": 5}]},"
        "\"data\": {\"rows\": [{\"kind\": \"shared\", \"name\": \"tile\", \"launch\": 0,"
        "\"block\": 0, \"line\": 7, \"first\": 0, \"count\": 2, \"values\": [\"1\", null]}],"
        "\"wrong\": null},"
        "\"findings\": [{\"kind\": \"shared_race\", \"kernel\": \"k\", \"place\": \"p\","
        "\"message\": \"m\", \"advice\": \"a\", \"count\": 1, \"here\": {\"file\": \"f\","
        "\"line\": 1, \"block\": [0, 0, 0], \"thread\": [1, 0, 0], \"what\": \"reads\"},"
        "\"other\": null, \"behind\": [4]}], \"launches\": [{\"kernel\": \"k\", \"grid\": [1, 1, "
        "1],"
        "\"block\": [32, 1, 1], \"shared_bytes\": 0, \"status\": \"ok\", \"counters\":"
        "{\"barriers\": 4}, \"lines\": []}], \"technique\": [], \"predictions\": [], \"timeline\": "
        "[], \"bench\": [],"
        "\"experiment\": null,"
        "\"output\": \"\", \"output_dropped\": 0, \"host\": {\"did\": \"failed\", \"sites\": [7, "
        "8], \"asked\": [{\"sites\": [9]}]}, \"unread\": {\"name\": \"in\", \"by\": \"copy\", "
        "\"first\": 2, \"last\": 4, \"count\": 3}, "
        "\"seconds\": 0.5}",
        0, NULL);
}

/* The document with the value at `path` ("case.n", "findings.0.here") replaced; NULL removes it. */
static json_t *with(const char *path, const char *value) {
    json_t *document = good_document(), *at = document;
    char key[64];
    const char *dot;
    cr_assert(document);
    for (; (dot = strchr(path, '.')); path = dot + 1) {
        snprintf(key, sizeof key, "%.*s", (int)(dot - path), path);
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);
    }
    if (value)
        json_object_set_new(at, path, json_loads(value, JSON_DECODE_ANY, NULL));
    else
        json_object_del(at, path);
    return document;
}

static void expect_refused(const char *path, const char *value, const char *word) {
    struct diag diag = {0};
    json_auto_t *document = with(path, value);
    cr_expect_not(results_check(document, "edge.one", &diag), "%s = %s", path, value);
    cr_expect(strstr(diag.message, word), "%s = %s: %s", path, value ? value : "gone",
              diag.message);
}

Test(results, takes_a_complete_document) {
    struct diag diag = {0};
    json_auto_t *document = good_document();
    cr_expect(results_check(document, "edge.one", &diag), "%s", diag.message);
}

Test(results, refuses_each_key_that_is_missing) {
    static const char *const keys[] = {"test",
                                       "verdict",
                                       "reason",
                                       "diagnosis",
                                       "case",
                                       "findings",
                                       "launches",
                                       "technique",
                                       "mismatch",
                                       "bench",
                                       "experiment",
                                       "output",
                                       "timeline",
                                       "seconds",
                                       "case.n",
                                       "output_dropped",
                                       "host",
                                       "unread",
                                       "findings.0.here.line"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        expect_refused(keys[i], NULL, strrchr(keys[i], '.') ? strrchr(keys[i], '.') + 1 : keys[i]);
}

Test(results, refuses_unknown_keys_at_any_depth) {
    expect_refused("points", "100", "points");
    expect_refused("case.m", "1", "'m'");
    expect_refused("findings.0.here.column", "1", "column");
}

Test(results, refuses_numbers_that_are_none) {
    expect_refused("data.rows.0.values", "[1]", "values");
    expect_refused("data.rows.0.values", "[\"12345678901234567890123456789012345678901\"]",
                   "values");
    expect_refused("data.rows.0.values", "{}", "values");
    expect_refused("data.wrong", "\"0\"", "wrong");
}

Test(results, refuses_negative_counts_and_wrong_types) {
    expect_refused("case.n", "-1", "'n'");
    expect_refused("cases_passed", "1.5", "cases_passed");
    expect_refused("seconds", "-0.5", "seconds");
    expect_refused("launches", "{}", "launches");
    expect_refused("launches.0.grid", "[1, 1]", "grid");
    expect_refused("launches.0.counters", "{\"barriers\": -4}", "counters");
    expect_refused("findings", "[null]", "list");
    OWNED char *text = malloc(80000), *list = malloc(80000);
    memset(text, 'x', 80000);
    memset(list, ' ', 80000);
    text[0] = text[79998] = '"';
    text[79999] = list[79999] = '\0';
    for (int i = 1; i < 10002; i += 2)
        memcpy(list + i, "1,", 2);
    list[0] = '[', list[10002] = ']';
    list[10002 - 1] = '1';
    expect_refused("reason", text, "reason");
    expect_refused("launches", list, "launches");
    expect_refused("verdict", "null", "verdict");
    expect_refused("host.sites", "[1, 2, 3, 4, 5]", "sites");
    expect_refused("host.sites", "[-1]", "sites");
    expect_refused("host.asked.0.sites", "[-1]", "sites");
    expect_refused("host.asked", NULL, "asked");
}

Test(results, refuses_another_tests_document_and_unknown_verdicts) {
    expect_refused("test", "\"edge.two\"", "edge.two");
    expect_refused("verdict", "\"passed\"", "passed");
}

static void expect_distrusted(const char *path, const char *value, const char *word) {
    struct diag diag = {0};
    json_auto_t *document = with(path, value);
    results_distrust(document);
    cr_expect(results_check(document, "edge.one", &diag), "%s: %s", path, diag.message);
    cr_expect_str_eq(json_string_value(json_object_get(document, "verdict")), "protocol");
    cr_expect(strstr(json_string_value(json_object_get(document, "reason")), word));
}

Test(results, blames_the_students_process_for_a_report_that_it_forged) {
    expect_distrusted("findings.0.here", "\"everywhere\"", "findings");
    expect_distrusted("findings.0.advice", NULL, "findings");
    expect_distrusted("launches.0.counters", "{\"barriers\": -4}", "launches");
    expect_distrusted("launches", "7", "launches");
}

Test(results, believes_a_report_that_is_laid_out_well) {
    json_auto_t *document = good_document();
    results_distrust(document);
    cr_expect_str_eq(json_string_value(json_object_get(document, "verdict")), "wrong_answer");
    cr_expect_eq(json_array_size(json_object_get(document, "findings")), 1u);
}

static json_t *read_text(const char *text, bool *is_there, struct diag *diag) {
    char *folder = support_folder();
    if (text)
        support_write(folder, "edge.one.json", text);
    json_t *document = results_read(folder, "edge.one", is_there, diag);
    support_remove(folder);
    return document;
}

Test(results, tells_a_missing_document_from_a_corrupt_one) {
    struct diag diag = {0};
    bool is_there;
    cr_expect_null(read_text(NULL, &is_there, &diag));
    cr_expect_not(is_there);
    static const char *const corrupt[] = {
        "", "{", "[]", "null", "{\"test\": 1, \"test\": 2}", "{\"test\": \"\xff\"}"};
    for (size_t i = 0; i < sizeof corrupt / sizeof *corrupt; i++) {
        cr_expect_null(read_text(corrupt[i], &is_there, &diag));
        cr_expect(is_there);
    }
}

Test(results, cleans_what_a_terminal_would_obey) {
    struct diag diag = {0};
    bool is_there;
    json_auto_t *document = with("output", "\"\\u001b[31mPASS\"");
    OWNED char *text = json_dumps(document, 0);
    json_auto_t *read = read_text(text, &is_there, &diag);
    cr_assert(read, "%s", diag.message);
    cr_expect_str_eq(json_string_value(json_object_get(read, "output")), "\\x1b[31mPASS");
}

/* A lab with tests of 5 points each that ended like this. */
static json_t *close_lab(const char *const *verdicts, size_t n) {
    static const struct manifest manifest;
    json_t *tests = json_array(), *lab = json_pack("{s:o}", "tests", tests);
    for (size_t i = 0; i < n; i++) {
        int points = strcmp(verdicts[i], "pass") == 0 ? 5 : 0;
        json_array_append_new(tests, json_pack("{s:s, s:i, s:i}", "verdict", verdicts[i], "points",
                                               points, "max_points", 5));
    }
    record_close(lab, &manifest);
    return lab;
}

Test(results, what_is_too_noisy_to_judge_leaves_the_rest_of_the_lab_standing) {
    static const char *const noisy[] = {"pass", "pass", "too_noisy"};
    static const char *const ours[] = {"pass", "pass", "infrastructure"};
    json_t *lab = close_lab(noisy, 3);
    cr_expect_str_eq(record_text(lab, "verdict"), "pass");
    cr_expect_eq(record_count(lab, "points"), 10);
    cr_expect_eq(record_count(lab, "max_points"), 10);
    cr_expect_eq(record_count(lab, "skipped_points"), 5);
    json_decref(lab);
    lab = close_lab(ours, 3);
    cr_expect_str_eq(record_text(lab, "verdict"), "infrastructure");
    json_decref(lab);
}
