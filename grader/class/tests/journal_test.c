/* What is in the journal is there after a kill, a full disk and a merge, once. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/text.h"
#include "grader/class/journal/journal.h"
#include "grader/tests/support.h"

static const uint64_t seed = 7;
static char *path;

FOLDER_SUITE(journal, path = support_text("%s/journal", folder));

static struct journal *open_at(const char *file) {
    struct journal *journal;
    struct diag diag = {0};
    cr_assert_eq(journal_open(file, &seed, &journal, &diag), GRADER_OK, "%s", diag.message);
    return journal;
}

static struct journal_key key_of(const char *file) {
    return (struct journal_key){
        .lab = "01-alpha", .file = file, .tests = "t", .grader = "g", .backend = "sim"};
}

static enum grader_status add(struct journal *journal, const char *file, int points) {
    struct journal_key key = key_of(file);
    struct diag diag;
    json_auto_t *record =
        json_pack("{s:s, s:i, s:i}", "verdict", "fail", "points", points, "max_points", 10);
    return journal_add(journal, &key, record, &diag);
}

/* The points of a file's result, -1 where there is none. */
static int points_of(struct journal *journal, const char *file) {
    struct journal_key key = key_of(file);
    json_auto_t *record = journal_find(journal, &key);
    int points = record ? (int)json_integer_value(json_object_get(record, "points")) : -1;
    return points;
}

Test(journal, keeps_results_from_run_to_run) {
    struct journal *journal = open_at(path);
    cr_expect_eq(add(journal, "a", 3), GRADER_OK);
    journal_close(journal);
    journal = open_at(path);
    cr_expect_eq(points_of(journal, "a"), 3);
    cr_expect_eq(points_of(journal, "b"), -1);
    journal_close(journal);
}

Test(journal, never_changes_a_result) {
    struct journal *journal = open_at(path);
    add(journal, "a", 3);
    cr_expect_eq(add(journal, "a", 9), GRADER_OK);
    cr_expect_eq(points_of(journal, "a"), 3);
    struct journal_key key = key_of("a");
    journal_fail(journal, &key, "no power");
    cr_expect_eq(points_of(journal, "a"), 3);
    journal_close(journal);
}

Test(journal, keeps_a_second_grader_out_until_the_first_ends) {
    struct journal *journal = open_at(path), *second;
    struct diag diag;
    cr_expect_eq(journal_open(path, NULL, &second, &diag), GRADER_BAD_INPUT);
    cr_expect(strstr(diag.message, "another grader"), "%s", diag.message);
    journal_close(second);
    journal_close(journal);
    journal_close(open_at(path));
}

Test(journal, has_all_that_was_added_before_a_kill) {
    int fds[2];
    cr_assert_eq(pipe(fds), 0);
    pid_t child = fork();
    if (child == 0) {
        struct journal *journal = open_at(path);
        for (int i = 0;; i++) {
            if (add(journal, support_text("%d", i), i) != GRADER_OK ||
                write(fds[1], &i, sizeof i) != sizeof i)
                _exit(1);
        }
    }
    int last = 0;
    close(fds[1]);
    while (last < 50 && read(fds[0], &last, sizeof last) == sizeof last)
        continue;
    kill(child, SIGKILL);
    while (read(fds[0], &last, sizeof last) == sizeof last)
        continue;
    waitpid(child, NULL, 0);
    struct journal *journal = open_at(path);
    for (int i = 0; i <= last; i++) {
        char *file = support_text("%d", i);
        cr_expect_eq(points_of(journal, file), i);
    }
    journal_close(journal);
}

Test(journal, says_so_when_the_disk_is_full_and_goes_on_after) {
    struct journal *journal = open_at(path);
    struct rlimit limit, small = {.rlim_cur = 65536};
    char file[32];
    int n = 0;
    add(journal, "before", 1);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    small.rlim_max = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    do
        snprintf(file, sizeof file, "%d", n);
    while (add(journal, file, n) == GRADER_OK && n++ < 10000);
    setrlimit(RLIMIT_FSIZE, &limit);
    cr_expect_lt(n, 10000, "the limit was never met");
    cr_expect_eq(points_of(journal, file), -1, "what failed is not there");
    cr_expect_eq(add(journal, file, 5), GRADER_OK);
    journal_close(journal);
    journal = open_at(path);
    cr_expect_eq(points_of(journal, "before"), 1);
    cr_expect_eq(points_of(journal, file), 5);
    journal_close(journal);
}

Test(journal, wants_a_generation_more_but_once_until_it_is_there) {
    struct journal *journal = open_at(path);
    struct journal_key key = key_of("a");
    struct diag diag;
    add(journal, "a", 3);
    cr_expect_eq(journal_regrade(journal, &key, &diag), GRADER_OK);
    cr_expect_eq(key.generation, 1);
    cr_expect_eq(journal_regrade(journal, &key, &diag), GRADER_OK);
    cr_expect_eq(key.generation, 1, "the wanted one is not there yet");
    cr_expect_eq(journal_generation(journal, "01-alpha", "a"), 1);
    cr_expect_eq(points_of(journal, "a"), 3, "history stays");
    journal_close(journal);
}

Test(journal, draws_seeds_that_differ_by_all_that_is_graded_and_come_again) {
    struct journal *journal = open_at(path);
    struct journal_key a = key_of("a"), others[] = {key_of("b"), a, a, a, a};
    uint64_t of_a = journal_seed(journal, &a);
    others[1].generation = 1;
    others[2].backend = "NVIDIA H200";
    others[3].tests = "other tests";
    others[4].lab = "02-beta";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_expect_neq(of_a, journal_seed(journal, &others[i]), "%zu", i);
    journal_close(journal);
    journal = open_at(path);
    cr_expect_eq(of_a, journal_seed(journal, &a));
    journal_close(journal);
}

Test(journal, gives_a_part_what_it_needs_and_hears_what_it_stands_by) {
    struct journal *journal = open_at(path), *part;
    struct journal_key keys[] = {key_of("a"), key_of("b")}, c = key_of("c");
    char *part_path = support_text("%s/part", folder);
    OWNED char *grader = NULL;
    OWNED char *backend = NULL;
    struct diag diag = {0};
    add(journal, "a", 3);
    add(journal, "c", 5);
    cr_assert_eq(journal_grade(journal, "ann", &keys[0], &diag), GRADER_OK);
    cr_assert_eq(journal_part(journal, part_path, keys, 2, &diag), GRADER_OK, "%s", diag.message);
    part = open_at(part_path);
    cr_expect_eq(journal_seed(part, &keys[1]), journal_seed(journal, &keys[1]));
    cr_expect_eq(points_of(part, "a"), 3);
    cr_expect_eq(points_of(part, "c"), -1, "it is not asked for c");
    cr_expect_null(journal_verdict(part, &keys[0], &grader, &backend), "known, but not by it");
    keys[1].backend = "another GPU";
    json_auto_t *record =
        json_pack("{s:s, s:i, s:i}", "verdict", "pass", "points", 4, "max_points", 9);
    cr_assert_eq(journal_add(part, &keys[1], record, &diag), GRADER_OK);
    cr_assert_eq(journal_grade(part, "1", &keys[1], &diag), GRADER_OK);
    journal_fail(part, &c, "no GPU");
    json_auto_t *found = journal_verdict(part, &keys[1], &grader, &backend);
    cr_expect(json_equal(found, record));
    cr_assert(backend && grader);
    cr_expect_str_eq(backend, "another GPU");
    cr_expect_str_eq(grader, keys[1].grader);
    OWNED char *reason = journal_failure(part, &c);
    cr_expect(reason && strcmp(reason, "no GPU") == 0);
    cr_expect_null(journal_failure(part, &keys[0]));
    journal_close(part);
    journal_close(journal);
}

Test(journal, refuses_a_file_that_is_none) {
    struct journal *journal;
    struct diag diag;
    support_write(folder, "journal", "This is a text of somebody, and no journal at all.\n");
    cr_expect_eq(journal_open(path, NULL, &journal, &diag), GRADER_BAD_INPUT);
    journal_close(journal);
    char *text = support_read(path);
    cr_expect(strstr(text, "somebody"), "it is left as it is");
}
