/* Workers on a GPU: reused from test to test, and never to the second one's harm. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "common/harness/tests/fake_call.h"

static void one_sum(struct lab *lab) {
    lab_one(lab, 5, 32, fake_sum_case);
}

static void sums(struct lab *lab) {
    static const size_t sizes[] = {1000};
    static const unsigned blocks[] = {64};

    lab_sweep(lab, sizes, 1, blocks, 1, fake_sum_case);
}

static void one_long_sum(struct lab *lab) {
    lab_allow_ms(lab, 5000);
    lab_one(lab, 5, 32, fake_sum_case);
}

/* Right in a worker that is new. */
FAKE_ANSWER(sum_once) {
    static size_t last_opened;

    fake.wrong_from = last_opened == fake.n_opened ? 0 : SIZE_MAX;
    last_opened = fake.n_opened;
    fake_sum(function, args, n_args, result);
}

static struct lab_settings settings(void) {
    struct lab_settings settings = fake_settings();

    settings.backend = CALL_GPU;
    settings.cudart_gpu = "nvidia";
    return settings;
}

static void expect(const struct lab_settings *settings, const char *tier, lab_body *body,
                   const char *verdict) {
    json_t *document = lab_perform(settings, tier, "claim", body);

    fake_expect(document, "verdict", verdict);
}

Test(workers, are_reused_after_tests_that_pass) {
    struct lab_settings s = settings();

    expect(&s, "example", one_sum, "pass");
    expect(&s, "edge", one_long_sum, "pass");
    cr_assert_eq(fake.n_opened, 1);
    cr_assert_eq(fake.n_closed, 0);
    cr_assert_eq(fake.settings.timeout_ms, 5000, "the limit is that of the test");
    lab_workers_close(s.workers);
    cr_assert_eq(fake.n_closed, 1);
}

Test(workers, are_reused_after_wrong_answers) {
    struct lab_settings s = settings();

    s.is_brief = true;
    fake.wrong_from = 0;
    expect(&s, "edge", one_sum, "wrong_answer");
    fake.wrong_from = SIZE_MAX;
    expect(&s, "edge", one_sum, "pass");
    fake.wrong_from = 0;
    expect(&s, "edge", one_sum, "wrong_answer");
    cr_assert_eq(fake.n_opened, 1);
    cr_assert_eq(fake.n_calls, 3, "why it is wrong is asked elsewhere");
}

Test(workers, are_new_before_a_test_fails) {
    struct lab_settings s = settings();

    fake.answer = sum_once;
    expect(&s, "edge", one_sum, "pass");
    expect(&s, "edge", one_sum, "pass");
    cr_assert_eq(fake.n_calls, 3);
    cr_assert_eq(fake.n_opened, 2, "a new one is right");
    cr_assert_eq(fake.n_closed, 1, "what may have gone bad is not reused");
}

Test(workers, are_not_new_for_what_would_end_alike) {
    struct lab_settings s = settings();

    expect(&s, "edge", one_sum, "pass");
    fake.outcome = CALL_TIMEOUT;
    expect(&s, "edge", one_sum, "timeout");
    cr_assert_eq(fake.n_calls, 2);
    cr_assert_eq(fake.n_opened, 1);
    cr_assert_eq(fake.n_closed, 1);
}

Test(workers, of_the_simulator_are_each_tests_own) {
    struct lab_settings s = settings();

    expect(&s, "safety", one_sum, "pass");
    expect(&s, "safety", one_sum, "pass");
    cr_assert_eq(fake.n_opened, 2);
    cr_assert_eq(fake.n_closed, 2);
}

Test(workers, are_counted_that_a_test_left_unfit) {
    struct lab_settings s = settings();

    s.is_brief = true;
    fake.outcome = CALL_CRASH;
    expect(&s, "edge", one_sum, "crash");
    expect(&s, "edge", one_sum, "crash");
    cr_assert_eq(fake.n_opened, 2);
    cr_assert_eq(s.workers->n_lost, 2);
}

/* No smaller case is looked for on a GPU where the simulator will. */
Test(workers, of_brief_tests_end_with_the_first_failure) {
    struct lab_settings s = settings();

    s.is_brief = true;
    fake.wrong_from = 3;
    expect(&s, "edge", sums, "wrong_answer");
    cr_assert_eq(fake.n_calls, 1);
    s.is_brief = false;
    expect(&s, "edge", sums, "wrong_answer");
    cr_assert_gt(fake.n_calls, 3);
}

/* What an earlier test took is free once its worker has ended. */
static void one_that_needs_memory(struct lab *lab) {
    fake.device.free_bytes = fake.n_closed == 0 ? 1 << 20 : (size_t)8 << 30;
    lab_need_gpu(lab, (size_t)1 << 30);
    lab_one(lab, 5, 32, fake_sum_case);
}

Test(workers, are_new_before_a_test_is_skipped) {
    struct lab_settings s = settings();

    s.is_brief = true;
    expect(&s, "edge", one_sum, "pass");
    expect(&s, "edge", one_that_needs_memory, "pass");
    cr_assert_eq(fake.n_opened, 2);
    cr_assert_eq(s.workers->n_lost, 0);
}

static void refresh(void *data, uint64_t seed) {
    (void)data;
    (void)seed;
}

static bool is_right(const void *data) {
    return data == NULL;
}

static void time_it(struct lab *lab) {
    int32_t in[4] = {0}, sum;
    struct call_arg args[] = {lab_in("in", in, 4, 4), lab_size(4), lab_out("sum", &sum, 1, 4)};
    struct lab_bench bench = {.function = "sum",
                              .n = 4,
                              .block = 32,
                              .bytes = 16,
                              .args = args,
                              .n_args = 3,
                              .refresh = refresh,
                              .is_right = is_right};

    lab_time(lab, &bench);
}

/* As a runner has it: a rehearsal, the copies, and then the tests. */
Test(workers, of_timed_tests_time_the_copies_before_they_load_anything) {
    struct lab_settings s = settings();

    s.workers->yardsticks.is_asking = true;
    lab_rehearse(&s, "speed", "claim", time_it);
    lab_rehearse(&s, "speed", "claim", one_sum);
    s.workers->yardsticks.is_asking = false;
    cr_assert_eq(s.workers->yardsticks.n, 1);
    cr_assert_eq(fake.n_opened + fake.n_calls, 0, "a rehearsal runs nothing");
    lab_workers_open(&s);
    cr_assert_eq(fake.n_opened, 1);
    cr_assert(lab_yardsticks_measure(s.workers, NULL));
    cr_assert_eq(fake.n_copies, 1);
    expect(&s, "speed", time_it, "pass");
    expect(&s, "speed", time_it, "pass");
    cr_assert_eq(fake.n_opened, 1, "both tests had the worker of the copies");
    cr_assert_eq(fake.n_copies, 1);
    fake.outcome = CALL_CRASH;
    expect(&s, "speed", time_it, "crash");
    cr_assert_eq(fake.n_opened, 2, "what failed in a worker that was used is run again");
    lab_workers_close(s.workers);
    cr_assert_eq(fake.n_closed, 2);
}

/* The copies of a file's timed test, where they may be in a file from before. */
static void measure_copies(struct lab_settings *s, const char *path) {
    *s->workers = (struct lab_workers){0};
    s->workers->yardsticks.is_asking = true;
    lab_rehearse(s, "speed", "claim", time_it);
    s->workers->yardsticks.is_asking = false;
    lab_yardsticks_look(s->workers, path);
    lab_workers_open(s);
    cr_assert(lab_yardsticks_measure(s->workers, path));
    cr_assert(s->workers->yardsticks.list[0].ms > 0);
}

Test(workers, of_timed_tests_take_copies_that_were_timed_a_moment_ago) {
    static const char old[] =
        "[{\"bytes\": 16, \"with_host\": false, \"ms\": 7.0, \"at_ms\": -1e9}]";
    char folder[] = "/tmp/copies.XXXXXX";
    struct lab_settings s = settings();

    cr_assert(mkdtemp(folder));
    OWNED char *path = text_format("%s/copies", folder);
    cr_assert_eq(file_write(path, old, strlen(old), NULL), GRADER_OK);
    measure_copies(&s, path);
    cr_assert_eq(fake.n_copies, 1, "what is old is timed again");
    lab_workers_close(s.workers);
    measure_copies(&s, path);
    cr_assert_eq(fake.n_copies, 1, "the next file of a class finds it");
    expect(&s, "speed", time_it, "pass");
    cr_assert_eq(fake.n_copies, 1);
    lab_workers_close(s.workers);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(rmdir(folder), 0);
}

/* A copy that nobody asked for in time. */
Test(workers, of_timed_tests_are_gone_while_another_copy_is_timed) {
    struct lab_settings s = settings();

    expect(&s, "edge", one_sum, "pass");
    expect(&s, "speed", time_it, "pass");
    expect(&s, "speed", time_it, "pass");
    cr_assert_eq(fake.n_opened, 4, "one of the edge's, one for copies, two that were timed");
    cr_assert_eq(fake.n_closed, 2);
    lab_workers_close(s.workers);
    cr_assert_eq(fake.n_closed, 4);
}
