/* Timing: what is measured, and what is not believed. */
#include <math.h>

#include "common/harness/tests/fake_call.h"

struct state {
    int32_t in[4], sum;
    uint64_t last_seed;
    bool seeds_differ, is_right;
};
static struct state state = {.seeds_differ = true, .is_right = true};

static void refresh(void *data, uint64_t seed) {
    struct state *s = data;

    s->seeds_differ &= seed != s->last_seed;
    s->last_seed = seed;
}

static bool is_right(const void *data) {
    return ((const struct state *)data)->is_right;
}

static const char *unit; /* of the bench; NULL: bytes */
static bool with_host;
static double share_before, share_after; /* as a test can ask for it */

static void time_it(struct lab *lab) {
    struct call_arg args[] = {lab_in("in", state.in, 4, 4), lab_size(4),
                              lab_out("sum", &state.sum, 1, 4)};
    struct lab_bench bench = {
        .function = "sum",
        .n = 4,
        .block = 512,
        .bytes = 100 * 1000 * 1000,
        .unit = unit,
        .with_host = with_host,
        .args = args,
        .n_args = 3,
        .refresh = refresh,
        .is_right = is_right,
        .state = &state,
    };

    share_before = lab_share_of_copy(lab);
    lab_time(lab, &bench);
    share_after = lab_share_of_copy(lab);
}

static json_t *perform_on_gpu(void) {
    struct lab_settings settings = fake_settings();

    settings.backend = CALL_GPU;
    settings.cudart_gpu = "nvidia";
    return fake_perform_with(&settings, "speed", time_it);
}

static double number(const json_t *document, const char *key) {
    const json_t *bench = json_array_get(json_object_get(document, "bench"), 0);

    return json_number_value(json_object_get(bench, key));
}

Test(timing, sets_the_bandwidth_beside_that_of_a_copy) {
    json_t *document = perform_on_gpu();

    fake_expect(document, "verdict", "pass");
    cr_assert_float_eq(number(document, "gbps"), 100, 1e-9);
    cr_assert_float_eq(number(document, "copy_gbps"), 200, 1e-9);
    cr_assert_float_eq(number(document, "share_of_copy"), 0.5, 1e-9);
    cr_assert_float_eq(share_before, 0, 1e-9);
    cr_assert_float_eq(share_after, 0.5, 1e-9);
    cr_assert_float_eq(number(document, "peak_gbps"), 1000, 1e-9);
    cr_assert(number(document, "samples") >= 7);
    cr_assert(state.seeds_differ, "each run must have new inputs");
}

/* One direction of the copies, and no peak: the device's memory is not what limits. */
Test(timing, sets_what_comes_from_the_host_beside_copies_both_ways) {
    with_host = true;
    json_t *document = perform_on_gpu();
    json_t *bench = json_array_get(json_object_get(document, "bench"), 0);

    fake_expect(document, "verdict", "pass");
    cr_assert_float_eq(number(document, "gbps"), 100, 1e-9);
    cr_assert_float_eq(number(document, "copy_gbps"), 80, 1e-9);
    fake_expect(bench, "peak_gbps", NULL);
}

Test(timing, sets_evaluations_beside_the_double_precision_peak) {
    json_t *document, *bench;

    unit = "evaluations";
    fake.device = (struct call_device){.major = 9, .minor = 0, .n_sm = 10, .sm_clock_mhz = 1000};
    document = perform_on_gpu();
    bench = json_array_get(json_object_get(document, "bench"), 0);
    fake_expect(document, "verdict", "pass");
    fake_expect(bench, "unit", "evaluations");
    fake_expect(bench, "copy_gbps", NULL);
    fake_expect(bench, "share_of_copy", NULL);
    cr_assert_float_eq(number(document, "gbps"), 100, 1e-9);
    cr_assert_float_eq(number(document, "peak_gbps"), 640, 1e-9); /* 64 units, 10 SMs, 1 GHz */
}

static void expect_verdict(const char *verdict) {
    json_t *document = perform_on_gpu();

    fake_expect(document, "verdict", verdict);
}

Test(timing, checks_the_result_of_each_run) {
    state.is_right = false;
    expect_verdict("wrong_answer");
    cr_assert_eq(fake.n_timed, 1);
}

Test(timing, does_not_believe_more_than_the_physical_peak) {
    fake.event_ms = 0.05;
    expect_verdict("invalid_measurement");
}

Test(timing, does_not_believe_a_call_longer_than_its_reply_took) {
    fake.event_ms = 3;
    expect_verdict("invalid_measurement");
}

Test(timing, does_not_believe_times_that_are_no_numbers) {
    fake.event_ms = NAN;
    expect_verdict("invalid_measurement");
}

/* Every other run takes so many times as long; returns how many runs were counted. */
static double samples_with(double noise) {
    fake.n_noisy = SIZE_MAX;
    fake.noise = noise;
    json_t *document = perform_on_gpu();

    fake_expect(document, "verdict", "pass");
    return number(document, "samples");
}

/* By the standard error of the median: 1.25 / 1.35 * 0.015 / sqrt(16) is less than 0.0035. */
Test(timing, takes_more_runs_the_more_they_differ) {
    cr_assert_float_eq(samples_with(1), 7, 1e-9);
    cr_assert_float_eq(samples_with(1.015), 16, 1e-9);
    cr_assert_float_eq(samples_with(1.1), 31, 1e-9);
}

Test(timing, says_when_it_is_too_noisy_to_judge) {
    fake.n_noisy = SIZE_MAX;
    expect_verdict("too_noisy");
}

Test(timing, is_skipped_on_the_simulator) {
    json_t *document = fake_judge("speed", time_it, "skipped");
    fake_expect_reason(document, "GPU");
}
