/* The environment, sound and not. */
#include <stdlib.h>
#include <string.h>

#include "common/check/tests/fake_call.h"

static void set_sound(void) {
    setenv("WARPBOOK_WORKER", "/w", 1);
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
    cr_assert(settings.has_case && !settings.has_case_seed);
    cr_assert_eq(settings.only.n, 513);
    cr_assert_eq(settings.only.block, 256);
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
