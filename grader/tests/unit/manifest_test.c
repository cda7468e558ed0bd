/* Manifests and catalogues of mistakes: an author's slip is one message with its line. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/tests/support.h"
#include "grader/verify/catalogue.h"
#include "grader/workbook/manifest.h"

static const char good[] =
    "title: T\n"                                                           /* 1 */
    "summary: S\n"                                                         /* 2 */
    "source: a.cu\n"                                                       /* 3 */
    "header: a.h\n"                                                        /* 4 */
    "entry: a\n"                                                           /* 5 */
    "standard: c++14\n"                                                    /* 6 */
    "timeout_ms: 4000\n"                                                   /* 7 */
    "tests:\n"                                                             /* 8 */
    "  - name: example.one\n"                                              /* 9 */
    "    points: 5\n"                                                      /* 10 */
    "    claim: does one thing\n"                                          /* 11 */
    "  - {name: edge.two, points: 3, todo: 2, rung: r, claim: does two}\n" /* 12 */
    "hints: [look, think, do]\n"                                           /* 13 */
    "diagnoses:\n"                                                         /* 14 */
    "  - id: slip\n"                                                       /* 15 */
    "    finding: shared_race\n"                                           /* 16 */
    "    text: A slip.\n"                                                  /* 17 */
    "    hint: Look.\n"                                                    /* 18 */
    "edits:\n"                                                             /* 19 */
    "  - edit: equality\n"                                                 /* 20 */
    "    todo: 2\n"                                                        /* 21 */
    "    text: Line {line} counts one too many.\n"                         /* 22 */
    "  - {edit: equality, text: 'Line {line} is off by one.'}\n";          /* 23 */

/* `good` with the first `from` replaced by `to`. */
static char *changed(const char *from, const char *to) {
    const char *at = strstr(good, from);
    cr_assert(at, "%s is not there", from);
    return text_format("%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
}

static void expect_refused(const char *from, const char *to, unsigned line, const char *message) {
    char *folder = support_folder();
    OWNED char *text = changed(from, to);
    char *path = support_write(folder, "lab.yaml", text);
    struct diag diag = {0};
    cr_expect_null(manifest_load(folder, &diag));
    cr_expect_str_eq(diag.file, path);
    cr_expect_eq(diag.line, line, "%s: line %u, not %u (%s)", to, diag.line, line, diag.message);
    cr_expect(strstr(diag.message, message), "%s: %s", to, diag.message);
    support_remove(folder);
}

Test(manifest, has_hints_in_the_reader_s_language) {
    char *folder = support_folder();
    struct diag diag = {0};
    support_write(folder, "lab.yaml", good);
    support_write(folder, "hints.de.yaml", "hints: [schau, denk, mach]\n");
    setenv("LC_ALL", "de_CH.UTF-8", 1);
    struct manifest *manifest = manifest_load(folder, &diag);
    cr_assert(manifest, "%s", diag.message);
    cr_expect_str_eq(manifest->hints[2], "mach");
    manifest_free(manifest);
    setenv("LC_ALL", "fr_CH.UTF-8", 1);
    manifest = manifest_load(folder, &diag);
    cr_expect_str_eq(manifest->hints[2], "do");
    manifest_free(manifest);
    char *path = support_write(folder, "hints.fr.yaml", "hints: [regarde]\n");
    cr_expect_null(manifest_load(folder, &diag));
    cr_expect_str_eq(diag.file, path);
    cr_expect(strstr(diag.message, "1 hints here, and 3"), "%s", diag.message);
    support_remove(folder);
}

Test(manifest, is_read_whole) {
    char *folder = support_folder();
    struct diag diag = {0};
    support_write(folder, "lab.yaml", good);
    struct manifest *manifest = manifest_load(folder, &diag);
    cr_assert(manifest, "%s", diag.message);
    cr_expect_str_eq(manifest->title, "T");
    cr_expect_eq(manifest->n_tests, 2u);
    cr_expect_eq(manifest_points(manifest), 8u);
    cr_expect_str_eq(manifest_test_find(manifest, "edge.two")->claim, "does two");
    cr_expect_eq(manifest_test_find(manifest, "edge.two")->todo, 2u);
    cr_expect_eq(manifest->tests[0].todo, 0u);
    cr_expect_str_eq(manifest_test_find(manifest, "edge.two")->rung, "r");
    cr_expect_null(manifest->tests[0].rung);
    cr_expect_null(manifest_test_find(manifest, "edge.three"));
    cr_expect_str_eq(manifest->hints[2], "do");
    cr_expect_str_eq(manifest_diagnosis_of_finding(manifest, "shared_race")->id, "slip");
    manifest_free(manifest);
    support_remove(folder);
}

Test(manifest, refuses_an_unknown_key_with_its_line) {
    expect_refused("    claim: does one thing\n", "    clam: does one thing\n", 11, "clam");
    expect_refused("entry: a\n", "entry: a\nentyr: b\n", 6, "entyr");
}

Test(manifest, refuses_a_missing_key) {
    expect_refused("entry: a\n", "", 19, "entry"); /* of the last key that is there */
}

Test(manifest, refuses_text_where_a_number_belongs) {
    expect_refused("points: 5", "points: many", 10, "many");
}

Test(manifest, refuses_a_test_without_tier) {
    expect_refused("example.one", "first.one", 9, "tier");
    expect_refused("example.one", "example.", 9, "tier");
}

Test(manifest, refuses_a_todo_that_no_file_has) {
    expect_refused("    points: 5\n", "    points: 5\n    todo: 100\n", 9, "TODO above 99");
}

Test(manifest, refuses_a_test_listed_twice) {
    expect_refused("edge.two", "example.one", 9, "twice");
}

Test(manifest, refuses_a_finding_that_the_simulator_does_not_have) {
    expect_refused("shared_race", "shared_rice", 16, "shared_rice");
}

Test(manifest, has_words_for_an_edit_by_todo) {
    char *folder = support_folder();
    struct diag diag = {0};
    support_write(folder, "lab.yaml", good);
    struct manifest *manifest = manifest_load(folder, &diag);
    cr_assert(manifest, "%s", diag.message);
    cr_expect_eq(manifest_edit_find(manifest, "equality", 2), &manifest->edits[0]);
    cr_expect_eq(manifest_edit_find(manifest, "equality", 1), &manifest->edits[1]);
    cr_expect_eq(manifest_edit_find(manifest, "equality", 0), &manifest->edits[1]);
    cr_expect_null(manifest_edit_find(manifest, "constant", 2));
    manifest_free(manifest);
    support_remove(folder);
}

Test(manifest, refuses_an_edit_that_there_is_not) {
    expect_refused("edit: equality\n", "edit: equalty\n", 20,
                   "no edit 'equalty'; did you mean 'equality'?");
    expect_refused("edit: equality\n", "edit: none\n", 20, "there is no edit 'none'; common");
    expect_refused("    todo: 2\n", "", 20, "listed twice");
}

Test(manifest, refuses_a_placeholder_that_an_edit_does_not_have) {
    expect_refused("Line {line} counts", "Line {lines} counts", 20, "no placeholder '{lines}");
    expect_refused("Line {line} counts", "In {kernel} counts", 20, "no placeholder '{kernel}");
}

Test(manifest, refuses_a_speech_for_an_edit) {
    char speech[1500];
    memset(speech, 'x', sizeof speech - 1);
    speech[sizeof speech - 1] = '\0';
    expect_refused("Line {line} counts one too many.", speech, 20, "more than 1000 bytes");
}

Test(manifest, refuses_a_path_as_source) {
    expect_refused("source: a.cu", "source: ../a.cu", 3, "plain name");
}

Test(manifest, refuses_what_is_no_yaml) {
    expect_refused("title: T", "title: [", 1, "SEQUENCE");
}

Test(manifest, says_where_there_is_none) {
    char *folder = support_folder();
    struct diag diag = {0};
    cr_expect_null(manifest_load(folder, &diag));
    cr_expect(strstr(diag.message, "no such file"), "%s", diag.message);
    support_write(folder, "lab.yaml", "");
    cr_expect_null(manifest_load(folder, &diag));
    cr_expect(strstr(diag.message, "empty"), "%s", diag.message);
    support_remove(folder);
}

static struct mistakes *load_mistakes(const char *backend, struct diag *diag) {
    char *folder = support_folder();
    char *text = support_text("mistakes:\n  - file: a.cu\n    verdict: finding\n"
                              "    test: safety.a\n    diagnosis: slip\n%s",
                              backend);
    support_write(folder, "mistakes.yaml", text);
    struct mistakes *mistakes = mistakes_load(folder, diag);
    support_remove(folder);
    return mistakes;
}

Test(mistakes, show_on_the_backends_that_they_name) {
    static const struct {
        const char *line;
        bool on_sim, on_gpu;
    } cases[] = {{"", true, true},
                 {"    backend: any\n", true, true},
                 {"    backend: sim\n", true, false},
                 {"    backend: gpu\n", false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diag diag = {0};
        struct mistakes *mistakes = load_mistakes(cases[i].line, &diag);
        cr_assert(mistakes, "%s", diag.message);
        cr_expect_eq(mistake_shows_on(&mistakes->mistakes[0], "sim"), cases[i].on_sim);
        cr_expect_eq(mistake_shows_on(&mistakes->mistakes[0], "gpu"), cases[i].on_gpu);
        mistakes_free(mistakes);
    }
}

Test(mistakes, refuse_an_unknown_backend_with_its_line) {
    struct diag diag = {0};
    cr_expect_null(load_mistakes("    backend: tpu\n", &diag));
    cr_expect_eq(diag.line, 6u);
}
