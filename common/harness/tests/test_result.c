/* The result document: it holds what the grader reads, whatever the student's code printed. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/harness/lab.h"
#include "common/harness/tests/fake_call.h"

FAKE_ANSWER(print_junk) {
    fake_sum(function, args, n_args, result);
    result->output = strdup("ok\xff\xc0\x80\xed\xa0\x80 \xe2\x82\xac");
    result->output_dropped = 12;
}

static void one_sum(struct lab *lab) {
    lab_one(lab, 5, 32, fake_sum_case);
}

Test(result, holds_every_key_of_the_format) {
    static const char *const keys[] = {"test",     "verdict",      "reason",         "diagnosis",
                                       "case",     "cases_passed", "mismatch",       "data",
                                       "findings", "launches",     "technique",      "predictions",
                                       "bench",    "output",       "output_dropped", "host",
                                       "unread",   "seconds",      "experiment",     "timeline"};
    json_t *document = fake_perform("edge", one_sum);

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        cr_assert_not_null(json_object_get(document, keys[i]), "%s", keys[i]);
    cr_assert_eq(json_object_size(document), sizeof keys / sizeof *keys);
    fake_expect(document, "test", "edge.claim");
    fake_expect(document, "verdict", "pass");
}

Test(result, makes_utf8_of_any_output) {
    fake.answer = print_junk;
    json_t *document = fake_perform("edge", one_sum);
    fake_expect(document, "output",
                "ok\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD "
                "\u20AC");
    cr_assert_eq(json_integer_value(json_object_get(document, "output_dropped")), 12);
}

Test(result, cuts_and_marks_what_is_larger_than_any_kernel) {
    json_t *lines = json_array(), *counters = json_object(), *document, *launches;
    char key[16];

    for (int i = 0; i < 10000; i++) {
        json_array_append_new(lines, json_pack("{s:s, s:i}", "file", "sum.cu", "line", i));
        snprintf(key, sizeof key, "counter%d", i);
        json_object_set_new(counters, key, json_integer(i));
    }
    json_t *report = json_pack("{s:[], s:[{s:s, s:o}, {s:s, s:o}, {s:s, s:[]}]}", "findings",
                               "launches", "kernel", "long", "lines", lines, "kernel", "absurd",
                               "counters", counters, "kernel", "short", "lines");
    fake.report = json_dumps(report, 0);
    json_decref(report);
    document = fake_perform("edge", one_sum);
    launches = json_object_get(document, "launches");
    cr_assert_eq(json_array_size(launches), 2);
    fake_expect(json_array_get(launches, 0), "kernel", "long … (its lines are cut)");
    cr_expect_eq(json_array_size(json_object_get(json_array_get(launches, 0), "lines")), 0);
    fake_expect(json_array_get(launches, 1), "kernel", "short");
}

Test(result, keeps_at_most_eight_launches) {
    json_t *report = json_pack("{s:[], s:[]}", "findings", "launches"), *document;
    char *text;

    for (int i = 0; i < 20; i++)
        json_array_append_new(json_object_get(report, "launches"), json_object());
    text = json_dumps(report, 0);
    fake.report = text;
    document = fake_perform("edge", one_sum);
    cr_assert_eq(json_array_size(json_object_get(document, "launches")), 8);
    json_decref(report);
    free(text);
}

/* Names and removes what is in a folder; the number of its files. */
static size_t empty_folder(const char *folder, const char *wanted) {
    DIR *dir = opendir(folder);
    struct dirent *entry;
    size_t n = 0;

    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2) {
            cr_assert_str_eq(entry->d_name, wanted);
            unlinkat(dirfd(dir), entry->d_name, 0);
            n++;
        }
    closedir(dir);
    return n;
}

Test(result, is_written_under_its_own_name_alone) {
    char folder[] = "/tmp/check-XXXXXX";
    json_t *document = fake_perform("edge", one_sum);

    cr_assert_not_null(mkdtemp(folder));
    cr_assert(lab_result_write(document, folder));
    cr_assert_eq(empty_folder(folder, "edge.claim.json"), 1);
    rmdir(folder);
    cr_assert_not(lab_result_write(document, folder), "the folder is gone");
}

static void skip(struct lab *lab) {
    lab_skip(lab, "There is no %s here.", "GPU");
}

Test(result, says_why_a_test_was_skipped) {
    json_t *document = fake_judge("edge", skip, "skipped");
    fake_expect(document, "reason", "There is no GPU here.");
}
