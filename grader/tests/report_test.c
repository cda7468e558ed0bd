/* The report, as a whole, against golden texts. To renew them after a wanted change, run the test
 * with WARPBOOK_GOLDEN_UPDATE=1, and read the difference. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/digest.h"
#include "common/base/text.h"
#include "grader/report/text/render.h"
#include "grader/tests/support.h"

/* A fixture's record, as if report/sum.cu had been graded. */
static json_t *load(const char *name) {
    const char *data = getenv("WARPBOOK_TEST_DATA");
    cr_assert(data, "run by meson test");
    char *path = text_format("%s/report/%s.json", data, name);
    char *source = text_format("%s/report/sum.cu", data), *bytes = support_read(source);
    char sha256[DIGEST_TEXT];
    json_error_t error;
    json_t *lab = json_load_file(path, 0, &error);
    cr_assert(lab, "%s: %s", path, error.text);
    digest_of(bytes, strlen(bytes), sha256);
    json_object_set_new(lab, "path", json_string(source));
    json_object_set_new(lab, "sha256", json_string(sha256));
    free(bytes);
    free(source);
    free(path);
    return lab;
}

static char *render_text(const json_t *lab, unsigned width, bool has_colour, bool is_verbose) {
    char *text = NULL;
    size_t bytes;
    json_t *backend = json_pack("{s:s, s:s, s:n}", "name", "sim", "reason",
                                "no GPU (libcuda.so.1 not found)", "gpu");
    struct render render = {.is_verbose = is_verbose, .backend = backend};
    render.page = (struct page){.width = width, .has_colour = has_colour};
    render.page.out = open_memstream(&text, &bytes);
    render_lab(&render, lab);
    fclose(render.page.out);
    json_decref(backend);
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

static unsigned widest_line(const char *text) {
    unsigned widest = 0;
    while (*text) {
        size_t bytes = strcspn(text, "\n");
        char *line = text_format("%.*s", (int)bytes, text);
        unsigned columns = (unsigned)text_columns(line);
        widest = columns > widest ? columns : widest;
        free(line);
        text += bytes + (text[bytes] == '\n');
    }
    return widest;
}

Test(report, never_goes_beyond_the_width) {
    json_t *lab = load("failing");
    for (unsigned width = 60; width <= PAGE_WIDEST; width++) {
        for (int is_verbose = 0; is_verbose < 2; is_verbose++) {
            char *text = render_text(lab, width, false, is_verbose);
            cr_expect_leq(widest_line(text), width, "at %u columns", width);
            free(text);
        }
    }
    json_decref(lab);
}

Test(report, has_no_colour_in_a_pipe) {
    json_t *lab = load("failing");
    char *text = render_text(lab, 80, false, true);
    cr_expect_null(strchr(text, '\x1b'));
    free(text);
    json_decref(lab);
}

Test(report, ends_with_the_verdict) {
    json_t *lab = load("not_written");
    char *text = render_text(lab, 80, false, false);
    static const char wanted[] = "not written yet\n";
    cr_expect_str_eq(text + strlen(text) - strlen(wanted), wanted);
    free(text);
    json_decref(lab);
}

Test(report, says_nothing_around_a_compile_error_but_the_verdict) {
    json_t *lab = load("not_written");
    json_object_set_new(lab, "verdict", json_string("compile_error"));
    json_object_set_new(
        lab, "compile",
        json_pack("{s:s}", "messages", "labs/sum.cu(3): error: expected a \";\"\n"));
    char *text = render_text(lab, 60, false, false);
    cr_expect_str_eq(text, "labs/sum.cu(3): error: expected a \";\"\n"
                           "Lab 01: does not compile\n");
    free(text);
    json_decref(lab);
}

Test(report, explains_what_puzzles_in_the_compilers_words) {
    json_t *lab = load("not_written");
    json_object_set_new(lab, "verdict", json_string("compile_error"));
    json_object_set_new(lab, "compile",
                        json_pack("{s:s}", "messages",
                                  "labs/sum.cu(3): error: identifier \"printf\" is undefined\n"));
    char *text = render_text(lab, 60, false, false);
    cr_expect_str_eq(text, "labs/sum.cu(3): error: identifier \"printf\" is undefined\n"
                           "printf wants #include <cstdio>.\n"
                           "Lab 01: does not compile\n");
    free(text);
    json_decref(lab);
}

Test(report, quotes_no_lines_of_a_file_that_has_changed) {
    json_t *lab = load("failing");
    json_object_set_new(lab, "sha256", json_string("0"));
    char *text = render_text(lab, 80, false, false);
    cr_expect_null(strstr(text, "tile[t] +="));
    free(text);
    json_decref(lab);
}
