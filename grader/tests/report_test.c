/* The report, as a whole, against golden texts. To renew them after a wanted change, run the test
 * with WARPBOOK_GOLDEN_UPDATE=1, and read the difference. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/digest.h"
#include "common/base/text.h"
#include "grader/report/text/render.h"
#include "grader/tests/support.h"

static const char *data_folder(void) {
    const char *data = getenv("WARPBOOK_TEST_DATA");
    cr_assert(data, "run by meson test");
    return data;
}

/* As if this file had been graded. */
static void set_source(json_t *lab, const char *name) {
    char *source = support_text("%s/report/%s", data_folder(), name), *bytes = support_read(source);
    char sha256[DIGEST_TEXT];
    digest_of(bytes, strlen(bytes), sha256);
    json_object_set_new(lab, "path", json_string(source));
    json_object_set_new(lab, "sha256", json_string(sha256));
}

/* A fixture's record, as if report/sum.cu had been graded. */
static json_t *load(const char *name) {
    char *path = support_text("%s/report/%s.json", data_folder(), name);
    json_error_t error;
    json_t *lab = json_load_file(path, 0, &error);
    cr_assert(lab, "%s: %s", path, error.text);
    set_source(lab, "sum.cu");
    return lab;
}

static char *render_text(const json_t *lab, unsigned width, bool has_colour, bool is_verbose) {
    char *text = NULL;
    size_t bytes;
    json_auto_t *backend = json_pack("{s:s, s:s, s:n}", "name", "sim", "reason",
                                     "no GPU (libcuda.so.1 not found)", "gpu");
    struct render render = {.is_verbose = is_verbose, .backend = backend};
    render.page = (struct page){.width = width, .has_colour = has_colour};
    render.page.out = open_memstream(&text, &bytes);
    render_lab(&render, lab);
    fclose(render.page.out);
    return text;
}

static void expect_report(const char *fixture, unsigned width, bool has_colour,
                          const char *golden) {
    json_t *lab = load(fixture);
    char *text = render_text(lab, width, has_colour, false);
    support_expect_golden(golden, text);
    free(text);
    json_decref(lab);
}

Test(report, is_readable_at_60_columns) {
    expect_report("failing", 60, false, "report/failing-60.txt");
}

Test(report, is_readable_at_100_columns) {
    expect_report("failing", 100, false, "report/failing-100.txt");
}

Test(report, has_colours_on_a_terminal) {
    expect_report("failing", 80, true, "report/failing-colour.txt");
}

Test(report, is_short_where_nothing_is_written_yet) {
    expect_report("not_written", 60, false, "report/not_written-60.txt");
}

/* A record, which is given up, as it is shown in 80 columns without colours. */
static char *shown(json_t *lab) {
    char *text = render_text(lab, 80, false, false);
    json_decref(lab);
    return text;
}

static unsigned widest_line(const char *text) {
    unsigned widest = 0;
    while (*text) {
        size_t bytes = strcspn(text, "\n");
        unsigned columns = (unsigned)text_columns(support_text("%.*s", (int)bytes, text));
        widest = columns > widest ? columns : widest;
        text += bytes + (text[bytes] == '\n');
    }
    return widest;
}

Test(report, never_goes_beyond_the_width) {
    json_auto_t *lab = load("failing");
    for (unsigned width = 60; width <= PAGE_WIDEST; width++) {
        for (int is_verbose = 0; is_verbose < 2; is_verbose++) {
            OWNED char *text = render_text(lab, width, false, is_verbose);
            cr_expect_leq(widest_line(text), width, "at %u columns", width);
        }
    }
}

Test(report, has_no_colour_in_a_pipe) {
    json_auto_t *lab = load("failing");
    OWNED char *text = render_text(lab, 80, false, true);
    cr_expect_null(strchr(text, '\x1b'));
}

Test(report, ends_with_the_verdict) {
    OWNED char *text = shown(load("not_written"));
    static const char wanted[] = "not written yet\n";
    cr_expect_str_eq(text + strlen(text) - strlen(wanted), wanted);
}

static void expect_of_compile_error(const char *messages, const char *wanted) {
    json_t *lab = load("not_written");
    json_object_set_new(lab, "verdict", json_string("compile_error"));
    json_object_set_new(lab, "compile", json_pack("{s:s}", "messages", messages));
    OWNED char *text = shown(lab);
    cr_expect_str_eq(text, wanted);
}

Test(report, says_nothing_around_a_compile_error_but_the_verdict) {
    expect_of_compile_error("labs/sum.cu(3): error: expected a \";\"\n",
                            "labs/sum.cu(3): error: expected a \";\"\n"
                            "Lab 01: does not compile\n");
}

Test(report, explains_what_puzzles_in_the_compilers_words) {
    expect_of_compile_error("labs/sum.cu(3): error: identifier \"printf\" is undefined\n",
                            "labs/sum.cu(3): error: identifier \"printf\" is undefined\n"
                            "printf wants #include <cstdio>.\n"
                            "Lab 01: does not compile\n");
}

Test(report, says_that_a_function_needs_a_newer_gpu) {
    static const char *const unknown[] = {
        "labs/sum.cu(3): error: identifier \"reduce\" is undefined\n",
        "labs/sum.cu(3): error: identifier \"__reduce_add_sync\" is undefined\n"};
    for (int i = 0; i < 2; i++) {
        json_t *lab = load("not_written");
        json_object_set_new(lab, "verdict", json_string("compile_error"));
        json_object_set_new(lab, "compile", json_pack("{s:s}", "messages", unknown[i]));
        OWNED char *text = shown(lab);
        cr_expect_eq(strstr(text, "compute capability 7.5") != NULL, i == 1, "%s", text);
    }
}

Test(report, quotes_no_lines_of_a_file_that_has_changed) {
    json_t *lab = load("failing");
    json_object_set_new(lab, "sha256", json_string("0"));
    OWNED char *text = shown(lab);
    cr_expect_null(strstr(text, "tile[t] +="));
}

/* A test of a record that failed in a case of n elements. */
static json_t *failed(const char *name, int test_todo, const char *verdict, const char *reason,
                      const char *diagnosis, int n) {
    char *tier = support_text("%.*s", (int)strcspn(name, "."), name);
    json_t *known = diagnosis ? json_pack("{s:s, s:s, s:s}", "id", diagnosis, "text",
                                          "A known mistake.", "hint", "Think.")
                              : json_null();
    json_t *test = json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:i, s:s, s:s, s:o, s:{s:i, s:i, s:s, s:n}, s:i, s:n, s:n, "
        "s:[], s:[], "
        "s:[], s:[], s:[], s:[], s:n, s:s, s:i, s:n, s:n, s:f, s:s}",
        "name", name, "tier", tier, "claim", "claims", "todo", test_todo, "points", 0, "max_points",
        5, "verdict", verdict, "reason", reason, "diagnosis", known, "case", "n", n, "block", 32,
        "seed", "00", "words", "cases_passed", 0, "mismatch", "data", "findings", "launches",
        "technique", "predictions", "timeline", "bench", "experiment", "output", "",
        "output_dropped", 0, "host", "unread", "seconds", 0.1, "reproduce", "./warpbook check 01");
    return test;
}

/* A lab of which TODO 1 is wrong in two ways, TODO 3 in one, and TODO 2 and 4 are not written. */
static json_t *half_done(void) {
    json_t *lab = load("not_written"), *tests = json_array();
    set_source(lab, "half_done.cu");
    const char *two = "sum_two is not written yet.", *four = "sum_four is not written yet.";
    json_array_append_new(tests, failed("example.two", 2, "not_written", two, NULL, 32));
    json_array_append_new(tests, failed("example.four", 4, "not_written", four, NULL, 32));
    json_array_append_new(tests, failed("edge.three", 3, "crash", "sum_three: crashed.", NULL, 7));
    json_array_append_new(tests, failed("edge.two", 2, "not_written", two, NULL, 32));
    json_array_append_new(tests,
                          failed("edge.one", 1, "wrong_answer", "sum_one: bad.", "slip", 513));
    json_array_append_new(tests, failed("edge.least", 1, "damage", "sum_one: worse.", "slip", 33));
    json_array_append_new(tests, failed("safety.one", 1, "finding", "sum_one: a race.", NULL, 64));
    json_object_set_new(lab, "tests", tests);
    json_object_set_new(lab, "verdict", json_string("fail"));
    return lab;
}

/* Where a text stands in another one. */
static size_t place_of(const char *text, const char *part) {
    const char *at = strstr(text, part);
    cr_assert(at, "'%s' is not in:\n%s", part, text);
    return (size_t)(at - text);
}

Test(report, tells_what_is_wrong_before_what_is_not_written) {
    OWNED char *text = shown(half_done());
    const char *failures = strstr(text, "\n\n✗ ");
    cr_assert(failures, "%s", text);
    cr_expect_lt(place_of(failures, "edge.three"), place_of(failures, "not written yet"));
    cr_expect_lt(place_of(failures, "sum_two is not"), place_of(failures, "sum_four is not"));
    cr_expect_null(strstr(text, "more fail"), "%s", text);
    cr_expect(strstr(text, "○ sum_two is not written yet. · TODO 2 · 2 tests\n"), "%s", text);
}

/* The TODO of a test is that which the test is about: what is wrong may lie in another one. */
Test(report, names_a_todo_only_where_something_was_seen_in_it) {
    json_auto_t *lab = half_done();
    json_t *test = json_array_get(json_object_get(lab, "tests"), 6);
    OWNED char *before = render_text(lab, 80, false, false);
    cr_expect(strstr(before, "✗ safety.one  unsafe · test of TODO 1\n"), "%s", before);
    cr_expect(strstr(before, "○ sum_four is not written yet. · TODO 5\n"), "%s", before);
    json_object_set_new(test, "experiment",
                        json_pack("{s:i, s:[{s:s, s:s, s:s, s:i, s:n, s:i, s:i, s:s}]}", "tried", 9,
                                  "proven", "edit", "threads", "is", "a number of threads", "file",
                                  "labs/half_done.cu", "line", 20, "kernel", "from", 64, "to", 32,
                                  "sentence", "Launch fewer threads."));
    OWNED char *seen = render_text(lab, 80, false, false);
    cr_expect(strstr(seen, "✗ safety.one  unsafe · TODO 3\n"), "%s", seen);
    json_t *own = json_array_get(json_object_get(lab, "tests"), 2);
    json_object_set_new(own, "verdict", json_string("pass")); /* the only test of TODO 3 */
    OWNED char *right = render_text(lab, 200, false, false);
    cr_expect(strstr(right, "✗ safety.one  unsafe · test of TODO 1\n"), "%s", right);
    cr_expect(strstr(right, "All tests of TODO 3, to which that belongs, pass: what calls it"),
              "%s", right);
    set_source(lab, "sum.cu"); /* without regions */
    OWNED char *unknown = render_text(lab, 80, false, false);
    cr_expect(strstr(unknown, "○ sum_four is not written yet.\n"), "%s", unknown);
}

/* The report where another number in this line was proven to mend a test of TODO 1. */
static char *told_of_a_number(int line) {
    json_auto_t *lab = half_done();
    json_object_set_new(json_array_get(json_object_get(lab, "tests"), 6), "experiment",
                        json_pack("{s:i, s:[{s:s, s:s, s:s, s:i, s:n, s:i, s:i, s:s}]}", "tried", 9,
                                  "proven", "edit", "real", "is", "a number in this line", "file",
                                  "labs/half_done.cu", "line", line, "kernel", "from", 1, "to", 2,
                                  "sentence", "Take another number."));
    return render_text(lab, 200, false, false);
}

/* The compiler puts a number where it is used, which may be in a region that is right. */
Test(report, does_not_look_for_a_number_where_none_stands) {
    static const int with_numbers[] = {12, 19}; /* LAB_NOT_WRITTEN might be one */
    OWNED char *without = told_of_a_number(20);
    cr_expect(strstr(without, "✗ safety.one  unsafe · test of TODO 1\n"), "%s", without);
    cr_expect(strstr(without,
                     "There is a number that is used at labs/01-sum/sum.cu:20, and comes "
                     "from elsewhere: another one in its place alone makes this test pass;"),
              "%s", without);
    for (size_t i = 0; i < sizeof with_numbers / sizeof *with_numbers; i++) {
        OWNED char *with = told_of_a_number(with_numbers[i]);
        cr_expect_null(strstr(with, "unsafe · test of TODO 1"), "%s", with);
        cr_expect(strstr(with, "A change at "), "%s", with);
    }
}

Test(report, goes_through_the_todos_in_their_order) {
    OWNED char *text = shown(half_done());
    cr_expect_lt(place_of(text, "sum_one: a race"), place_of(text, "sum_three: crashed"));
}

Test(report, tells_one_cause_once_by_its_smallest_case) {
    OWNED char *text = shown(half_done());
    cr_expect(strstr(text, "✗ edge.least  damaged memory · test of TODO 1\n"), "%s", text);
    cr_expect(strstr(text, "the same in   edge.one\n"), "%s", text);
    cr_expect_null(strstr(text, "sum_one: bad"), "%s", text);
}

Test(report, says_likewise_of_the_same_mistake_in_another_function) {
    json_t *lab = half_done(), *tests = json_object_get(lab, "tests");
    json_array_append_new(tests,
                          failed("edge.more", 3, "wrong_answer", "sum_three: bad.", "slip", 70));
    OWNED char *text = shown(lab);
    cr_expect(strstr(text, "likewise in   edge.one, edge.more\n"), "%s", text);
    cr_expect_null(strstr(text, "the same in   edge.one"), "%s", text);
}

/* A row of numbers: of shared memory where `block` is not negative. */
static json_t *row(const char *kind, const char *name, int launch, int block, int line,
                   const char *numbers) {
    json_t *values = json_array();
    for (const char *at = numbers; *at; at += *at == ' ') {
        size_t bytes = strcspn(at, " ");
        json_array_append_new(values, *at == '?' ? json_null() : json_stringn(at, bytes));
        at += bytes;
    }
    bool is_shared = block >= 0;
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:i, s:I, s:o}", "kind", kind, "name", name,
                     "launch", is_shared ? json_integer(launch) : json_null(), "block",
                     is_shared ? json_integer(block) : json_null(), "line",
                     is_shared ? json_integer(line) : json_null(), "first", 0, "count",
                     (json_int_t)json_array_size(values), "values", values);
}

/* A lab with a small case: a scan whose fourth element is wrong. */
static json_t *small_case(size_t n_barriers) {
    json_t *lab = load("not_written"), *tests = json_array(), *rows = json_array();
    json_t *test = failed("edge.scan", 1, "wrong_answer", "scan: bad.", NULL, 5);
    json_array_append_new(rows, row("input", "in", 0, -1, 0, "31234 -5678 999 -32768 7"));
    json_array_append_new(rows, row("shared", "tile", 0, 0, 9, "31234 -5678 999 ?"));
    for (size_t i = 1; i < n_barriers; i++)
        json_array_append_new(rows, row("shared", "tile", 0, 0, 12, "31234 25556 -4679 ?"));
    json_array_append_new(rows, row("shared", "tile", 0, 0, 0, "31234 25556 -4679 ?"));
    json_array_append_new(rows, row("shared", "tile", 0, 1, 0, "7 ? ? ?"));
    json_array_append_new(rows, row("shared", "tile", 0, 2, 0, "7 ? ? ?"));
    json_array_append_new(rows, row("shared", "tile", 0, 3, 0, "7 ? ? ?"));
    json_array_append_new(rows, row("shared", "tile", 1, 0, 0, "26555 7 ? ?"));
    json_array_append_new(rows, row("expected", "out", 0, -1, 0, "31234 25556 26555 -6213 -6206"));
    json_array_append_new(rows, row("got", "out", 0, -1, 0, "31234 25556 26555 26555 -6206"));
    json_object_set_new(test, "data", json_pack("{s:o, s:i}", "rows", rows, "wrong", 3));
    json_array_append_new(tests, test);
    json_object_set_new(lab, "tests", tests);
    json_object_set_new(lab, "verdict", json_string("fail"));
    return lab;
}

static void expect_data(unsigned width, bool has_colour, const char *golden) {
    json_auto_t *lab = small_case(4);
    OWNED char *text = render_text(lab, width, has_colour, false);
    cr_expect_leq(widest_line(text), width + (has_colour ? 1000 : 0));
    support_expect_golden(golden, text);
}

Test(report, says_what_a_case_is_in_the_labs_words) {
    json_t *lab = small_case(1), *test = json_array_get(json_object_get(lab, "tests"), 0);
    json_object_set_new(json_object_get(test, "case"), "words", json_string("2 × 2 × 2 threads"));
    char *text = shown(lab);
    cr_expect(strstr(text, "smallest case 2 × 2 × 2 threads\n"), "%s", text);
    cr_expect_null(strstr(text, "n = 5"), "%s", text);
    free(text);
}

Test(report, shows_the_numbers_of_a_small_case) {
    expect_data(80, false, "report/data-80.txt");
    expect_data(60, false, "report/data-60.txt");
    expect_data(40, false, "report/data-40.txt");
    expect_data(80, true, "report/data-colour.txt");
}

Test(report, shows_numbers_in_24_lines_at_most) {
    json_auto_t *lab = small_case(40);
    for (unsigned width = 40; width <= PAGE_WIDEST; width += 20) {
        OWNED char *text = render_text(lab, width, false, false);
        const char *at = strstr(text, "its numbers"), *end = strstr(text, "  run again");
        unsigned n_lines = 0;
        cr_assert(at && end, "%s", text);
        for (; at < end; at++)
            n_lines += *at == '\n';
        cr_expect_leq(n_lines, 24, "%u lines at %u columns:\n%s", n_lines, width, text);
        cr_expect(strstr(text, "more\n") && strstr(text, "  got"), "%s", text);
    }
}

Test(report, keeps_the_numbers_back_where_the_case_is_hidden) {
    json_auto_t *lab = small_case(1);
    OWNED char *text = NULL;
    size_t bytes;
    struct render render = {.hidden = RENDER_CASE};
    render.page = (struct page){.width = 80, .out = open_memstream(&text, &bytes)};
    render_failure(&render, lab, json_array_get(json_object_get(lab, "tests"), 0));
    fclose(render.page.out);
    cr_expect_null(strstr(text, "31234"), "%s", text);
}

/* Two tests that one edit mends, each with a diagnosis of its own, and one that none mends. */
static json_t *tried(void) {
    json_t *lab = load("failing"), *tests = json_array();
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"example.one", "edge.one", "edge.two"};
        static const char *const diagnoses[] = {"slip", "other", NULL};
        json_t *test = failed(names[i], 1, "finding", i == 2 ? "It raced." : "It is wrong.",
                              diagnoses[i], 5 + i);
        json_t *proven =
            json_pack("[{s:s, s:s, s:s, s:i, s:n, s:i, s:i, s:s}]", "edit", "barrier_after", "is",
                      "a barrier that is missing", "file", "labs/other.cuh", "line", 42, "kernel",
                      "from", 1, "to", 0, "sentence",
                      i == 0 ? "A barrier is missing after line 42."
                             : "After line 42, in this TODO's words.");
        json_object_set_new(
            test, "experiment",
            json_pack("{s:i, s:o}", "tried", 77, "proven", i == 2 ? json_array() : proven));
        if (i == 2)
            json_decref(proven);
        json_array_append_new(tests, test);
    }
    json_object_set_new(lab, "tests", tests);
    return lab;
}

static char *told(enum render_reveal reveal) {
    json_auto_t *lab = tried();
    char *text = NULL;
    size_t bytes;
    struct render render = {.reveal = reveal, .page = {.width = 200}};
    render.page.out = open_memstream(&text, &bytes);
    render_failures(&render, lab);
    fclose(render.page.out);
    return text;
}

Test(report, tells_a_proven_cause_as_far_as_it_may) {
    static const char *const parts[] = {
        [RENDER_LINE] =
            "A change behind the branch around other.cuh:42 alone makes this test pass; there may "
            "be other ways.",
        [RENDER_KIND] = "It is a barrier that is missing, behind the branch around other.cuh:42",
        [RENDER_EDIT] = "A barrier is missing after line 42."};
    for (enum render_reveal reveal = RENDER_LINE; reveal <= RENDER_EDIT; reveal++) {
        OWNED char *text = told(reveal);
        for (enum render_reveal part = RENDER_LINE; part <= RENDER_EDIT; part++)
            cr_expect_eq(strstr(text, parts[part]) != NULL, part == reveal, "%s", text);
        cr_expect_lt(place_of(text, parts[reveal]), place_of(text, "likely cause"));
    }
}

Test(report, tells_once_what_one_change_mends) {
    OWNED char *text = told(RENDER_LINE);
    cr_expect(strstr(text, "the same in   edge.one\n"), "%s", text);
    cr_expect(strstr(text, "77 small changes of the kernels and their launches"), "%s", text);
}

Test(report, tells_rather_by_a_test_whose_cause_is_known) {
    json_auto_t *lab = tried();
    json_t *tests = json_object_get(lab, "tests"), *test;
    size_t index;
    json_array_foreach(
        tests, index,
        test) if (strcmp(json_string_value(json_object_get(test, "name")), "example.one") == 0)
        json_object_set_new(test, "diagnosis", json_null());
    OWNED char *text = render_text(lab, 100, false, false);
    cr_expect(strstr(text, "✗ edge.one") && strstr(text, "A known mistake"), "%s", text);
    cr_expect(strstr(text, "the same in   example.one\n"), "%s", text);
}

Test(report, tells_rather_by_a_block_that_is_full) {
    json_auto_t *lab = half_done();
    json_t *tests = json_object_get(lab, "tests");
    json_array_append_new(tests, failed("edge.single", 1, "damage", "sum_one: alone.", "slip", 1));
    json_array_append_new(tests, failed("edge.full", 1, "damage", "sum_one: full.", "slip", 32));
    json_array_append_new(tests, failed("edge.few", 1, "damage", "sum_one: few.", "slip", 5));
    OWNED char *text = render_text(lab, 80, false, false);
    cr_expect(strstr(text, "✗ edge.full  damaged memory · test of TODO 1\n"), "%s", text);
}

/* A report of one failure for so few rows. */
static char *render_rows(const json_t *lab, unsigned rows) {
    char *text = NULL;
    size_t bytes;
    struct render render = {.is_brief = true, .rows = rows};
    render.page = (struct page){.width = 80, .out = open_memstream(&text, &bytes)};
    render_lab(&render, lab);
    fclose(render.page.out);
    return text;
}

Test(report, leaves_numbers_out_where_the_screen_is_low) {
    json_auto_t *lab = small_case(4);
    OWNED char *high = render_rows(lab, 60), *low = render_rows(lab, 12);
    cr_expect(strstr(high, "31234") && !strstr(high, "all of it"), "%s", high);
    cr_expect(!strstr(low, "31234") && strstr(low, "smallest case"), "%s", low);
    cr_expect(strstr(low, "… all of it: ./warpbook check 01 --test edge.scan"), "%s", low);
}

/* Two rungs that passed: of each, a technique test whose call had two launches, and a time. */
static json_t *ladder(bool has_times) {
    static const int instructions[] = {3000, 1000};
    static const double ms[] = {8.054, 3.456};
    json_t *lab = load("not_written"), *tests = json_array();
    for (int i = 0; i < 4; i++) {
        bool is_speed = i >= 2;
        json_t *test = failed(is_speed ? "speed.one" : "technique.one", 1, "pass", "", NULL, 5);
        json_object_set_new(test, "rung", json_string(i % 2 == 0 ? "slow" : "quick"));
        if (!is_speed)
            json_object_set_new(test, "launches",
                                json_pack("[{s:{s:i, s:i}}, {s:{s:i}}]", "counters",
                                          "warp_instructions", instructions[i], "barriers", 7,
                                          "counters", "warp_instructions", 500));
        else if (has_times)
            json_object_set_new(test, "bench",
                                json_pack("[{s:i, s:f, s:f, s:s}]", "n", 1 << 22, "median_ms",
                                          ms[i % 2], "gbps", 2.083, "unit", "bytes"));
        json_array_append_new(tests, test);
    }
    json_object_set_new(lab, "tests", tests);
    return lab;
}

Test(report, sets_rungs_beside_each_other) {
    OWNED char *counted = shown(ladder(false)), *timed = shown(ladder(true));
    cr_expect(strstr(counted, "slow                            3,500          7         0       –"),
              "%s", counted);
    cr_expect(strstr(counted, "quick                           1,500          7         0  2.33 ×"),
              "%s", counted);
    cr_expect_null(strstr(counted, "GB/s"), "%s", counted);
    cr_expect(strstr(timed, "quick                       3.4560     2.08  2.33 ×  2.33 ×"), "%s",
              timed);
    cr_expect_null(strstr(timed, "bandwidth"), "the ladder has it:\n%s", timed);
}

/* What a rung that failed was counted to do is no step of the ladder. */
Test(report, leaves_out_a_rung_that_is_wrong) {
    json_t *lab = ladder(false), *tests = json_object_get(lab, "tests");
    json_object_set_new(json_array_get(tests, 0), "verdict", json_string("technique"));
    OWNED char *text = shown(lab);
    cr_expect(strstr(text, "quick                           1,500          7         0       –"),
              "%s", text);
    cr_expect_null(strstr(text, "3,500"), "%s", text);
}

/* The busiest launch is the first TODO's: it is shown where that fails. Else the learner is at the
 * last one. */
Test(report, shows_what_warps_did_at_the_current_todo) {
    json_t *lab = ladder(false), *tests = json_object_get(lab, "tests");
    for (size_t i = 0; i < 2; i++)
        json_object_set_new(json_array_get(tests, i), "todo", json_integer((json_int_t)i + 1));
    OWNED char *right = shown(json_deep_copy(lab));
    json_object_set_new(json_array_get(tests, 0), "verdict", json_string("technique"));
    OWNED char *wrong = shown(lab);
    cr_expect(strstr(right, "warp instructions            1,000"), "%s", right);
    cr_expect(strstr(wrong, "warp instructions            3,000"), "%s", wrong);
}

/* Two chunks of three engines' work, each piece of 1,000 ns. */
Test(report, draws_the_time_line_of_engines) {
    static const char *const engines[] = {"copy_in", "kernel", "copy_out"};
    json_t *lab = load("not_written"), *test = failed("technique.one", 1, "pass", "", NULL, 5);
    json_t *pieces = json_array();
    for (int i = 0; i < 6; i++) {
        const int start = 1000 * (i % 3 + i / 3);
        json_array_append_new(pieces, json_pack("{s:s, s:i, s:i}", "engine", engines[i % 3],
                                                "start_ns", start, "end_ns", start + 1000));
    }
    json_object_set_new(test, "timeline", pieces);
    json_object_set_new(lab, "tests", json_pack("[o]", test));
    OWNED char *text = shown(lab);
    cr_expect(strstr(text, "4,000 ns, of which the busiest engine works for 50"), "%s", text);
    cr_expect(strstr(text, "\n  copies in   0000000000000000111"), "%s", text);
    cr_expect(strstr(text, "\n  kernels                     00000000000000000111"), "%s", text);
}
