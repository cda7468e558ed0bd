/* Who handed in what, of folders in each layout and of folders that mean no good. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/class/intake/roster.h"
#include "grader/report/scoring/handed_in.h"
#include "grader/tests/support.h"

static char *folder, *class;
static struct workbook book;
static struct targets own_labs;
static struct roster roster;
static struct intake intake;

static void set_up(void) {
    struct diag diag;
    folder = support_folder();
    support_prepare(folder);
    class = text_format("%s/class", folder);
    cr_assert(file_make_folders(class));
    cr_assert_eq(workbook_init(&book, &diag), GRADER_OK, "%s", diag.message);
    cr_assert_eq(targets_own(&book, NULL, &own_labs, &diag), GRADER_OK);
    cr_assert_eq(own_labs.n, 2, "alpha.cu and beta.cu");
    intake.labs = &own_labs;
    intake.interrupt_fd = -1;
}

static void tear_down(void) {
    roster_finish(&roster);
    targets_finish(&own_labs);
    workbook_finish(&book);
    free(class);
    support_remove(folder);
}

TestSuite(roster, .init = set_up, .fini = tear_down);

static void hand_in(const char *name) {
    support_write(folder, support_text("class/%s", name), "int x;\n");
}

static void read_class(size_t n) {
    struct diag diag = {0};
    cr_assert_eq(roster_read(class, &intake, &roster, &diag), GRADER_OK, "%s", diag.message);
    cr_expect_eq(roster.n, n, "%zu students, not %zu", roster.n, n);
}

static const struct roster_student *student(const char *id) {
    for (size_t i = 0; i < roster.n; i++) {
        if (strcmp(roster.students[i].id, id) == 0)
            return &roster.students[i];
    }
    cr_assert(false, "there is no student %s", id);
    return NULL;
}

/* What a student has: "ab", "a-", "-!" (of beta something unusable). */
static void expect_files(const char *id, const char *wanted) {
    const struct roster_student *who = student(id);
    for (size_t i = 0; i < 2; i++) {
        char got = who->files[i].path ? "ab"[i] : who->files[i].problem ? '!' : '-';
        cr_expect_eq(got, wanted[i], "%s, lab %zu: %c, not %c", id, i + 1, got, wanted[i]);
    }
}

static void expect_note(const struct notes *notes, const char *word) {
    for (size_t i = 0; i < notes->n; i++) {
        if (strstr(notes->items[i], word))
            return;
    }
    cr_expect(false, "no note says «%s»", word);
}

Test(roster, reads_folders_laid_out_like_labs_or_not_at_all) {
    hand_in("ann/01-alpha/alpha.cu");
    hand_in("ann/02-beta/beta.cu");
    hand_in("ben/beta.cu");
    hand_in("cy/homework/final/alpha.cu");
    hand_in("dee/readme.txt");
    read_class(4);
    expect_files("ann", "ab");
    expect_files("ben", "-b");
    expect_files("cy", "a-");
    expect_files("dee", "--");
    expect_note(&student("dee")->notes, "no file of any lab");
}

Test(roster, reads_flat_names_of_canvas) {
    hand_in("doejane_12_900_alpha.cu");
    hand_in("doejane_12_901_beta-1.cu");
    hand_in("doejane_12_902_beta-3.cu");
    hand_in("roejon_LATE_13_903_beta.cu");
    hand_in("stray.cu");
    read_class(2);
    expect_files("12", "ab");
    expect_files("13", "-b");
    cr_expect(strstr(student("12")->files[1].path, "beta-3.cu"), "the last attempt counts");
    expect_note(&student("12")->notes, "beta-1.cu is not");
    cr_expect(student("13")->files[1].is_late);
    expect_note(&roster.notes, "stray.cu is nobody's");
}

/* What was unpacked of a zip that somebody handed in late. */
Test(roster, reads_what_canvas_says_of_an_archive) {
    hand_in("doejane_LATE_12_900_all/my work/alpha.cu");
    hand_in("roejon_13_901_all/alpha.cu");
    read_class(2);
    cr_expect(student("12")->files[0].is_late);
    cr_expect_not(student("13")->files[0].is_late);
}

/* Canvas and Moodle stamp files when they are packed. */
Test(roster, believes_exports_no_time_but_what_they_say_in_words) {
    hand_in("doejane_12_900_alpha.cu");
    hand_in("roejon_LATE_13_903_beta.cu");
    hand_in("Kim Lee_7_assignsubmission_file_/alpha.cu");
    hand_in("Lee Kim_8_assignsubmission_file_beta.cu");
    hand_in("submission_5/beta.cu");
    hand_in("ann/alpha.cu");
    read_class(6);
    roster_mark_late(&roster, handed_in_time("2020-01-01"));
    cr_expect_not(student("12")->files[0].is_late);
    cr_expect(student("13")->files[1].is_late);
    cr_expect_not(student("7")->files[0].is_late);
    cr_expect_not(student("8")->files[1].is_late);
    cr_expect_not(student("5")->files[1].is_late);
    cr_expect(student("ann")->files[0].is_late, "the file's own time, in a plain folder");
    expect_note(&roster.notes, "of 4 files it is not known when they were handed in");
}

Test(roster, takes_the_instructors_word_before_the_names) {
    hand_in("roejon_LATE_13_903_beta.cu");
    read_class(1);
    roster_set_time(&roster, 0, 1, handed_in_time("2026-11-20"));
    roster_mark_late(&roster, handed_in_time("2026-11-21"));
    cr_expect_not(student("13")->files[1].is_late);
    roster_mark_late(&roster, handed_in_time("2026-11-19"));
    cr_expect(student("13")->files[1].is_late);
}

static enum grader_status read_dates(const char *text, struct dates *dates, struct diag *diag) {
    enum grader_status status =
        dates_read(support_write(folder, "dates.csv", text), &book, dates, diag);
    return status;
}

Test(roster, reads_a_table_of_dates) {
    struct dates dates;
    struct diag diag = {0};
    cr_assert_eq(read_dates("\xef\xbb\xbfid,when,lab\r\nann,2026-11-20 10:00 Z\r\n"
                            "\"Lee, \"\"Kim\"\"\", 2026-11-21 10:00 Z ,\n"
                            "ann,2026-11-22 10:00 Z,beta\n\nann,2026-11-19 10:00 Z\n",
                            &dates, &diag),
                 GRADER_OK, "%s", diag.message);
    cr_expect_eq(dates.n, 4);
    cr_expect_eq(dates_find(&dates, "ann", "01-alpha"), handed_in_time("2026-11-19 10:00 Z"));
    cr_expect_eq(dates_find(&dates, "ann", "02-beta"), handed_in_time("2026-11-22 10:00 Z"));
    cr_expect_eq(dates_find(&dates, "Lee, \"Kim\"", "02-beta"),
                 handed_in_time("2026-11-21 10:00 Z"));
    cr_expect_eq(dates_find(&dates, "zoe", "02-beta"), 0);
    dates_finish(&dates);
    cr_expect_eq(read_dates("ann,2026-11-20\nben,soon\n", &dates, &diag), GRADER_BAD_INPUT);
    cr_expect_eq(diag.line, 2);
    dates_finish(&dates);
    cr_expect_eq(read_dates("ann,2026-11-20,gamma\n", &dates, &diag), GRADER_BAD_INPUT);
    cr_expect(strstr(diag.message, "gamma"), "%s", diag.message);
    dates_finish(&dates);
}

Test(roster, reads_folders_of_moodle_and_gradescope_with_their_members) {
    hand_in("export/Jane Doe_7_assignsubmission_file_/alpha.cu");
    hand_in("export/submission_5/beta.cu");
    hand_in("export/submission_6/alpha.cu");
    support_write(folder, "class/export/submission_metadata.yml",
                  "---\nsubmission_5:\n  :submitters:\n  - :name: Kim\n    :sid: '42'\n"
                  "  - :name: Lee\n    :sid: ''\n    :email: lee@x.edu\n"
                  "  :created_at: 2026-11-20 12:00:00.5 Z\n");
    read_class(4);
    expect_files("7", "a-");
    cr_expect_str_eq(student("7")->name, "Jane Doe");
    expect_files("42", "-b");
    expect_files("lee@x.edu", "-b");
    expect_note(&student("6")->notes, "does not say whose");
    roster_mark_late(&roster, handed_in_time("2026-11-20 11:00 Z"));
    cr_expect(student("42")->files[1].is_late);
}

Test(roster, refuses_what_is_no_regular_file_and_keeps_the_others) {
    hand_in("ann/alpha.cu");
    hand_in("secret/alpha.cu");
    char *link = support_text("%s/bob/alpha.cu", class),
         *pipe = support_text("%s/cy/beta.cu", class);
    char *ann = support_text("%s/dora", class);
    hand_in("bob/x");
    hand_in("cy/x");
    hand_in("eve/alpha.cu/inside");
    hand_in("fay/alpha.cu/alpha.cu"); /* as an archive alpha.cu.zip is unpacked */
    cr_assert_eq(symlink("../secret/alpha.cu", link), 0);
    cr_assert_eq(mkfifo(pipe, 0600), 0);
    cr_assert_eq(symlink("ann", ann), 0);
    read_class(6);
    expect_files("ann", "a-");
    expect_files("fay", "a-");
    expect_files("bob", "!-");
    expect_files("cy", "-!");
    expect_files("eve", "!-");
    expect_note(&roster.notes, "dora is a link");
}

Test(roster, tells_two_students_of_one_id_apart) {
    hand_in("Ann Lee_7_assignsubmission_file_/alpha.cu");
    hand_in("Bob Ray_7_assignsubmission_file_/beta.cu");
    hand_in("submission_9/alpha.cu");
    hand_in("9/alpha.cu");
    read_class(4);
    expect_files("7", "a-");
    expect_files("7 (2)", "-b");
    expect_note(&student("7 (2)")->doubts, "this is the one of Bob Ray_7");
    expect_note(&student("9")->doubts, "the same id");
    expect_note(&student("9 (2)")->doubts, "another's");
}

Test(roster, takes_bob_and_BOB_for_two) {
    hand_in("bob/alpha.cu");
    hand_in("BOB/beta.cu");
    hand_in("Jane_7_assignsubmission_file_x_8_assignsubmission_file_alpha.cu");
    hand_in("Lee_8_assignsubmission_file_/beta.cu");
    read_class(4);
    expect_files("bob", "a-");
    expect_files("BOB", "-b");
    expect_files("8", "-b");
}

Test(roster, cleans_names_that_would_act_upon_a_terminal) {
    hand_in("\x1b[2Jann\n/alpha.cu");
    read_class(1);
    cr_expect_eq(strncmp(roster.students[0].id, "_[2Jann_~", 9), 0, "%s", roster.students[0].id);
    expect_files(roster.students[0].id, "a-");
}

Test(roster, takes_a_folder_that_begins_with_a_dot_for_a_students) {
    hand_in(".ann/alpha.cu");
    hand_in("ben/alpha.cu");
    hand_in(".git/objects/alpha.cu");
    hand_in(".DS_Store");
    read_class(2);
    expect_files(".ann", "a-");
    cr_expect_eq(roster.notes.n, 0);
}

Test(roster, looks_at_what_lies_less_deep_first) {
    for (int i = 0; i < 4200; i++)
        hand_in(support_text("ann/.venv/lib/%d.py", i));
    hand_in("ann/lab/alpha.cu");
    hand_in("ben/1/2/3/4/5/6/alpha.cu");
    hand_in("cy/1/2/3/4/5/6/7/alpha.cu");
    read_class(3);
    expect_files("ann", "a-");
    expect_note(&student("ann")->notes, "more than 4096 files; not all were seen");
    expect_files("ben", "a-");
    expect_files("cy", "--");
    expect_note(&student("cy")->notes, "cy/1/2/3/4/5/6/7 lies more than 6 folders deep");
}

/* Root reads everything: this is done as somebody else. */
Test(roster, tells_a_folder_that_cannot_be_read) {
    struct diag diag = {0};
    char *below = support_text("%s/ann/deep", class);
    hand_in("ann/deep/alpha.cu");
    hand_in("ann/beta.cu");
    hand_in("ben/alpha.cu");
    cr_assert_eq(chmod(folder, 0755), 0);
    cr_assert_eq(chmod(below, 0), 0);
    cr_assert(geteuid() != 0 || seteuid(65534) == 0);
    read_class(2);
    expect_files("ann", "-b");
    expect_note(&student("ann")->notes, "the folder ann/deep cannot be read: Permission denied");
    cr_expect(student("ann")->notes.has_losses && !student("ben")->notes.has_losses);
    roster_finish(&roster);
    cr_assert(getuid() != 0 || seteuid(0) == 0);
    cr_assert_eq(chmod(class, 0), 0);
    cr_assert(geteuid() != 0 || seteuid(65534) == 0);
    cr_expect_eq(roster_read(class, &intake, &roster, &diag), GRADER_FAILED, "%s", diag.message);
    cr_expect(strstr(diag.message, "cannot be read"), "%s", diag.message);
    cr_assert(getuid() != 0 || seteuid(0) == 0);
    chmod(class, 0755);
    chmod(below, 0755);
}

Test(roster, stops_where_it_is_interrupted) {
    struct diag diag = {0};
    int fds[2];
    hand_in("ann/alpha.cu");
    cr_assert(pipe(fds) == 0 && write(fds[1], "", 1) == 1);
    intake.interrupt_fd = fds[0];
    cr_expect_eq(roster_read(class, &intake, &roster, &diag), GRADER_INTERRUPTED);
    cr_expect_eq(roster.n, 0);
}

Test(roster, has_no_student_in_an_empty_folder) {
    struct diag diag;
    cr_expect_eq(roster_read(class, &intake, &roster, &diag), GRADER_BAD_INPUT);
}
