/* Which lines and causes of a record are right, and which are false. */
#include <criterion/criterion.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/verify/measure/telling.h"
#include "grader/workbook/workbook.h"
#include "grader/workbook/manifest.h"

/* A lab's record with one failed test: its diagnosis, a finding's two lines, a proven edit. */
static json_t *record(const char *diagnosis, int here, int other, const char *edit, int line) {
    json_t *test = json_pack("{s:s, s:s, s:s, s:n, s:[{s:{s:s, s:i}, s:{s:s, s:i}}]}", "name",
                             "safety.has_no_race", "verdict", "finding", "reason", "Two threads.",
                             "diagnosis", "findings", "here", "file", "/submission/sum.cu", "line",
                             here, "other", "file", "/submission/sum.cu", "line", other);
    if (diagnosis)
        json_object_set_new(test, "diagnosis",
                            json_pack("{s:s, s:s}", "id", diagnosis, "text", "It is this."));
    if (edit)
        json_object_set_new(test, "experiment",
                            json_pack("{s:i, s:[{s:s, s:i, s:s}]}", "tried", 9, "proven", "edit",
                                      edit, "line", line, "sentence", "Here."));
    return json_pack("{s:[o]}", "tests", test);
}

/* The same without a diagnosis, of a finding of this kind. */
static json_t *finding_of(const char *kind, int here, int other) {
    json_t *lab = record(NULL, here, other, NULL, 0);
    const json_t *test = json_array_get(json_object_get(lab, "tests"), 0);
    json_object_set_new(json_array_get(json_object_get(test, "findings"), 0), "kind",
                        json_string(kind));
    return lab;
}

/* What is told of a barrier that is missing in line 12. */
static struct telling tell_of(json_t *lab, const struct manifest *manifest) {
    static const unsigned line = 12;
    const struct truth truth = {.manifest = manifest,
                                .lines = &line,
                                .n_lines = 1,
                                .slack = 1,
                                .topics = topics_of_family("barrier"),
                                .source = "sum.cu"};
    struct telling telling;
    telling_read(&telling, lab, &truth);
    json_decref(telling.causes);
    json_decref(lab);
    return telling;
}

static struct telling tell(json_t *lab) {
    return tell_of(lab, NULL);
}

Test(telling, takes_a_line_from_either_side_of_a_finding) {
    cr_expect(tell(record(NULL, 13, 40, NULL, 0)).line);
    cr_expect(tell(record(NULL, 40, 11, NULL, 0)).line);
    struct telling far = tell(record(NULL, 14, 40, NULL, 0));
    cr_expect(far.has_line && !far.line);
}

Test(telling, takes_a_finding_for_a_cause_where_it_speaks_of_the_mistake_and_points_there) {
    struct telling here = tell(finding_of("shared_race", 40, 11));
    cr_expect(here.has_cause && here.kind && !here.is_false);
    struct telling far = tell(finding_of("shared_race", 40, 41));
    cr_expect(far.has_cause && !far.kind && !far.is_false);
    struct telling other = tell(finding_of("misaligned", 12, 12));
    cr_expect(other.has_cause && !other.kind && !other.is_false);
}

Test(telling, calls_a_diagnosis_false_that_speaks_of_something_else) {
    struct telling right = tell(record("no_barrier", 40, 41, NULL, 0));
    cr_expect(right.has_cause && right.kind && !right.is_false);
    struct telling wrong = tell(record("index_overflow", 12, 12, NULL, 0));
    cr_expect(wrong.has_cause && !wrong.kind && wrong.is_false);
}

/* What was seen is true of the answer, whatever else is wrong with it. */
Test(telling, calls_no_diagnosis_false_that_says_what_was_seen) {
    struct manifest_diagnosis diagnoses[] = {{.id = "index_overflow", .seen = true},
                                             {.id = "whole_numbers"}};
    const struct manifest manifest = {.diagnoses = diagnoses, .n_diagnoses = 2};
    struct telling seen = tell_of(record("index_overflow", 12, 12, NULL, 0), &manifest);
    cr_expect(seen.has_cause && !seen.kind && !seen.is_false);
    cr_expect(tell_of(record("whole_numbers", 12, 12, NULL, 0), &manifest).is_false);
    struct telling harness = tell_of(record("memory_kept", 12, 12, NULL, 0), &manifest);
    cr_expect(harness.has_cause && !harness.kind && !harness.is_false);
    cr_expect(!tell_of(record("state_between_calls", 12, 12, NULL, 0), &manifest).is_false);
}

Test(telling, calls_a_proven_edit_false_at_another_line) {
    cr_expect(tell(record(NULL, 40, 41, "barrier_before", 13)).kind);
    struct telling near = tell(record(NULL, 40, 41, "barrier_before", 15));
    cr_expect(near.kind && !near.is_false && !near.line);
    struct telling far = tell(record(NULL, 40, 41, "barrier_moved", 16));
    cr_expect(!far.kind && far.is_false);
}

/* That no barrier lies before a line is so wherever the one that is missing should stand. */
Test(telling, calls_no_edit_false_that_says_what_its_line_meets) {
    struct telling far = tell(record(NULL, 40, 41, "barrier_before", 16));
    cr_expect(far.kind && !far.is_false && !far.line);
    struct telling other = tell(record(NULL, 40, 41, "written", 16));
    cr_expect(!other.kind && !other.is_false, "it is about something else, and true");
    struct telling fresh = tell(record(NULL, 40, 41, "fresh", 0));
    cr_expect(!fresh.kind && !fresh.is_false, "that it passes as a first call was tried");
    cr_expect(tell(record(NULL, 40, 41, "snapshot", 16)).is_false);
}

static const char program[] = "int f(void) {\n"
                              "    start();\n"
                              "\n"
                              "    // then\n"
                              "    if (go()) {\n"
                              "        work();\n"
                              "    }\n"
                              "}\n"
                              "int g(void) {\n"
                              "    return 0;\n"
                              "}\n";

/* Whether a line tells a mistake in line 2, or, where `gap` is one, what is missing behind it. */
static bool tells(int line, unsigned gap) {
    static const unsigned start = 2;
    const struct truth truth = {.lines = &start,
                                .n_lines = gap == 0,
                                .slack = 1,
                                .source = "sum.cu",
                                .text = program,
                                .gaps = &gap,
                                .n_gaps = gap > 0};
    struct telling telling;
    json_auto_t *lab = record(NULL, line, 0, NULL, 0);
    telling_read(&telling, lab, &truth);
    json_decref(telling.causes);
    return telling.line;
}

Test(telling, counts_lines_of_code) {
    cr_expect(tells(5, 0), "a blank line and a comment lie between");
    cr_expect_not(tells(6, 0));
}

Test(telling, takes_any_line_within_the_braces_for_what_is_missing_there) {
    cr_expect(tells(6, 2) && tells(2, 5 - 1) && tells(1, 3));
    cr_expect(tells(6, 5) && !tells(2, 5), "the inner braces");
    cr_expect_not(tells(10, 2));
}

/* The value that line 2 sets is as wrong where line 9 uses it. */
Test(telling, takes_a_line_that_uses_what_the_mistake_sets) {
    static const char text[] = "f(int n) {\n    const int step = blockDim.x;\n    a();\n    b();\n"
                               "    c();\n    d();\n    e();\n    g();\n    i += step;\n"
                               "    i += steps;\n}\n";
    static const unsigned line = 2;
    const struct truth truth = {.lines = &line,
                                .n_lines = 1,
                                .slack = 1,
                                .text = text,
                                .topics = topics_of_family("index"),
                                .source = "sum.cu"};
    struct telling used, other;
    json_t *at_9 = record(NULL, 0, 0, "special", 9), *at_10 = record(NULL, 0, 0, "special", 10);
    telling_read(&used, at_9, &truth);
    telling_read(&other, at_10, &truth);
    cr_expect(used.kind && !used.is_false && !used.line);
    cr_expect(!other.kind && other.is_false);
    json_decref(used.causes);
    json_decref(other.causes);
    json_decref(at_9);
    json_decref(at_10);
}

Test(telling, calls_a_proven_edit_of_another_kind_false_but_at_the_line_itself) {
    struct telling here = tell(record(NULL, 40, 41, "signedness", 12));
    cr_expect(here.kind && !here.is_false && here.line, "it mends the line, in other words");
    struct telling beside = tell(record(NULL, 40, 41, "signedness", 13));
    cr_expect(!beside.kind && !beside.is_false && beside.line);
    cr_expect(tell(record(NULL, 40, 41, "signedness", 15)).is_false);
    cr_expect(tell(record(NULL, 40, 41, "grid_more", 0)).is_false);
    cr_expect(tell(record(NULL, 40, 41, "stay", 0)).kind);
}

Test(telling, says_nothing_of_tests_that_passed) {
    json_t *lab = record("index_overflow", 12, 12, NULL, 0);
    json_object_set_new(json_array_get(json_object_get(lab, "tests"), 0), "verdict",
                        json_string("pass"));
    struct telling telling = tell(lab);
    cr_expect(!telling.has_cause && !telling.has_line && !telling.is_false);
}

Test(telling, takes_a_labs_word_for_what_a_diagnosis_is_about) {
    struct manifest_diagnosis diagnoses[] = {{.id = "index_overflow", .about = "barrier loop"},
                                             {.id = "no_barrier"}};
    struct manifest manifest = {.diagnoses = diagnoses, .n_diagnoses = 2};
    cr_expect_eq(topics_of_labs(&manifest, "index_overflow"),
                 UINT32_C(1) << TOPIC_BARRIER | UINT32_C(1) << TOPIC_LOOP);
    cr_expect_eq(topics_of_labs(&manifest, "no_barrier"), topics_of_diagnosis("no_barrier"));
    cr_expect_eq(topics_of_labs(NULL, "no_barrier"), topics_of_diagnosis("no_barrier"));
}

/* Who adds a diagnosis to a lab says what it is about, by `about:` or by an id that topics.def has
 * a pattern for; without that it would count as false wherever it is named. */
Test(telling, knows_what_each_diagnosis_of_each_lab_is_about) {
    OWNED char *root = text_format("%s/../..", getenv("WARPBOOK_TEST_DATA"));
    OWNED_BY(workbook_finish) struct workbook book;
    struct diag diag;
    setenv("WARPBOOK_ROOT", root, 1);
    cr_assert_eq(workbook_init(&book, &diag), GRADER_OK, "%s", diag.message);
    cr_expect(book.n_labs > 0);
    for (size_t i = 0; i < book.n_labs; i++) {
        struct manifest *manifest = manifest_load(book.labs[i].folder, &diag);
        cr_assert(manifest, "%s", diag.message);
        for (unsigned k = 0; k < manifest->n_diagnoses; k++)
            cr_expect(topics_of_labs(manifest, manifest->diagnoses[k].id),
                      "%s: %s is about nothing", book.labs[i].name, manifest->diagnoses[k].id);
        manifest_free(manifest);
    }
}

/* The same holds for the simulator's edits; and a topic names no edit that there is not. */
Test(telling, knows_what_each_edit_is_about) {
    static const char *const edits[] = {
#define EDIT(name, word, scope, is, change, hope, specificity, does, proves) word,
#include "common/simt/program/edit/edits.def"
#undef EDIT
    };
    enum { N_EDITS = sizeof edits / sizeof *edits };
    static const char *const patterns[] = {
#define TOPIC(name, word, tokens, diagnoses, edits, words) edits,
#include "grader/workbook/topics.def"
#undef TOPIC
    };

    for (size_t i = 0; i < N_EDITS; i++)
        cr_expect(topics_of_edit(edits[i]), "%s is about nothing", edits[i]);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        OWNED char *list = text_format("%s", patterns[i]);
        for (char *rest, *word = strtok_r(list, " ", &rest); word;
             word = strtok_r(NULL, " ", &rest)) {
            size_t k = 0;
            while (k < N_EDITS && fnmatch(word, edits[k], 0) != 0)
                k++;
            cr_expect(k < N_EDITS, "no edit is called %s", word);
        }
    }
}

Test(telling, has_a_topic_for_the_words_of_people) {
    cr_expect_eq(topics_of_word("missing barrier"), topics_of_family("barrier"));
    cr_expect(topics_of_word("Off-by-one") & topics_of_family("bound"));
    cr_expect_eq(topics_of_word("weather"), 0);
    OWNED char *words = topics_text(topics_of_family("barrier") | topics_of_family("loop"));
    cr_expect_str_eq(words, "barrier, loop");
}

/* A technique test that counted too much of something. */
static struct telling tell_counted(const char *what, bool holds) {
    json_t *lab = record(NULL, 0, 0, NULL, 0);
    json_t *test = json_array_get(json_object_get(lab, "tests"), 0);
    json_object_set_new(test, "verdict", json_string("technique"));
    json_object_set_new(test, "findings", json_array());
    json_object_set_new(test, "technique", json_pack("[{s:s, s:b}]", "what", what, "holds", holds));
    return tell(lab);
}

Test(telling, takes_what_was_counted_for_a_cause) {
    struct telling barriers = tell_counted("barriers of a warp", false);
    cr_expect(barriers.has_cause && barriers.kind && !barriers.is_false);
    struct telling sectors = tell_counted("sectors that are loaded", false);
    cr_expect(sectors.has_cause && !sectors.kind && !sectors.is_false);
    cr_expect_not(tell_counted("barriers of a warp", true).has_cause);
}

Test(telling, takes_the_lines_of_what_was_counted) {
    for (int at = 12; at <= 40; at += 28) {
        json_t *lab = record(NULL, 0, 0, NULL, 0);
        json_t *test = json_array_get(json_object_get(lab, "tests"), 0);
        json_object_set_new(test, "verdict", json_string("technique"));
        json_object_set_new(test, "findings", json_array());
        json_object_set_new(test, "technique",
                            json_pack("[{s:s, s:b, s:[i]}]", "what", "barriers of a warp", "holds",
                                      0, "lines", at));
        cr_expect_eq(tell(lab).line, at == 12);
    }
}

Test(telling, takes_the_reason_of_a_refusal_for_a_cause) {
    static const char *const reasons[] = {
        "sum returned cudaErrorInvalidValue (invalid argument): A barrier is there.",
        "sum returned cudaErrorInvalidValue (invalid argument)."};
    for (int i = 0; i < 2; i++) {
        json_t *lab = record(NULL, 0, 0, NULL, 0);
        json_t *test = json_array_get(json_object_get(lab, "tests"), 0);
        json_object_set_new(test, "verdict", json_string("cuda_error"));
        json_object_set_new(test, "findings", json_array());
        json_object_set_new(test, "reason", json_string(reasons[i]));
        const struct telling telling = tell(lab);
        cr_expect_eq(telling.has_cause, i == 0);
        cr_expect_eq(telling.kind, i == 0);
    }
}

static json_t *test_in(json_t *lab) {
    return json_array_get(json_object_get(lab, "tests"), 0);
}

Test(telling, takes_a_finding_for_a_cause_whose_index_a_changed_line_made) {
    json_t *lab = finding_of("shared_race", 40, 41);
    json_t *finding = json_array_get(json_object_get(test_in(lab), "findings"), 0);
    json_object_set_new(finding, "lines", json_pack("[i, i]", 30, 12));
    struct telling behind = tell(lab);
    cr_expect(behind.kind && behind.line && !behind.is_false);
}

/* A launch is one of a finding's lines where the finding speaks of what it hands over. */
Test(telling, takes_a_launch_for_the_cause_of_what_it_hands_over) {
    static const char *const messages[] = {
        "It reads through a pointer, which the launch hands over.", "It reads in[3]."};
    for (size_t i = 0; i < 2; i++) {
        json_t *lab = finding_of("shared_race", 40, 41);
        json_t *finding = json_array_get(json_object_get(test_in(lab), "findings"), 0);
        json_object_set_new(finding, "launched", json_pack("[i]", 12));
        json_object_set_new(finding, "message", json_string(messages[i]));
        cr_expect_eq(tell(lab).kind, i == 0);
    }
}

/* Host code that touched what lies beside an array; an array is no barrier. */
Test(telling, takes_a_crash_for_a_cause_that_says_what_was_touched) {
    static const unsigned line = 12;
    static const char *const reasons[] = {"host code touched what lies behind the end of \"in\".",
                                          "sum was killed by SIGSEGV."};
    for (size_t i = 0; i < 2; i++) {
        struct truth truth = {.lines = &line,
                              .n_lines = 1,
                              .slack = 1,
                              .topics = topics_of_family("bound"),
                              .source = "sum.cu"};
        json_auto_t *lab = finding_of("none", 40, 41);
        json_object_set_new(test_in(lab), "verdict", json_string("crash"));
        json_object_set_new(test_in(lab), "reason", json_string(reasons[i]));
        json_object_set_new(test_in(lab), "host", json_pack("{s:i}", "line", 12));
        struct telling telling;
        telling_read(&telling, lab, &truth);
        json_decref(telling.causes);
        cr_expect_eq(telling.kind, i == 0);
        cr_expect(!telling.is_false);
    }
}

/* Where a function fails is a cause beside what else was seen. */
Test(telling, takes_where_a_function_fails_for_a_cause) {
    for (int is_told = 0; is_told <= 1; is_told++) {
        json_t *lab = record("never_read", 40, 41, "no_edit", 0);
        json_t *where =
            json_pack("{s:s, s:s}", "is", "several_warps", "where", "block is more than 32");
        json_object_set_new(json_object_get(test_in(lab), "experiment"), "where", where);
        json_object_set_new(
            json_object_get(test_in(lab), "diagnosis"), "text",
            json_string(is_told ? "All fail in which block is more than 32." : "Nobody read it."));
        json_array_clear(json_object_get(json_object_get(test_in(lab), "experiment"), "proven"));
        cr_expect_eq(tell(lab).kind, is_told);
    }
}
