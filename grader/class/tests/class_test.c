/* `grade` of a class by the real program, in a small workbook with stand-ins. */
#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/class/journal/store.h"
#include "grader/tests/support.h"

FOLDER_SUITE(class);

static const char right[] = "// gives example.adds_one pass\n// gives safety.has_no_race pass\n"
                            "// gives edge.handles_nothing pass\n// gives speed.at_2_22 skipped\n";

static void hand_in(const char *name, const char *more) {
    char *below = support_text("class/%s", name), *text = support_text("%s%s", right, more);
    support_write(folder, below, text);
}

#define LOGGED "FAKE_LOG=$PWD/log"

static void expect(const char *arguments, int code, const char *word) {
    support_expect(folder, LOGGED, support_text("grade class --backend sim --seed 1 %s", arguments),
                   code, word);
}

/* How often a test program ran so far. */
static size_t n_runs(void) {
    return support_count(folder, "log.tests", "tested ");
}

/* The record of the class. */
static json_t *class_record(void) {
    return support_record(folder, LOGGED, "grade class --backend sim --seed 1 --json");
}

static json_t *lab_of(const json_t *class, size_t student, size_t lab) {
    json_t *who = json_array_get(json_object_get(class, "students"), student);
    return json_array_get(json_object_get(who, "labs"), lab);
}

static void expect_verdict(const json_t *class, size_t student, const char *verdict) {
    const char *got = json_string_value(json_object_get(lab_of(class, student, 0), "verdict"));
    cr_expect_str_eq(got, verdict, "student %zu: %s, not %s", student, got, verdict);
}

Test(class, grades_each_file_and_says_what_is_missing) {
    hand_in("ann/alpha.cu", "");
    hand_in("ben/alpha.cu", "#error no\n");
    hand_in("cy/alpha.cu", "\xff\x01 not a text\n");
    hand_in("dee/note.txt", "");
    expect("", 0, "4 students, 2 files");
    expect("", 0, "no file of any lab was handed in");
    expect("", 0, "the file is not UTF-8");
    expect("", 0, "1 passed, 2 not, 1 missing");
    json_auto_t *class = class_record();
    expect_verdict(class, 0, "pass");
    expect_verdict(class, 1, "compile_error");
    expect_verdict(class, 2, "bad_file");
    expect_verdict(class, 3, "missing");
    cr_expect_eq(json_array_size(json_object_get(
                     json_array_get(json_object_get(class, "students"), 0), "labs")),
                 1, "nobody handed in the other lab");
}

Test(class, works_once_for_what_is_the_same_and_never_again) {
    hand_in("ann/alpha.cu", "");
    hand_in("ben/alpha.cu", "");
    hand_in("cy/alpha.cu", "// mine\n");
    expect("", 0, "1 are the same as others");
    cr_expect_eq(n_runs(), 2);
    expect("", 0, "2 are in the journal already");
    hand_in("dee/alpha.cu", "// mine\n");
    expect("", 0, "4 students");
    cr_expect_eq(n_runs(), 2);
}

/* A program of some length. */
static char *program(int seed) {
    char *text = text_format("%s", "");
    for (int i = 0; i < 12; i++)
        text_add(&text, "int part_%d(int a) {\n    return a * %d + (a %% %d);\n}\n", i,
                 seed * (i + 3) % 97, seed * (i + 7) % 89);
    return text;
}

Test(class, lists_files_that_are_one_and_nobody_who_wrote_alone) {
    OWNED char *copied = program(31), *own = program(53);
    hand_in("ann/alpha.cu", copied);
    hand_in("ben/alpha.cu", own);
    hand_in("cy/alpha.cu", copied);
    hand_in("dee/alpha.cu", "");
    hand_in("eve/alpha.cu", "");
    expect("", 0, "More alike than the class is: ann, cy (lab 01); --json");
    json_auto_t *class = class_record();
    json_t *alike = json_object_get(class, "alike");
    cr_assert_eq(json_array_size(alike), 1);
    const json_t *entry = json_array_get(alike, 0), *one = json_object_get(entry, "one");
    cr_expect_str_eq(json_string_value(json_object_get(entry, "how")), "file");
    cr_expect_eq(json_array_size(json_object_get(one, "students")), 2);
}

Test(class, lists_who_handed_in_what_an_earlier_year_did) {
    OWNED char *copied = program(31), *own = program(53);
    hand_in("ann/alpha.cu", copied);
    hand_in("ben/alpha.cu", own);
    OWNED char *theirs = text_format("%s%s", right, copied);
    support_write(folder, "earlier/zoe/alpha.cu", theirs);
    support_write(folder, "earlier/yan/alpha.cu", theirs);
    expect("--known earlier", 0, "More alike than the class is: ann and");
    expect("--known nowhere", 2, "--known wants a folder or an archive");
    json_auto_t *class =
        support_record(folder, LOGGED, "grade class --backend sim --seed 1 --json --known earlier");
    json_t *alike = json_object_get(class, "alike");
    cr_assert_eq(json_array_size(alike), 2, "once for each who handed it in, and ben never");
    for (size_t i = 0; i < 2; i++) {
        const json_t *entry = json_array_get(alike, i), *other = json_object_get(entry, "other");
        cr_expect_str_eq(json_string_value(json_object_get(entry, "how")), "file");
        cr_expect_str_eq(json_string_value(json_object_get(other, "known")), i ? "zoe" : "yan");
        cr_expect_eq(json_array_size(json_object_get(other, "students")), 0);
    }
    expect("", 0, "2 are in the journal already");
}

Test(class, grades_anew_what_is_asked_for_and_keeps_the_old) {
    hand_in("ann/alpha.cu", "");
    hand_in("ben/alpha.cu", "// mine\n");
    expect("", 0, "2 students");
    expect("--regrade ben", 0, "1 are in the journal already");
    cr_expect_eq(n_runs(), 3);
    expect("--regrade all", 0, "2 students");
    cr_expect_eq(n_runs(), 5);
    expect("--regrade alpha", 0, "2 students");
    cr_expect_eq(n_runs(), 7);
    expect("--regrade zoe", 2, "no student of this class");
    expect("", 0, "2 are in the journal already");
}

/* What was proven about the first test of a student's first lab. */
static const json_t *cause_of(const json_t *class, size_t student) {
    const json_t *test = json_array_get(json_object_get(lab_of(class, student, 0), "tests"), 0);
    const json_t *experiment = json_object_get(test, "experiment");
    return json_array_get(json_object_get(experiment, "proven"), 0);
}

/* What is proven wrong, by three students of whom two wrote the same; and what is right. */
static void hand_in_causes(void) {
#define PROVEN "// gives example.adds_one proven\n"
    hand_in("ann/alpha.cu", "");
    hand_in("ben/alpha.cu", PROVEN);
    hand_in("cy/alpha.cu", PROVEN);
    hand_in("dee/alpha.cu", PROVEN "// gives edge.handles_nothing crash\n");
#undef PROVEN
}

Test(class, looks_for_causes_once_and_after_all_verdicts) {
    hand_in_causes();
    json_t *class = class_record();
    cr_expect_null(cause_of(class, 1));
    json_decref(class);
    expect("--causes", 0, "a cause is proven in 2 of 2 files");
    cr_expect_eq(n_runs(), 3 + 2);
    class = class_record();
    cr_expect_null(cause_of(class, 0));
    for (size_t i = 1; i < 4; i++)
        cr_expect_str_eq(json_string_value(json_object_get(cause_of(class, i), "edit")),
                         "only_first");
    cr_expect_str_eq(json_string_value(json_object_get(lab_of(class, 1, 0), "verdict")), "fail");
    json_decref(class);
    expect("--causes", 0, "3 are in the journal already");
    cr_expect_eq(n_runs(), 5);
}

static void forget_times(json_t *document) {
    static const char *const times[] = {"seconds", "started", "from_cache"};
    size_t index;
    const char *key;
    json_t *item;
    for (size_t i = 0; json_is_object(document) && i < sizeof times / sizeof *times; i++)
        json_object_del(document, times[i]);
    json_array_foreach(document, index, item) forget_times(item);
    json_object_foreach(document, key, item) forget_times(item);
}

/* The class's document from a journal, without what differs from run to run. */
static char *text_without_times(const char *journal) {
    json_auto_t *class = support_record(
        folder, LOGGED,
        support_text("grade class --backend sim --seed 1 --json --journal %s", journal));
    forget_times(class);
    return json_dumps(class, JSON_INDENT(1));
}

Test(class, finds_the_same_causes_however_many_work) {
    hand_in_causes();
    expect("--causes --jobs 1 --journal one", 0, "a cause is proven in 2 of 2 files");
    support_shell(folder,
                  "sed -n 2,3p log.tests >verdicts; sed -n 4,5p log.tests | cmp - verdicts");
    expect("--causes --jobs 4 --journal four", 0, "a cause is proven in 2 of 2 files");
    OWNED char *one = text_without_times("one"), *four = text_without_times("four");
    cr_expect(strstr(one, "only_first"), "%s", one);
    cr_expect_str_eq(one, four);
}

Test(class, gives_no_score_where_the_grader_failed_and_tries_again) {
    hand_in("ann/alpha.cu", "");
    hand_in("ben/alpha.cu", "// gives edge.handles_nothing corrupt\n");
    expect("", 3, "1 file could not be graded");
    cr_expect_eq(n_runs(), 5, "tried twice, each time with the lost test once more, alone");
    json_auto_t *class = class_record();
    expect_verdict(class, 0, "pass");
    expect_verdict(class, 1, "infrastructure");
    cr_expect_eq(json_integer_value(json_object_get(class, "exit_code")), 3);
    cr_expect_eq(n_runs(), 9);
}

Test(class, names_the_students_file_in_place_of_its_copy) {
    hand_in("ann/01-alpha/alpha.cu", "// gives edge.handles_nothing wrong_answer\n// warns\n");
    json_auto_t *class = class_record();
    json_t *lab = lab_of(class, 0, 0);
    cr_expect_str_eq(json_string_value(json_object_get(lab, "source")), "ann/01-alpha/alpha.cu");
    const char *said =
        json_string_value(json_object_get(json_object_get(lab, "compile"), "messages"));
    cr_expect_eq(strncmp(said, "alpha.cu(1)", 11), 0, "%s", said);
}

/* The first launch of the test edge.handles_nothing. */
static json_t *launch_of(const json_t *lab) {
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        if (strcmp(json_string_value(json_object_get(test, "name")), "edge.handles_nothing") == 0)
            return json_array_get(json_object_get(test, "launches"), 0);
    }
    return NULL;
}

Test(class, keeps_what_launches_cost_but_not_line_by_line) {
    hand_in("ann/alpha.cu", "// gives edge.handles_nothing launches\n");
    json_auto_t *one = support_record(folder, "", "grade class/ann/alpha.cu --json"),
                *class = class_record();
    json_t *alone = launch_of(json_array_get(json_object_get(one, "labs"), 0));
    json_t *launch = launch_of(lab_of(class, 0, 0));
    cr_expect_eq(json_array_size(json_object_get(alone, "lines")), 1);
    cr_expect(json_equal(json_object_get(launch, "counters"), json_object_get(alone, "counters")));
    cr_expect_eq(json_array_size(json_object_get(launch, "lines")), 0);
}

/* In a container, where nobody else shows what was to be handed in. */
Test(class, says_of_one_submission_what_is_missing) {
    hand_in("submission_1/alpha.cu", "");
    support_write(folder, "course.yaml", "labs: [{name: 01-alpha}, {name: 02-beta}]\n");
    expect("--container --format gradescope --course course.yaml", 0, "beta.cu was not handed in");
    expect("--container --format gradescope", 0, "\"score\": 19");
    support_write(folder, "none/submission_1/note.txt", "see you");
    OWNED_BY(support_run_free)
    struct support_run run = support_run(
        folder, "",
        "grade none --backend sim --container --format gradescope --course course.yaml");
    cr_expect_eq(run.code, 0, "%s", run.err);
    cr_expect(strstr(run.out, "Note: no file of any lab was handed in, such as alpha.cu; there "
                              "were: submission_1/note.txt."),
              "%s", run.out);
    cr_expect(strstr(run.out, "alpha.cu was not handed in. There was submission_1/note.txt"), "%s",
              run.out);
    cr_expect(strstr(run.out, "\"score\": 0"), "%s", run.out);
}

Test(class, reports_what_came_late) {
    hand_in("ann/alpha.cu", "");
    expect("--deadline '2020-01-01 00:00 Z'", 0, "1 file is late");
    expect("--deadline tomorrow", 2, "--deadline wants");
}

/* Each right answer is worth 19 points without a GPU. */
Test(class, takes_off_for_what_is_late_by_name_or_by_table) {
    hand_in("doejane_12_900_alpha.cu", "");
    hand_in("roejon_LATE_13_903_alpha.cu", "");
    support_write(folder, "course.yaml",
                  "late: {percent_per_day: 10}\n"
                  "labs: [{name: 01-alpha, due: 2020-01-01}]\n");
    support_write(folder, "dates.csv", "13,2019-12-31\n12,2020-01-03\n");
    expect("--format csv --course course.yaml", 0, "12,doejane,19,19,19");
    expect("--format csv --course course.yaml", 0, "13,roejon,17.1,17.1,19");
    expect("--format csv --course course.yaml --handed-in dates.csv", 0, "12,doejane,15.2,15.2,19");
    expect("--format csv --course course.yaml --handed-in dates.csv", 0, "13,roejon,19,19,19");
    support_write(folder, "course/course.yaml",
                  "late: {percent_per_day: 10}\nhanded_in: ../dates.csv\n"
                  "labs: [{name: 01-alpha, due: 2020-01-01}]\n");
    expect("--format csv --course course/course.yaml", 0, "12,doejane,15.2,15.2,19");
    expect("--format csv --course course/course.yaml --handed-in 2020-01-01", 0,
           "12,doejane,19,19,19");
    expect("--format csv --handed-in soon", 2, "--handed-in wants a time");
}

Test(class, names_what_a_damaged_archive_lacks_and_ends_with_3) {
    for (int i = 0; i < 40; i++) {
        char *name = support_text("s%d/alpha.cu", i);
        OWNED char *more = program(i + 1);
        hand_in(name, more);
    }
    support_shell(folder, "tar cf all.tar class && head -c 20300 all.tar >half.tar");
    OWNED_BY(support_run_free)
    struct support_run run = support_run(folder, "", "grade half.tar --backend sim");
    cr_expect_eq(run.code, 3, "%d: %s%s", run.code, run.out, run.err);
    cr_expect(strstr(run.out, "half.tar: it is damaged; the rest of it was left out"), "%s",
              run.out);
    cr_expect(strstr(run.out, "by no fault of the students"), "%s", run.out);
}

Test(class, calls_nobodys_file_missing_where_the_archive_is_damaged) {
    hand_in("ann/alpha.cu", "");
    hand_in("ben/notes.txt", "");
    hand_in("cy/alpha.cu", "");
    support_shell(folder, "tar cf all.tar --sort=name class && head -c 3900 all.tar >half.tar");
    json_auto_t *class = support_record(folder, "", "grade half.tar --backend sim --json");
    cr_assert_eq(json_array_size(json_object_get(class, "students")), 2, "cy's is lost");
    expect_verdict(class, 0, "pass");
    expect_verdict(class, 1, "infrastructure");
    OWNED char *text = json_dumps(class, 0);
    cr_expect(!strstr(text, "no file of any lab"), "what is lost may be ben's: %s", text);
    cr_expect(strstr(text, "of no lab that can be told, and not graded: ben/notes.txt"), "%s",
              text);
}

Test(class, says_why_nothing_came_out_of_an_archive) {
    struct archive *writer = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_write_set_format_zip(writer);
    if (archive_write_set_options(writer, "encryption=traditional") != ARCHIVE_OK ||
        archive_write_set_passphrase(writer, "secret") != ARCHIVE_OK)
        cr_skip("this libarchive cannot encrypt");
    OWNED char *path = text_format("%s/spring.zip", folder);
    cr_assert_eq(archive_write_open_filename(writer, path), ARCHIVE_OK);
    archive_entry_set_pathname(entry, "doejane_12_900_alpha.cu");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, 7);
    cr_assert_eq(archive_write_header(writer, entry), ARCHIVE_OK);
    archive_write_data(writer, "int x;\n", 7);
    archive_entry_free(entry);
    archive_write_close(writer);
    archive_write_free(writer);
    support_expect(folder, "", "grade spring.zip --backend sim", 3,
                   "doejane_12_900_alpha.cu is encrypted, and was left out");
}

Test(class, refuses_a_class_of_nobody) {
    char *empty = support_text("%s/empty", folder);
    cr_assert(file_make_folders(empty));
    support_write(folder, "strays/note.txt", "x");
    support_write(folder, "idle/ann/note.txt", "x");
    support_write(folder, "idle/ben/note.txt", "x");
    support_expect(folder, "", "grade empty --backend sim", 2, "no student");
    support_expect(folder, "", "grade strays --backend sim", 2, "no student");
    support_expect(folder, "", "grade idle --backend sim", 2,
                   "nobody handed in a file of any lab, such as alpha.cu");
    support_expect(folder, "", "grade idle --backend sim --format csv", 2, "nobody handed in");
}

Test(class, takes_a_checkout_for_one_students) {
    support_write(folder, "clone/labs/01-alpha/alpha.cu", right);
    support_write(folder, "clone/common/note.c", "x");
    support_expect(folder, "", "grade clone --backend sim --format csv", 0, "clone,clone,19");
    char *journal = support_text("%s/clone.journal", folder);
    cr_expect_not(file_exists(journal));
}

Test(class, names_its_journal_by_the_folder_though_called_a_dot) {
    hand_in("ann/alpha.cu", "");
    char *journal = support_text("%s/class.journal", folder);
    support_expect(folder, "", "grade class/. --backend sim", 0, "1 student");
    cr_expect(file_exists(journal));
}

Test(class, gives_no_score_where_a_folder_cannot_be_read) {
    hand_in("ann/deep/alpha.cu", "");
    hand_in("ben/alpha.cu", "");
    char *below = support_text("%s/class/ann/deep", folder);
    cr_assert_eq(chmod(folder, 0777), 0);
    cr_assert_eq(chmod(below, 0), 0);
    /* Root reads everything: this is done as nobody, who may not come to where all this was built.
     */
    cr_assert(getuid() != 0 || setresuid(65534, 65534, 0) == 0);
    if (access(getenv("WARPBOOK_TEST_GRADER"), X_OK) != 0) {
        cr_assert_eq(seteuid(0), 0);
        cr_skip("nobody may not run the grader here");
    }
    struct support_run run =
        support_run(folder, LOGGED, "grade class --backend sim --seed 1 --json");
    json_auto_t *class = json_loads(run.out, 0, NULL);
    cr_expect_eq(run.code, 3, "%s%s", run.out, run.err);
    expect_verdict(class, 0, "infrastructure");
    expect_verdict(class, 1, "pass");
    cr_expect(strstr(run.out, "the folder ann/deep cannot be read"), "%s", run.out);
    (void)!seteuid(0); /* for who comes after */
    chmod(below, 0755);
    support_run_free(&run);
}

Test(class, keeps_within_sixty_columns) {
    hand_in("a-student-with-a-very-long-name-indeed-and-more/alpha.cu", "");
    struct support_run run =
        support_run(folder, "COLUMNS=60", "grade class --backend sim --seed 1");
    for (const char *line = run.out; *line; line += strcspn(line, "\n") + 1) {
        char *text = support_text("%.*s", (int)strcspn(line, "\n"), line);
        cr_expect_leq(text_columns(text), 60, "%s", text);
    }
    support_run_free(&run);
}

Test(class, takes_names_of_temporary_files_out_of_messages) {
    OWNED char *text =
        store_tidy("/usr/bin/ld: /b/tmp/26.S0/nvcc.1y/tmpxft_00000f47_00000000-10_x.o: in "
                   "`f':\n/b/tmp/tmpxft_1_0-6_x.cudafe1.cpp(3): no");
    cr_expect_str_eq(text, "/usr/bin/ld: x.o: in `f':\nx.cudafe1.cpp(3): no");
}

Test(class, refuses_what_makes_no_sense) {
    hand_in("ann/alpha.cu", "");
    expect("--test edge", 2, "not for a class");
    expect("--causes --slurm", 2, "--causes means nothing with --slurm");
    expect("--journal nowhere/at/all", 3, "no journal can be made here");
    support_expect(folder, "", "grade log.zip", 2, "");
}

Test(class, never_scores_a_compiler_that_was_killed) {
    static const char *const ends[] = {
        "kill -9 $$", "exit 137", /* as nvcc ends where cicc was killed */
        "echo 'g++: fatal error: Killed signal terminated program cc1plus';"
        " echo oom_kill $$ >$WARPBOOK_VMSTAT; exit 1",
        "exit 1", /* without a word */
    };
    static const char *const forged[] = {
        "echo \"nvcc error   : 'cicc' died due to signal 9 (Kill signal):1:2: error\"; exit 1",
        "echo 'g++: fatal error: Killed signal terminated program cc1plus'; exit 1",
    };
    enum { N_ENDS = sizeof ends / sizeof *ends, N_FORGED = sizeof forged / sizeof *forged };
    char *vmstat = support_text("%s/vmstat", folder);
    setenv("WARPBOOK_VMSTAT", vmstat, 1);
    for (size_t i = 0; i < N_ENDS + N_FORGED; i++) {
        char *name = support_text("s%zu/01-alpha/alpha.cu", i);
        char *text = support_text("// is killed %s\n", i < N_ENDS ? ends[i] : forged[i - N_ENDS]);
        hand_in(name, text);
    }
    expect("--jobs 1", 3, "nvcc was killed");
    json_auto_t *class = class_record();
    for (size_t i = 0; i < N_ENDS + N_FORGED; i++)
        expect_verdict(class, i, i < N_ENDS ? "infrastructure" : "compile_error");
}

Test(class, tries_a_time_out_again_where_the_machine_is_busy) {
    static const char slow[] = "// gives edge.handles_nothing timeout\n";
    hand_in("ann/01-alpha/alpha.cu", slow);
    json_decref(support_record(folder, LOGGED " WARPBOOK_BUSY_LOAD=1e9",
                               "grade class --backend sim --json"));
    cr_expect_eq(n_runs(), 1);
    json_decref(support_record(folder, LOGGED " WARPBOOK_BUSY_LOAD=0",
                               "grade class --backend sim --regrade all --json"));
    cr_expect_eq(n_runs(), 1 + 2);
}

Test(class, tries_what_spent_its_budget_no_other_time) {
    hand_in("ann/01-alpha/alpha.cu", "// gives edge.handles_nothing endless\n");
    support_expect(folder, LOGGED " WARPBOOK_BUSY_LOAD=0", "grade class --backend sim --json", 0,
                   "\"timeout\"");
    cr_expect_eq(n_runs(), 1);
}

Test(class, counts_what_ends_with_more_time) {
    hand_in("ann/01-alpha/alpha.cu", "// passes with time\n");
    json_auto_t *class =
        support_record(folder, LOGGED " WARPBOOK_BUSY_LOAD=0", "grade class --backend sim --json");
    expect_verdict(class, 0, "pass");
}
