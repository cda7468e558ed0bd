/* The student's way through the labs: what is remembered, what comes next, and back to the start.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/tests/support.h"

static char *folder;

static void set_up(void) {
    folder = support_folder();
}

static void tear_down(void) {
    support_remove(folder);
}

TestSuite(progress, .init = set_up, .fini = tear_down);

/* The small workbook as a copy that may be worked in; returns the environment for support_run. */
static char *copy_workbook(void) {
    char *command = text_format("cp -r \"$WARPBOOK_TEST_DATA/workbook\" '%s/copy'", folder);
    cr_assert_eq(system(command), 0);
    free(command);
    return text_format("WARPBOOK_ROOT='%s/copy' FAKE_LOG='%s/log'", folder, folder);
}

/* Runs in the copy, and expects an exit code and a text. */
static void expect_in(const char *environment, const char *arguments, int code, const char *word) {
    struct support_run run = support_run(folder, environment, arguments);
    cr_expect_eq(run.code, code, "%s: exit code %d\n%s%s", arguments, run.code, run.out, run.err);
    cr_expect(strstr(run.out, word) || strstr(run.err, word), "%s: no «%s» in\n%s%s", arguments,
              word, run.out, run.err);
    support_run_free(&run);
}

/* How often tests were run so far. */
static size_t runs_of_tests(void) {
    char *path = text_format("%s/log.tests", folder), *text = support_read(path);
    size_t n = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        n++;
    free(text);
    free(path);
    return n;
}

#define PASSES                                                                                     \
    "// gives example.adds_one pass\n// gives edge.handles_nothing pass\n"                         \
    "// gives safety.has_no_race pass\n"

Test(progress, remembers_what_passed_and_runs_it_again_only_when_something_changed) {
    char *environment = copy_workbook();
    expect_in(environment, "list", 0, "○ 01");
    expect_in(environment, "check 01", 1, "not written yet");
    expect_in(environment, "list --json", 0, "\"state\": \"open\"");
    free(support_write(folder, "copy/labs/01-alpha/alpha.cu", PASSES));
    expect_in(environment, "check 01", 0, "./warpbook next");
    size_t n = runs_of_tests();
    expect_in(environment, "check 01", 0, "Nothing has changed since this passed");
    cr_expect_eq(runs_of_tests(), n);
    expect_in(environment, "check 01 --again", 0, "19 of 19 points · passed");
    expect_in(environment, "check 01 --seed 5", 0, "19 of 19 points · passed");
    cr_expect_eq(runs_of_tests(), n + 2);
    expect_in(environment, "list", 0, "✓ 01");
    expect_in(environment, "next", 0, "Lab 02 · Beta");
    free(support_write(folder, "copy/labs/01-alpha/alpha.cu", PASSES "// more\n"));
    expect_in(environment, "list", 0, "changed since it passed");
    expect_in(environment, "next", 0, "Lab 01 · Alpha");
    expect_in(environment, "check 01", 0, "19 of 19 points · passed");
    cr_expect_eq(runs_of_tests(), n + 3);
    free(environment);
}

Test(progress, says_so_when_the_last_lab_is_solved) {
    char *environment = copy_workbook();
    free(support_write(folder, "copy/labs/01-alpha/alpha.cu", PASSES));
    free(support_write(folder, "copy/labs/02-beta/beta.cu", PASSES));
    expect_in(environment, "check 01", 0, "./warpbook next");
    expect_in(environment, "check 02", 0, "All 2 labs are solved.");
    expect_in(environment, "next", 0, "All 2 labs are solved.");
    expect_in(environment, "next --json", 0, "null");
    free(environment);
}

Test(progress, opens_an_editor_when_asked_to) {
    char *environment = copy_workbook();
    char *with_editor = text_format("%s VISUAL= EDITOR='echo opened -x'", environment);
    char *without = text_format("%s VISUAL= EDITOR=", environment);
    expect_in(with_editor, "next --edit", 0, "opened -x copy/labs/01-alpha/alpha.cu");
    expect_in(with_editor, "next", 0, "write");
    expect_in(without, "next --edit", 2, "EDITOR");
    free(without);
    free(with_editor);
    free(environment);
}

Test(progress, resets_a_lab_and_keeps_the_work) {
    char *environment = copy_workbook(),
         *path = text_format("%s/copy/labs/01-alpha/alpha.cu", folder);
    expect_in(environment, "list", 0, "Alpha");
    char *before = support_read(path);
    expect_in(environment, "reset 01", 0, "is the skeleton already");
    free(support_write(folder, "copy/labs/01-alpha/alpha.cu", PASSES));
    expect_in(environment, "check 01", 0, "passed");
    /* A clone whose owner has committed the work: git has no skeleton any more. */
    char *commit = text_format("cd '%s/copy' && git init -q && git add . && git -c user.name=a "
                               "-c user.email=b commit -qm work",
                               folder);
    cr_assert_eq(system(commit), 0);
    free(commit);
    expect_in(environment, "reset 01", 0, "Your work is kept in copy/kept/01-alpha/");
    char *after = support_read(path);
    cr_expect_str_eq(after, before);
    expect_in(environment, "list", 0, "○ 01");
    char *find = text_format("grep -q 'adds_one pass' '%s'/copy/kept/01-alpha/*-alpha.cu", folder);
    cr_expect_eq(system(find), 0);
    expect_in(environment, "reset", 2, "reset wants a LAB");
    free(find);
    free(after);
    free(before);
    free(path);
    free(environment);
}
