/*
 * Evaluations of the integrand a second, on a GPU. Nothing is read, so that the memory limits
 * nothing: beside the figure stands the device's peak of multiply-adds in double precision, of
 * which the handout counts how many an evaluation takes.
 */
#include <math.h>

#include "labs/05-pi-trapezoid/tests/pi_case.h"

enum { BLOCK = 256, BLOCKS = 4224 }; /* a multiple of what many GPUs hold at once */

struct bench_state {
    struct call_arg *args;
    size_t n;
    double pi, right, bound;
};

/* Another number of intervals for each run: an answer that was kept is wrong. */
static void refresh(void *data, uint64_t seed) {
    struct bench_state *state = data;
    size_t n = state->n + seed % 1024;

    state->args[0].value.u64 = n;
    state->right = rule_pi(n);
    state->bound = rule_bound(n, BLOCK, BLOCKS, 0x1p-53);
    state->pi = NAN;
}

static bool is_right(const void *data) {
    const struct bench_state *state = data;

    return fabs(state->pi - state->right) <= state->bound;
}

static void time_rule(struct lab *lab, size_t n) {
    struct call_arg args[PI_N_ARGS];
    struct bench_state state = {.args = args, .n = n};
    struct lab_bench bench = {
        .function = "pi_trapezoid",
        .n = n,
        .block = BLOCK,
        .bytes = n,
        .unit = "evaluations",
        .args = args,
        .n_args = PI_N_ARGS,
        .refresh = refresh,
        .is_right = is_right,
        .state = &state,
    };

    lab_need_gpu(lab, 1 << 20);
    lab_allow_ms(lab, 20000);
    lab_set_diagnoser(lab, pi_diagnose);
    pi_args(args, n, BLOCK, BLOCKS, &state.pi);
    lab_time(lab, &bench);
}

LAB_TEST(speed, at_2_24) {
    time_rule(lab, (size_t)1 << 24);
}

LAB_TEST(speed, at_2_28) {
    time_rule(lab, (size_t)1 << 28);
}

LAB_TEST(speed, at_2_32) {
    time_rule(lab, (size_t)1 << 32);
}
