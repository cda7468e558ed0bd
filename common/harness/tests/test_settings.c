/* The environment, sound and not. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/turn.h"
#include "common/harness/settings.h"
#include "common/harness/tests/fake_call.h"

static void set_sound(void) {
    setenv("WARPBOOK_WORKER", "/w", 1);
    setenv("WARPBOOK_SIMULATOR", "/m", 1);
    setenv("WARPBOOK_CUDART_SIM", "/c", 1);
    setenv("WARPBOOK_SUBMISSION", "/s", 1);
    setenv("WARPBOOK_SEED", "00000000deadbeef", 1);
    setenv("WARPBOOK_TIMEOUT_MS", "250", 1);
}

/* Asserts that the variable with this value is refused, in words that name it. */
static void expect_refused(const char *name, const char *value) {
    struct lab_settings settings;
    char why[256];

    set_sound();
    setenv(name, value, 1);
    cr_assert_not(lab_settings_read(&settings, why, sizeof why), "%s=%s", name, value);
    cr_assert_not_null(strstr(why, name), "%s", why);
    unsetenv(name);
}

Test(settings, reads_what_the_grader_sets) {
    struct lab_settings settings;
    char why[256];

    set_sound();
    setenv("WARPBOOK_CASE", "n=513,block=256", 1);
    cr_assert(lab_settings_read(&settings, why, sizeof why), "%s", why);
    cr_assert_eq(settings.backend, CALL_SIM);
    cr_assert_eq(settings.seed, 0xdeadbeef);
    cr_assert_eq(settings.timeout_ms, 250);
    cr_assert_eq(settings.patience, 1);
    cr_assert(settings.has_case && !settings.has_case_seed);
    cr_assert_eq(settings.only.n, 513);
    cr_assert_eq(settings.only.block, 256);
}

Test(settings, waits_for_a_turn_where_the_grader_gives_turns) {
    struct lab_settings settings;
    char why[256], number[16], word;
    int fds[2];

    set_sound();
    cr_assert(lab_settings_read(&settings, why, sizeof why), "%s", why);
    cr_expect(lab_settings_take_turn(&settings, false), "the GPU is ours");
    lab_settings_give_turn(&settings);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    snprintf(number, sizeof number, "%d", fds[1]);
    setenv("WARPBOOK_TURN", number, 1);
    cr_assert(lab_settings_read(&settings, why, sizeof why), "%s", why);
    cr_assert_eq(send(fds[0], "", 1, 0), 1); /* the answer */
    cr_expect(lab_settings_take_turn(&settings, false));
    lab_settings_give_turn(&settings);
    cr_expect_eq(recv(fds[0], &word, 1, MSG_DONTWAIT), 1);
    cr_expect_eq(word, TURN_WANTED);
    cr_expect_eq(recv(fds[0], &word, 1, MSG_DONTWAIT), 1);
    cr_expect_eq(word, TURN_DONE);
    cr_assert_eq(send(fds[0], "", 1, 0), 1);
    cr_expect(lab_settings_take_turn(&settings, true));
    cr_expect_eq(recv(fds[0], &word, 1, MSG_DONTWAIT), 1);
    cr_expect_eq(word, TURN_WANTED_ALONE);
    close(fds[0]);
    cr_expect_not(lab_settings_take_turn(&settings, false), "the grader has gone");
    unsetenv("WARPBOOK_TURN");
    expect_refused("WARPBOOK_TURN", "three");
}

Test(settings, shortens_limits_once_a_test_has_not_ended) {
    char folder[] = "/tmp/warpbook-test.XXXXXX", why[256], path[64];
    struct lab_settings settings;

    set_sound();
    cr_assert_not_null(mkdtemp(folder));
    setenv("WARPBOOK_RESULTS", folder, 1);
    setenv("WARPBOOK_TIMEOUT_MS", "8000", 1);
    cr_assert(lab_settings_read(&settings, why, sizeof why), "%s", why);
    cr_expect_eq(settings.timeout_ms, 8000);
    cr_expect_eq(lab_settings_limit_ms(&settings, 30000), 30000);
    lab_settings_note_timeout(&settings);
    cr_assert(lab_settings_read(&settings, why, sizeof why), "%s", why);
    cr_expect_eq(settings.timeout_ms, 8000, "as the lab says");
    cr_expect_eq(lab_settings_limit_ms(&settings, 8000), 2000);
    cr_expect_eq(lab_settings_limit_ms(&settings, 1000), 500);
    cr_expect_eq(lab_settings_limit_ms(&settings, 100), 100, "never longer than it was");
    cr_expect(!settings.never_loads);
    lab_settings_note_never_loads(&settings);
    cr_assert(lab_settings_read(&settings, why, sizeof why), "%s", why);
    cr_expect(settings.never_loads);
    cr_expect(!settings.has_idle_calls);
    lab_settings_note_idle_calls(&settings);
    cr_assert(lab_settings_read(&settings, why, sizeof why), "%s", why);
    cr_expect(settings.has_idle_calls);
    snprintf(path, sizeof path, "%s/idle-calls", folder);
    cr_expect_eq(remove(path), 0);
    snprintf(path, sizeof path, "%s/never-loads", folder);
    cr_expect_eq(remove(path), 0);
    snprintf(path, sizeof path, "%s/timed-out", folder);
    cr_expect_eq(remove(path), 0);
    rmdir(folder);
}

Test(settings, grant_the_same_budget_however_long_the_clock_waits) {
    struct lab_settings usual = fake_settings(), late = fake_settings();

    late.is_short = true;
    late.patience = 3;
    struct call_settings call = lab_call_settings(&usual, CALL_SIM, 2000);
    struct call_settings other = lab_call_settings(&late, CALL_SIM, 2000);
    cr_expect_eq(call.timeout_ms, 2000);
    cr_expect_eq(call.load_ms, 2000);
    cr_expect_eq(other.timeout_ms, 1500);
    cr_expect_eq(other.load_ms, 1500);
    cr_expect_eq(call.budget, UINT64_C(2000) * 8192);
    cr_expect_eq(other.budget, call.budget);
    cr_expect_eq(lab_call_settings(&usual, CALL_GPU, 2000).budget, 0);
}

Test(settings, says_who_sets_them_where_they_are_missing) {
    struct lab_settings settings;
    char why[256];

    unsetenv("WARPBOOK_WORKER");
    cr_assert_not(lab_settings_read(&settings, why, sizeof why));
    cr_assert_not_null(strstr(why, "./warpbook check"));
}

Test(settings, refuses_junk) {
    expect_refused("WARPBOOK_BACKEND", "tpu");
    expect_refused("WARPBOOK_BACKEND", "gpu"); /* without NVIDIA's runtime */
    expect_refused("WARPBOOK_SEED", "0x12");
    expect_refused("WARPBOOK_SEED", "12345678123456781");
    expect_refused("WARPBOOK_SEED", "-1");
    expect_refused("WARPBOOK_TIMEOUT_MS", "0");
    expect_refused("WARPBOOK_TIMEOUT_MS", "-5");
    expect_refused("WARPBOOK_TIMEOUT_MS", "4s");
    expect_refused("WARPBOOK_PATIENCE", "0");
    expect_refused("WARPBOOK_TIMEOUT_MS", "99999999999999999999");
}

Test(settings, refuses_cases_that_are_none) {
    static const char *const junk[] = {
        "n=1",
        "n=,block=32",
        "n=1,block=",
        "n=-1,block=32",
        "n= 1,block=32",
        "n=1,block=32,",
        "n=1,block=32,seed=",
        "n=1,block=32,seed=xyz",
        "block=32,n=1",
        "n=1,block=99999999999",
        "n=99999999999999999999,block=32",
    };
    struct lab_settings settings;

    for (size_t i = 0; i < sizeof junk / sizeof *junk; i++)
        cr_assert_not(lab_settings_case(&settings, junk[i]), "%s", junk[i]);
}
