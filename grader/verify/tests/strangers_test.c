/* Answers of strangers, by the real program in a small workbook with stand-ins for nvcc and tests.
 */
#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/tests/support.h"

#define PASS(name) "// gives " name " pass\n"
#define REST       PASS("example.adds_one") PASS("edge.handles_nothing")
#define RACE       "// gives safety.has_no_race finding no_barrier\n"

/* The stand-in's finding is at line 1 of alpha.cu; the mend changes lines 2 and 3. */
static const char racing[] = "// Wrong: no barrier after the load\n// Kind: barrier\n" RACE REST;
static const char mend[] =
    "@@ -1,4 +1,4 @@\n // Wrong: no barrier after the load\n"
    "-// Kind: barrier\n-" RACE
    "+// Kind: none\n+" PASS("safety.has_no_race") " // gives example.adds_one pass\n";

static char *folder, *environment;

static void set_up(void) {
    folder = support_folder();
    environment = text_format("WARPBOOK_ROOT='%s/copy'", folder);
    char *command = support_text("cp -r \"$WARPBOOK_TEST_DATA/workbook\" '%s/copy' && sed -i "
                                 "'s/id: races/id: no_barrier/' '%s/copy/labs/01-alpha/lab.yaml'",
                                 folder, folder);
    cr_assert_eq(system(command), 0);
}

static void tear_down(void) {
    free(environment);
    support_remove(folder);
}

TestSuite(strangers, .init = set_up, .fini = tear_down);

static void write_answer(const char *name, const char *text) {
    support_write(folder, support_text("copy/solutions/01-alpha/strangers/%s", name), text);
}

/* Runs `verify --strangers 1`, and expects an exit code and a text of it. */
static void expect(const char *options, int code, const char *word) {
    struct support_run run =
        support_run(folder, environment, support_text("verify --strangers 1 %s", options));
    cr_expect_eq(run.code, code, "exit code %d\n%s%s", run.code, run.out, run.err);
    cr_expect(strstr(run.out, word) || strstr(run.err, word), "no «%s» in\n%s%s", word, run.out,
              run.err);
    support_run_free(&run);
}

Test(strangers, are_told_rightly) {
    write_answer("a/alpha.cu", racing);
    write_answer("a/alpha.patch", mend);
    expect("--json", 0, "\"end\": \"right\"");
}

Test(strangers, that_get_a_false_cause_are_listed_until_somebody_sees_to_it) {
    write_answer("a/alpha.cu", "// Wrong: no barrier\n// Kind: precision\n" RACE REST);
    write_answer("a/alpha.patch", "@@ -3,1 +3,1 @@\n-" RACE "+" PASS("safety.has_no_race"));
    expect("", 1, "false: a/alpha.cu: no barrier");
    expect("", 1, "it is not in open.yaml");
    write_answer("open.yaml", "open:\n  - file: a/alpha.cu\n    end: false\n    why: known\n");
    expect("--json", 0, "\"end\": \"false\"");
}

Test(strangers, have_a_page) {
    write_answer("a/alpha.cu", "// Right: by a ticket\n// Kind: ticket\n" RACE REST);
    expect("--table page.md", 1, "lost");
    char *path = support_text("%s/page.md", folder), *page = support_read(path);
    cr_expect(strstr(page, "| lab | right | unplaced | vague | false |"), "%s", page);
    cr_expect(strstr(page, "| 01 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 0 |"), "%s", page);
    cr_expect(strstr(page, "- lost: `a/alpha.cu`: by a ticket"), "%s", page);
}

Test(strangers, that_are_wrong_and_get_all_points_are_accepted) {
    write_answer("a/alpha.cu",
                 "// Wrong: slow\n// Kind: technique\n" REST PASS("safety.has_no_race") "\n");
    write_answer("a/alpha.patch", "@@ -6,1 +6,1 @@\n-\n+// better\n");
    expect("", 1, "accepted: a/alpha.cu: slow");
}

Test(strangers, whose_mend_loses_points_are_disputed) {
    write_answer("a/alpha.cu", racing);
    write_answer("a/alpha.patch", "@@ -2,1 +2,1 @@\n-// Kind: barrier\n+// Kind: more\n");
    expect("", 1, "disputed: a/alpha.cu");
}

Test(strangers, that_are_right_and_lose_points_are_listed) {
    write_answer("a/alpha.cu", "// Right: by a ticket\n// Kind: ticket\n" RACE REST);
    expect("", 1, "lost: a/alpha.cu: by a ticket");
    write_answer("a/alpha.cu", "// Right: plain\n" REST PASS("safety.has_no_race"));
    expect("--json", 0, "\"end\": \"passed\"");
}

Test(strangers, that_cannot_be_judged_are_named) {
    write_answer("a/none.cu", "int x;\n");
    expect("", 1, "its first lines are not");
    write_answer("a/none.cu", racing);
    expect("", 1, "there is no such file");
    write_answer("a/none.patch", "@@ -1,1 +1,1 @@\n-int y;\n+int z;\n");
    expect("", 1, "this hunk does not fit the file");
}

static void pack(struct archive *archive, const char *name, const char *text) {
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)strlen(text));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    cr_assert_eq(archive_write_header(archive, entry), ARCHIVE_OK);
    cr_assert_eq(archive_write_data(archive, text, strlen(text)), (la_ssize_t)strlen(text));
    archive_entry_free(entry);
}

Test(strangers, that_are_sealed_are_graded_and_stay_closed) {
    write_answer("readme", "x");
    char *path = support_text("%s/copy/solutions/01-alpha/strangers/sealed.tar.xz", folder);
    struct archive *archive = archive_write_new();
    archive_write_add_filter_xz(archive);
    archive_write_set_format_ustar(archive);
    cr_assert_eq(archive_write_open_filename(archive, path), ARCHIVE_OK);
    pack(archive, "strangers/b/alpha.cu", racing);
    pack(archive, "strangers/b/alpha.patch", mend);
    pack(archive, "../../../../escaped.cu", racing);
    pack(archive, "strangers/b/notes.txt", "x");
    cr_assert_eq(archive_write_close(archive), ARCHIVE_OK);
    archive_write_free(archive);
    expect("--json", 0, "\"rows\": []");
    expect("--sealed --json", 1, "\"end\": \"right\"");
    char *look =
        support_text("test -z \"$(find '%s' -name 'escaped*' -o -name '*.patch')\"", folder);
    cr_expect_eq(system(look), 0, "something was unpacked and stayed");
}

Test(strangers, refuse_options_that_make_no_sense) {
    expect("--mutants", 2, "give one of them");
    expect("--order 2", 2, "--order and --holes mean nothing to --strangers");
    expect("--holes", 2, "--order and --holes mean nothing to --strangers");
    expect("--share 0%", 2, "--share wants a part");
}

Test(strangers, shares_of_them_are_all_of_them_together) {
    size_t n_all = 0;
    for (int i = 0; i < 10; i++)
        write_answer(support_text("a/right%d.cu", i),
                     "// Right: plain\n// Kind: none\n" REST PASS("safety.has_no_race"));
    for (int i = 1; i <= 3; i++) {
        OWNED_BY(support_run_free)
        struct support_run run = support_run(
            folder, environment, support_text("verify --strangers 1 --json --share %d/3", i));
        json_auto_t *record = json_loads(run.out, 0, NULL);
        n_all += json_array_size(
            json_object_get(json_array_get(json_object_get(record, "labs"), 0), "rows"));
    }
    cr_expect_eq(n_all, 10);
}
