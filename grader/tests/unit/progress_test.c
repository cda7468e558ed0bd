/* The student's way through the labs: what is remembered, what comes next, and back to the start.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "grader/tests/support.h"

FOLDER_SUITE(progress);

static const char in_copy[] = "WARPBOOK_ROOT=$PWD/copy FAKE_LOG=$PWD/log";

/* The small workbook as a copy that may be worked in. */
static void copy_workbook(void) {
    support_shell(folder, "cp -r \"$WARPBOOK_TEST_DATA/workbook\" copy");
}

/* Runs in the copy, and expects an exit code and a text. */
static void expect(const char *arguments, int code, const char *word) {
    support_expect(folder, in_copy, arguments, code, word);
}

/* How often tests were run so far. */
static size_t runs_of_tests(void) {
    return support_count(folder, "log.tests", "\n");
}

#define PASSES                                                                                     \
    "// gives example.adds_one pass\n// gives edge.handles_nothing pass\n"                         \
    "// gives safety.has_no_race pass\n"

Test(progress, remembers_what_passed_and_runs_it_again_only_when_something_changed) {
    copy_workbook();
    expect("list", 0, "○ 01");
    expect("check 01", 1, "not written yet");
    expect("list --json", 0, "\"state\": \"open\"");
    support_write(folder, "copy/labs/01-alpha/alpha.cu", PASSES);
    expect("check 01", 0, "./warpbook next");
    size_t n = runs_of_tests();
    expect("check 01", 0, "Nothing has changed since this passed");
    cr_expect_eq(runs_of_tests(), n);
    expect("check 01 --again", 0, "19 of 19 points · passed");
    expect("check 01 --seed 5", 0, "19 of 19 points · passed");
    cr_expect_eq(runs_of_tests(), n + 2);
    expect("list", 0, "✓ 01");
    expect("next", 0, "Lab 02 · Beta");
    support_write(folder, "copy/labs/01-alpha/alpha.cu", PASSES "// more\n");
    expect("list", 0, "changed since it passed");
    expect("next", 0, "Lab 01 · Alpha");
    expect("check 01", 0, "19 of 19 points · passed");
    cr_expect_eq(runs_of_tests(), n + 3);
}

Test(progress, says_so_when_the_last_lab_is_solved) {
    copy_workbook();
    support_write(folder, "copy/labs/01-alpha/alpha.cu", PASSES);
    support_write(folder, "copy/labs/02-beta/beta.cu", PASSES);
    expect("check 01", 0, "./warpbook next");
    expect("check 02", 0, "All 2 labs are solved.");
    expect("next", 0, "All 2 labs are solved.");
    expect("next --json", 0, "null");
}

Test(progress, opens_an_editor_when_asked_to) {
    copy_workbook();
    char *with_editor = support_text("%s VISUAL= EDITOR='echo opened -x'", in_copy);
    char *without = support_text("%s VISUAL= EDITOR=", in_copy);
    support_expect(folder, with_editor, "next --edit", 0, "opened -x copy/labs/01-alpha/alpha.cu");
    support_expect(folder, with_editor, "next", 0, "write");
    support_expect(folder, without, "next --edit", 2, "EDITOR");
}

Test(progress, resets_a_lab_and_keeps_the_work) {
    copy_workbook();
    char *path = support_text("%s/copy/labs/01-alpha/alpha.cu", folder);
    expect("list", 0, "Alpha");
    char *before = support_read(path);
    expect("reset 01", 0, "is the skeleton already");
    support_write(folder, "copy/labs/01-alpha/alpha.cu", PASSES);
    expect("check 01", 0, "passed");
    /* A clone whose owner has committed the work: git has no skeleton any more. */
    support_shell(folder, "cd copy && git init -q && git add . && "
                          "git -c user.name=a -c user.email=b commit -qm work");
    expect("reset 01", 0, "Your work is kept in copy/kept/01-alpha/");
    char *after = support_read(path);
    cr_expect_str_eq(after, before);
    expect("list", 0, "○ 01");
    support_shell(folder, "grep -q 'adds_one pass' copy/kept/01-alpha/*-alpha.cu");
    expect("reset", 2, "reset wants a LAB");
}
