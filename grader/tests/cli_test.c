/* The real program, in a small workbook with stand-ins for nvcc and for the labs' tests. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/tests/support.h"

FOLDER_SUITE(cli);

static void expect(const char *arguments, int code, const char *word) {
    support_expect(folder, "", arguments, code, word);
}

/* Grades a file of this text as lab 01. */
static void expect_of(const char *text, int code, const char *word) {
    support_write(folder, "alpha.cu", text);
    expect("grade alpha.cu --backend sim", code, word);
}

Test(cli, lists_labs) {
    expect("list", 0, "The second of two small labs.");
    expect("list --json", 0, "\"points\": 20");
}

Test(cli, suggests_the_nearest_command_option_lab_and_test) {
    expect("gradde 01", 2, "did you mean 'grade'?");
    expect("check --bakend sim", 2, "did you mean '--backend'?");
    expect("check alhpa", 2, "did you mean '01-alpha'?");
    expect("check 01 --test edge.handles_noting", 2, "did you mean 'edge.handles_nothing'?");
    expect("check --backend sum", 2, "did you mean 'sim'?");
    expect("check 7", 2, "there is no lab '7'");
    expect("xyzzy", 2, "there is no command 'xyzzy'");
}

Test(cli, lists_the_labs_that_a_word_may_mean) {
    expect("check a", 2, "'a' is in the names of several labs: 01-alpha, 02-beta");
    free(support_write(folder, "alpha.cu", "// elsewhere\n"));
    expect("check alpha.cu", 2, "'./warpbook grade alpha.cu' grades it");
}

Test(cli, refuses_what_makes_no_sense) {
    expect("", 2, "Usage");
    expect("hint", 2, "hint wants a LAB");
    expect("check 01 02", 2, "does not know what to do with '02'");
    expect("check 01 --tier 2", 2, "--tier means nothing to check");
    expect("check 01 --case n=5", 2, "--case wants the numbers n,block here, such as n=513");
    expect("check 01 --case n=5,block=2,seed=xyz", 2, "--case wants");
    expect("check 01 --jobs 0", 2, "--jobs wants");
    expect("check 01 --seed 12345678901234567", 2, "--seed wants");
    expect("check --test edge", 2, "need one lab");
    expect("check 01 --backend gpu --json", 3, "--backend=gpu");
}

Test(cli, knows_a_lab_by_each_of_its_names) {
    static const char *const names[] = {"1",
                                        "01",
                                        "alpha",
                                        "01-alpha",
                                        "labs/01-alpha/",
                                        "$WARPBOOK_TEST_DATA/workbook/labs/01-alpha/alpha.cu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect(support_text("check %s", names[i]), 1, "Lab 01 · Alpha");
}

Test(cli, says_not_written_yet_of_a_skeleton) {
    expect("check 01", 1, "0 of 19 points · not written yet\n");
}

Test(cli, gives_all_points_to_a_model_answer) {
    expect("grade $WARPBOOK_TEST_DATA/workbook/solutions/01-alpha", 0, "19 of 19 points · passed");
    expect("grade $WARPBOOK_TEST_DATA/workbook/solutions", 0, "38 of 38 points");
}

Test(cli, tells_what_failed_and_how_to_see_it_again) {
    char *path = support_text("grade $WARPBOOK_TEST_DATA/workbook/solutions/01-alpha/mistakes/"
                              "adds_two.cu --seed 1f --backend sim");
    expect(path, 1, "How much is one?");
    expect(path, 1, "n=513,block=256,seed=000000000000001f");
    expect_of("// gives example.adds_one pass\n// gives safety.has_no_race finding\n"
              "// gives edge.handles_nothing pass\n// gives speed.at_2_22 skipped\n",
              1, "Where could they wait?");
}

Test(cli, has_an_exit_code_and_a_message_for_each_bad_file) {
    expect("grade nothing.cu", 2, "there is no such file");
    expect_of("", 2, "the file is empty");
    expect_of(" \n\t\n", 2, "the file is empty");
    expect_of("int x;\n#error no\n", 1, "alpha.cu(2): error");
    support_write(folder, "tree/01-alpha/alpha.cu/inside", "");
    expect("grade tree", 2, "this is a folder");
    support_write(folder, "other/02-beta/gamma.cu", "int x;");
    expect("grade other", 2, "there is no such file");
    expect("grade other/02-beta/delta.cu", 2, "there is no such file");
    support_write(folder, "empty/x", "");
    expect("grade empty", 2, "nothing named like a lab");
    support_write(folder, "unknown.cu", "int x;");
    expect("grade unknown.cu", 2, "no lab has a file of this name");
}

Test(cli, refuses_binary_junk_pipes_and_circles_without_waiting) {
    support_shell(folder, "mkdir -p j/01-alpha p/01-alpha l/01-alpha && "
                          "head -c 5000 /dev/urandom >j/01-alpha/alpha.cu && "
                          "printf '\\0' >>j/01-alpha/alpha.cu && mkfifo p/01-alpha/alpha.cu && "
                          "ln -s alpha.cu l/01-alpha/alpha.cu");
    expect("grade j", 2, "binary data");
    expect("grade p", 2, "a pipe or a device");
    expect("grade l", 2, "lead in a circle");
}

Test(cli, grades_the_other_labs_when_one_is_bad) {
    support_write(folder, "tree/01-alpha/alpha.cu", "#error no\n");
    support_write(folder, "tree/02-beta/beta.cu",
                  "// gives example.adds_one pass\n// gives edge.handles_nothing pass\n"
                  "// gives safety.has_no_race pass\n// gives speed.at_2_22 pass\n");
    expect("grade tree", 1, "19 of 19 points · passed");
    expect("grade tree", 1, "does not compile");
    expect("grade tree", 1, "19 of 39 points");
}

Test(cli, blames_itself_for_tests_that_leave_no_result) {
    expect_of("// gives example.adds_one pass\n", 3, "The test left no result.");
    expect_of("// gives example.adds_one corrupt\n// gives edge.handles_nothing pass\n"
              "// gives safety.has_no_race pass\n// gives speed.at_2_22 pass\n",
              3, "is no JSON");
}

/* How often nvcc was run, by FAKE_LOG=log. */
static size_t n_compiled(void) {
    return support_count(folder, "log", "compiled ");
}

/* A copy of the workbook that may be changed. */
static void copy_workbook(void) {
    support_shell(folder, "rm -rf copy && cp -r \"$WARPBOOK_TEST_DATA/workbook\" copy");
}

Test(cli, compiles_once_for_each_content) {
    struct support_run run;
    for (int i = 0; i < 3; i++) {
        support_write(folder, "alpha.cu", i == 2 ? "// other\n" : "// warns\n");
        run = support_run(folder, "FAKE_LOG=$PWD/log", "grade alpha.cu");
        cr_expect(i == 2 || strstr(run.out, "warning #177-D"), "%s", run.out);
        support_run_free(&run);
    }
    cr_expect_eq(n_compiled(), 2);
}

Test(cli, compiles_again_when_a_header_changes_that_the_labs_share) {
    copy_workbook();
    support_write(folder, "alpha.cu", "// some\n");
    for (int i = 0; i < 4; i++) {
        support_write(folder, "copy/labs/common/levels.h", i < 2 ? "1" : "2");
        support_expect(folder, "WARPBOOK_ROOT=$PWD/copy FAKE_LOG=$PWD/log",
                       "grade alpha.cu --backend sim", 3, "");
        cr_expect_eq(n_compiled(), i < 2 ? 1 : 2, "%zu at %d", n_compiled(), i);
    }
}

Test(cli, keeps_what_was_compiled_on_another_file_system) {
    struct stat here, there;
    char other[] = "/dev/shm/warpbook-test.XXXXXX";
    cr_assert_eq(stat(folder, &here), 0);
    if (!mkdtemp(other) || stat(other, &there) != 0 || here.st_dev == there.st_dev)
        cr_skip_test("there is no other file system");
    char *environment = support_text("WARPBOOK_TMP=%s FAKE_LOG=$PWD/log", other);
    support_write(folder, "alpha.cu", "// gives example.adds_one pass\n");
    for (int i = 0; i < 2; i++)
        support_expect(folder, environment, "grade alpha.cu --backend sim --test example", 0, "");
    cr_expect_eq(n_compiled(), 1);
    cr_expect_eq(rmdir(other), 0, "something is left in %s", other);
}

Test(cli, refuses_what_is_too_large_to_keep) {
    expect_of("// makes 100M\n", 1, "What nvcc made of the file has 100 MiB; at most 32 are kept.");
    char *cache = support_text("%s/build/cache", folder);
    cr_expect_eq(rmdir(cache), 0, "something was kept");
}

Test(cli, says_that_nvcc_took_too_long) {
    support_write(folder, "alpha.cu", "// slow to compile\n");
    struct support_run run =
        support_run(folder, "WARPBOOK_COMPILE_SECONDS=1", "grade alpha.cu --backend sim --json");
    cr_expect_eq(run.code, 1);
    cr_expect(strstr(run.out, "nvcc was not done with the file after 1 seconds, and was stopped."),
              "%s", run.out);
    cr_expect_not(strstr(run.out, "does not accept"), "%s", run.out);
    support_run_free(&run);
}

Test(cli, compiles_as_nvcc_alone_would_what_it_refuses_with_less) {
    static const char right[] = "// gives example.adds_one pass\n// gives safety.has_no_race pass\n"
                                "// gives edge.handles_nothing pass\n// gives speed.at_2_22 pass\n";
    char *needs = support_text("// not with -D_GLIBCXX_BITS_SPECFUN_H\n%s", right);
    char *never = support_text("// not with -shared\n%s", right);
    expect_of(needs, 0, "19 of 19 points");
    expect_of(never, 1, "error: not with -shared");
}

Test(cli, tells_tests_what_they_need_by_environment) {
    char *environment = support_text("FAKE_LOG=%s/log WARPBOOK_CASE=evil", folder);
    support_write(folder, "alpha.cu", "// nothing\n");
    struct support_run run =
        support_run(folder, environment,
                    "grade alpha.cu --backend sim --seed ab --test edge --case n=7,block=2");
    char *path = support_text("%s/log.env", folder), *text = support_read(path);
    static const char *const lines[] = {"WARPBOOK_BACKEND=sim\n",
                                        "WARPBOOK_CASE=n=7,block=2\n",
                                        "WARPBOOK_SEED=00000000000000ab\n",
                                        "WARPBOOK_SOURCE=alpha.cu\n",
                                        "WARPBOOK_TIMEOUT_MS=1000\n",
                                        "WARPBOOK_WORKER=/",
                                        "WARPBOOK_HIDDEN=/",
                                        "WARPBOOK_HIDDEN_BUILD=/",
                                        "WARPBOOK_CUDART_SIM=/",
                                        "WARPBOOK_SIMULATOR=/",
                                        "WARPBOOK_RESULTS=/",
                                        "WARPBOOK_SUBMISSION=/"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect(strstr(text, lines[i]), "no %s in %s", lines[i], text);
    cr_expect_null(strstr(text, "WARPBOOK_CUDART_GPU"));
    cr_expect_null(strstr(text, "WARPBOOK_ROOT"));
    support_run_free(&run);
}

Test(cli, prints_one_json_record) {
    OWNED_BY(support_run_free)
    struct support_run run = support_run(folder, "", "check 01 --json --backend sim --seed 5");
    json_error_t error;
    json_auto_t *record = json_loads(run.out, JSON_REJECT_DUPLICATES, &error);
    cr_assert(record, "%s: %s", error.text, run.out);
    cr_expect_eq(run.code, 1);
    const char *schema, *seed, *verdict;
    int version, code;
    cr_assert_eq(json_unpack(record, "{s:s, s:i, s:s, s:i, s:[{s:s}]}", "schema", &schema,
                             "version", &version, "seed", &seed, "exit_code", &code, "labs",
                             "verdict", &verdict),
                 0);
    cr_expect_str_eq(schema, "warpbook-record");
    cr_expect_eq(version, 1);
    cr_expect_str_eq(seed, "0000000000000005");
    cr_expect_eq(code, 1);
    cr_expect_str_eq(verdict, "not_written");
}

Test(cli, gives_hints_one_by_one) {
    expect("hint 01", 0, "Look at it.");
    expect("hint 01", 0, "Look closer.");
    expect("hint 01 --tier 1", 0, "Look at it.");
    expect("hint alpha", 0, "It is the second line.");
    expect("hint 01", 0, "It is the second line.");
    expect("hint 02", 0, "Hint 1 of 3");
    expect("hint 01 --tier 4", 2, "no hint 4");
    expect("hint 01 --tier 2 --json", 0, "\"tier\": 2");
}

/* A workbook of one's own, in which lab 01 fails for a reason that experiments prove. */
static void fail_provably(void) {
    free(support_write(folder, "copy/labs/01-alpha/alpha.cu",
                       "// gives edge.handles_nothing pass\nint stored_by_all;\n"
                       "// gives example.adds_one proven\n// gives safety.has_no_race pass\n"));
    support_expect(folder, "WARPBOOK_ROOT=$PWD/copy", "check 01 --backend sim", 1, "alpha.cu:2");
}

static void expect_hint(const char *arguments, int code, const char *word) {
    support_expect(folder, "WARPBOOK_ROOT=$PWD/copy", arguments, code, word);
}

/* A hint that has a part for each TODO tells that of the first one that is not done. */
Test(cli, hints_at_the_todo_that_is_worked_at) {
    copy_workbook();
    support_shell(
        folder, "sed -i -e 's/Look at it\\./TODO 1, Look at it. TODO 2 to 3, Go on. TODO 4, End./' "
                "-e '/name: example.adds_one/a\\    todo: 1' "
                "-e '/name: edge.handles_nothing/a\\    todo: 3' "
                "-e '/TODO/{s/,/:/g;s/- /- \"/;s/$/\"/}' copy/labs/01-alpha/lab.yaml");
    expect_hint("hint 01 --json", 0, "\"TODO 1: Look at it.\"");
    expect_hint("hint 01", 0, "Look closer.");
    free(
        support_write(folder, "copy/labs/01-alpha/alpha.cu",
                      "// gives example.adds_one pass\n// gives edge.handles_nothing wrong_answer\n"
                      "// gives safety.has_no_race pass\n"));
    support_expect(folder, "WARPBOOK_ROOT=$PWD/copy", "check 01 --backend sim", 1, "wrong answer");
    expect_hint("hint 01 --json", 0, "\"TODO 2 to 3: Go on.\"");
}

Test(cli, hints_at_a_proven_cause_by_kind_and_edit) {
    copy_workbook();
    fail_provably();
    expect_hint("hint 01", 0, "Hint 1 of 5 · Alpha");
    expect_hint("hint 01 --tier 1", 0, "It is how many threads store here");
    expect_hint("hint 01 --tier 1", 0, "2 │ int stored_by_all;");
    expect_hint("hint 01 --json", 0, "is made by too many threads.");
    expect_hint("hint 01", 0, "Look at it.");
    expect_hint("hint 01", 0, "Hint 4 of 5");
    expect_hint("hint 01 --tier 6", 2, "lab 01 has 5 hints, and no hint 6");
}

Test(cli, tells_a_proven_edit_in_the_lab_s_words) {
    copy_workbook();
    support_shell(folder,
                  "printf 'edits:\\n  - edit: only_first\\n    text: >-\\n      Line {line} "
                  "adds one for each thread where {to} does.\\n' "
                  ">>copy/labs/01-alpha/lab.yaml");
    fail_provably();
    expect_hint("hint 01 --tier 2 --json", 0, "Line 2 adds one for each thread where threadIdx.x");
}

Test(cli, hints_at_the_cause_of_the_file_as_it_is) {
    copy_workbook();
    fail_provably();
    expect_hint("hint 01", 0, "Hint 1 of 5");
    expect_hint("hint 01 --tier 3", 0, "Look at it.");
    support_shell(folder, "echo '// another' >>copy/labs/01-alpha/alpha.cu");
    expect_hint("hint 01", 0, "Hint 2 of 3");
    expect_hint("hint 01", 0, "was changed since");
    expect_hint("check 01 --backend sim", 1, "alpha.cu:2");
    expect_hint("hint 01", 0, "Hint 2 of 5"); /* of the same cause, one was seen */
}

Test(cli, hints_no_further_than_the_course_reveals) {
    copy_workbook();
    fail_provably();
    free(support_write(folder, "line.yaml", "reveal: line\n"));
    free(support_write(folder, "kind.yaml", "reveal: kind\n"));
    free(support_write(folder, "edit.yaml", "reveal: edit\n"));
    expect_hint("hint 01 --tier 1 --course line.yaml", 0, "Hint 1 of 3");
    expect_hint("hint 01 --tier 1 --course kind.yaml", 0, "Hint 1 of 4");
    expect_hint("hint 01 --tier 1 --course edit.yaml", 0, "Hint 1 of 5");
    expect_hint("hint 01 --course none.yaml", 2, "none.yaml");
    support_shell(folder, "cp line.yaml copy/course.yaml");
    expect_hint("hint 01 --tier 1", 0, "Look at it.");
    expect_hint("check 01 --backend sim --verbose", 1, "What would you change?");
}

Test(cli, forgets_torn_hints_instead_of_failing) {
    support_write(folder, "build/state/hints.json", "{\"01-al");
    expect("hint 01", 0, "Look at it.");
}

Test(cli, verifies_skeletons_model_answers_and_mistakes) {
    expect("verify --backend sim", 0, "19 of 20 as they should be, 1 skipped");
    expect("verify 01 --backend sim --json", 0, "\"ok\": true");
    expect("verify 03", 2, "there is no lab '03'");
}

/* Verifies a copy of the workbook that a shell command has changed. */
static void expect_verify(const char *change, int code, const char *word) {
    char *command = support_text("cd copy && %s", change);
    copy_workbook();
    support_shell(folder, command);
    support_expect(folder, "WARPBOOK_ROOT=$PWD/copy", "verify 01 --backend sim", code, word);
}

#define IN_MISTAKES " solutions/01-alpha/mistakes.yaml"

Test(cli, verifies_that_mistakes_get_just_their_diagnosis) {
    expect_verify("true", 0, "10 of 11 as they should be");
    expect_verify("sed -i '0,/diagnosis: adds_two/s//diagnosis: races/'" IN_MISTAKES, 1,
                  "should give wrong_answer, races; it gives");
    expect_verify("sed -i '0,/verdict: wrong_answer/s//verdict: crash/'" IN_MISTAKES, 1,
                  "should give crash");
    expect_verify("sed -i 's/diagnosis: adds_two/diagnosis: adds_few/'" IN_MISTAKES, 1,
                  "no diagnosis 'adds_few'");
    expect_verify("touch solutions/01-alpha/mistakes/forgotten.cu", 3,
                  "forgotten.cu is not in mistakes.yaml");
}

Test(cli, verifies_skeletons_where_somebody_has_worked) {
    expect_verify(
        "cp solutions/01-alpha/alpha.cu labs/01-alpha/ && echo int >>labs/01-alpha/alpha.cu", 0,
        "10 of 11 as they should be");
}

Test(cli, verifies_handouts_and_folders) {
    expect_verify("sed -i 's/^int alpha.*/int alpha;/' handouts/01-alpha.md", 1,
                  "handouts/01-alpha.md:4: this code is not in the lab's");
    expect_verify("sed -i '2a<!-- from labs/01-alpha/alpha.h -->' handouts/01-alpha.md", 1,
                  "this code is not in labs/01-alpha/alpha.h");
    expect_verify("rm handouts/01-alpha.md", 1, "there is no such file");
    expect_verify("touch labs/01-alpha/notes.txt", 1, "notes.txt does not belong there");
    expect_verify("touch solutions/01-alpha/a.out", 1, "a.out does not belong there");
}

Test(cli, writes_a_table_of_mistakes_and_verifies_it) {
    char *path = support_text("%s/copy/solutions/MISTAKES.md", folder);
    copy_workbook();
    support_expect(folder, "WARPBOOK_ROOT=$PWD/copy",
                   "verify --table copy/solutions/MISTAKES.md --backend sim", 0,
                   "page of mistakes");
    char *text = support_read(path);
    cr_expect(strstr(text, "| `adds_two.cu` | `example.adds_one` | wrong answer | both | "), "%s",
              text);
    support_write(folder, "copy/solutions/MISTAKES.md", "# Mistakes\n");
    support_expect(folder, "WARPBOOK_ROOT=$PWD/copy", "verify --backend sim", 1, "is out of date");
}

Test(cli, verifies_that_skeletons_fail_and_models_pass) {
    expect_verify("sed -i '0,/not_written/s//pass/' solutions/01-alpha/skeleton/alpha.cu", 1,
                  "example.adds_one: pass");
    expect_verify("sed -i '0,/ pass/s// crash/' solutions/01-alpha/alpha.cu", 1,
                  "example.adds_one: crash");
    expect_verify("sed -i 's/int x)/int y)/' solutions/01-alpha/skeleton/alpha.cu", 1,
                  "outside the TODO regions");
    expect_verify("sed -i 1i'#error no' solutions/01-alpha/alpha.cu", 1, "it does not compile");
    expect_verify("rm solutions/01-alpha/alpha.cu", 1, "no such file");
    expect_verify("rm -r solutions/01-alpha/skeleton", 1, "no such file");
    expect_verify("rm -r solutions/01-alpha", 1, "Left of the lab: labs/01-alpha,");
    expect_verify("sed -i '/Look closer/d' labs/01-alpha/lab.yaml", 1, "2 hints, not 3");
    expect_verify("sed -i -e '/name: edge.handles_nothing/a\\    todo: 3' "
                  "-e 's/Look closer./\"TODO 1: Look closer.\"/' labs/01-alpha/lab.yaml",
                  1, "hint 2 has no part that begins with 'TODO 3:'");
}

Test(cli, verifies_that_tests_and_diagnoses_are_reached) {
    copy_workbook();
    support_expect(folder, "WARPBOOK_ROOT=$PWD/copy FAKE_MORE=edge.forgotten",
                   "verify 01 --backend sim", 1, "the test edge.forgotten is in no list");
    support_expect(folder, "WARPBOOK_ROOT=$PWD/copy FAKE_LESS=edge.handles_nothing",
                   "verify 01 --backend sim", 1, "names the test edge.handles_nothing, which");
    support_expect(folder, "WARPBOOK_ROOT=$PWD/copy", "verify 01 --backend sim --verbose", 0,
                   "Without a mistake: edge.handles_nothing");
    static const char add[] = "sed -i '$a\\  - id: dead\\n    text: No.\\n    hint: No.' "
                              "labs/01-alpha/lab.yaml";
    expect_verify(add, 1, "no test's code names the diagnosis 'dead'");
    expect_verify("sed -i s/beta.cu/alpha.cu/ labs/02-beta/lab.yaml", 1,
                  "02-beta has a file alpha.cu, too");
    expect_verify("mv labs/02-beta labs/01-beta", 1, "01-beta has the same number");
}

Test(cli, verifies_the_others_where_a_lab_was_deleted_by_hand) {
    copy_workbook();
    support_shell(folder, "rm -r copy/labs/01-alpha copy/handouts/02-beta.md");
    static const char left[] = "labs/01-alpha/lab.yaml is not there. Left of the lab: "
                               "solutions/01-alpha, handouts/01-alpha.md.";
    struct support_run run =
        support_run(folder, "WARPBOOK_ROOT=$PWD/copy COLUMNS=100", "verify --backend sim --json");
    cr_expect(run.code == 1 && strstr(run.out, left) && strstr(run.out, "02-beta.md: there is no"),
              "%s%s", run.out, run.err);
    cr_expect(strstr(run.out, "mistakes/adds_two.cu"), "%s", run.out);
    support_run_free(&run);
}

Test(cli, colours_only_where_that_is_wanted) {
    struct support_run run = support_run(folder, "", "check 01");
    cr_expect_null(strchr(run.out, '\x1b'));
    support_run_free(&run);
    run = support_run(folder, "", "check 01 --color=always");
    cr_expect_not_null(strchr(run.out, '\x1b'));
    support_run_free(&run);
}

Test(cli, says_how_to_get_a_compiler_where_there_is_none) {
    if (file_exists("/usr/local/cuda/bin/nvcc")) /* which would be found after all */
        cr_skip_test("there is an nvcc in its usual place");
    support_expect(folder, "PATH=/nonexistent CUDA_HOME=/nonexistent WARPBOOK_NVCC=/nonexistent",
                   "check 01", 3, "There is no CUDA compiler");
}

/* Grades a file in the midst of which the program is interrupted. */
static void expect_interrupted(const char *text) {
    support_write(folder, "alpha.cu", text);
    OWNED_BY(support_run_free)
    struct support_run run = support_run(folder, "", "grade alpha.cu --backend sim");
    cr_expect_eq(run.code, 130, "exit code %d\n%s", run.code, run.out);
    cr_expect(strstr(run.err, "interrupted"), "%s", run.err);
    cr_expect_str_eq(run.out, "");
    support_shell(folder, "test -z \"$(ls build/tmp)\" && "
                          "test -z \"$(ls -A build/cache 2>/dev/null | grep -v '[.]so$' | "
                          "grep -v '[.]txt$')\"");
}

Test(cli, leaves_nothing_behind_when_nvcc_is_interrupted) {
    expect_interrupted("// is killed kill -INT $PPID; sleep 60\n");
}

Test(cli, leaves_nothing_behind_when_tests_are_interrupted) {
    expect_interrupted("// gives example.adds_one interrupts\n");
}

Test(cli, runs_again_and_alone_what_may_be_the_machines_doing) {
    support_write(folder, "alpha.cu",
                  "// gives example.adds_one again=pass\n// gives edge.handles_nothing pass\n"
                  "// gives safety.has_no_race again=crash\n");
    char *path = support_text("%s/log.tests", folder);
    struct support_run run =
        support_run(folder, "FAKE_LOG=$PWD/log", "grade alpha.cu --backend sim --json");
    char *tested = support_read(path);
    cr_expect_eq(run.code, 1, "exit code %d\n%s", run.code, run.out);
    cr_expect_null(strstr(run.out, "\"infrastructure\""), "%s", run.out);
    cr_expect(strstr(run.out, "\"verdict\": \"crash\""), "%s", run.out);
    cr_expect(strstr(tested, " example/adds_one\n"), "%s", tested);
    cr_expect(strstr(tested, " safety/has_no_race\n"), "%s", tested);
    cr_expect_null(strstr(tested, "handles_nothing"), "%s", tested);
    support_run_free(&run);
}

Test(cli, fails_itself_where_the_machine_fails_again) {
    support_write(folder, "alpha.cu",
                  "// gives example.adds_one none\n// gives edge.handles_nothing pass\n");
    expect("grade alpha.cu --backend sim --json", 3, "");
}

Test(cli, refuses_files_from_elsewhere_where_there_is_no_sandbox) {
    support_write(folder, "alpha.cu", "// pass\n");
    /* The blank keeps the harness from adding --no-sandbox. */
    support_expect(folder, "PATH=/nowhere", " grade alpha.cu", 3,
                   "no sandbox on this machine (bubblewrap is not installed)");
    support_expect(folder, "PATH=/nowhere", " grade alpha.cu", 3, "--no-sandbox grades it without");
}

Test(cli, takes_another_user_in_a_container_where_there_is_no_sandbox) {
    char *bwrap = support_write(folder, "bin/bwrap", "#!/bin/sh\nexit 1\n");
    char *log = support_text("%s/log.env", folder);
    support_write(folder, "alpha.cu", "// gives example.adds_one pass\n");
    cr_assert_eq(chmod(bwrap, 0755), 0);
    OWNED_BY(support_run_free)
    struct support_run run = support_run(folder, "PATH=$PWD/bin:$PATH FAKE_LOG=$PWD/log",
                                         " grade alpha.cu --container --backend sim "
                                         "--test example.adds_one");
    if (geteuid() == 0) {
        char *environment = support_read(log);
        cr_expect_eq(run.code, 0, "%s%s", run.out, run.err);
        cr_expect(strstr(environment, "WARPBOOK_AS_USER=1"), "%s", environment);
        cr_expect_not(strstr(environment, "WARPBOOK_BWRAP"), "%s", environment);
    } else {
        cr_expect_eq(run.code, 3, "who can't become another user can't do without");
    }
}
