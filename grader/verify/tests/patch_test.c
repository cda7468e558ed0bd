/* Unified diffs: what they make of a file, and which lines they change. */
#include <criterion/criterion.h>

#include "grader/verify/strangers/patch.h"

static const char text[] = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";

/* Applies a diff; `wanted` is NULL where it must not fit. */
static void expect(const char *diff, const char *wanted, unsigned n_lines, const unsigned *lines) {
    OWNED_BY(patch_finish) struct patch patch;
    struct diag diag = {0};
    bool ok = patch_apply(&patch, text, diff, "mend.patch", &diag);
    cr_assert_eq(ok, wanted != NULL, "%s:%u: %s", diag.file, diag.line, diag.message);
    if (ok) {
        cr_expect_str_eq(patch.text, wanted);
        cr_assert_eq(patch.n_lines, n_lines);
        for (unsigned i = 0; i < n_lines; i++)
            cr_expect_eq(patch.lines[i], lines[i], "line %u, not %u", patch.lines[i], lines[i]);
    } else {
        cr_expect_str_eq(diag.file, "mend.patch");
    }
}

Test(patch, changes_a_line) {
    expect("--- a/x.cu\n+++ b/x.cu\n@@ -2,3 +2,3 @@\n two\n-three\n+3\n four\n",
           "one\ntwo\n3\nfour\nfive\nsix\nseven\neight\n", 1, (unsigned[]){3});
}

Test(patch, takes_lines_away_and_adds_some_in_several_hunks) {
    expect("--- x\n+++ x\n@@ -1,3 +1,2 @@\n one\n-two\n three\n@@ -6,2 +5,4 @@ int f(void)\n six\n"
           "+six and a half\n+and more\n seven\n",
           "one\nthree\nfour\nfive\nsix\nsix and a half\nand more\nseven\neight\n", 3,
           (unsigned[]){2, 6, 7});
}

Test(patch, knows_where_something_only_came) {
    OWNED_BY(patch_finish) struct patch patch;
    struct diag diag = {0};
    cr_assert(patch_apply(
        &patch, text, "@@ -1,4 +1,4 @@\n one\n+more\n two\n+3\n-three\n four\n+end\n", "", &diag));
    cr_assert_eq(patch.n_gaps, 2);
    cr_expect(patch.gaps[0] == 1 && patch.gaps[1] == 4);
}

Test(patch, finds_its_place_some_lines_away) {
    expect("@@ -2,2 +2,2 @@\n six\n-seven\n+7\n", "one\ntwo\nthree\nfour\nfive\nsix\n7\neight\n", 1,
           (unsigned[]){7});
}

Test(patch, adds_at_the_start_and_at_the_end) {
    expect("@@ -1,1 +1,2 @@\n+zero\n one\n@@ -8,1 +9,2 @@\n eight\n+nine\n",
           "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n", 4,
           (unsigned[]){0, 1, 8, 9});
}

Test(patch, does_not_fit_another_file) {
    expect("@@ -2,2 +2,2 @@\n two\n-drei\n+3\n", NULL, 0, NULL);
    expect("@@ -1,2 +1,1 @@\n one\n-two\n@@ -2,1 +1,1 @@\n-two\n+2\n", NULL, 0, NULL);
    expect("two lines\nof prose\n", NULL, 0, NULL);
    expect("", NULL, 0, NULL);
}
