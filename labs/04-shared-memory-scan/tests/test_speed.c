/*
 * Bandwidth on a GPU with cold caches. A scan must read each int once and write it once: 8 bytes,
 * as a copy does. The three phases move each int four times, so that half of a copy's bandwidth is
 * the most that they can show (the handout derives it). Blocks are small: while one waits at its
 * barriers, others of its multiprocessor load.
 */
#include "common/base/system/parallel.h"
#include "labs/04-shared-memory-scan/tests/scan_case.h"

struct bench_state {
    int32_t *in, *out, *right;
    size_t n;
};

static void refresh(void *data, uint64_t seed) {
    struct bench_state *state = data;

    lab_fill_i32(state->in, state->n, seed);
    scan_reference(state->in, state->n, false, state->right);
}

static bool is_right(const void *data) {
    const struct bench_state *state = data;

    return parallel_same(state->out, state->right, state->n * sizeof *state->out);
}

static void time_scan(struct lab *lab, size_t n) {
    size_t bytes = n * sizeof(int32_t);
    struct bench_state state = {.n = n};
    struct call_arg args[SCAN_N_ARGS];
    struct lab_bench bench = {
        .function = scan_function(false),
        .n = n,
        .block = 128,
        .bytes = 2 * bytes,
        .args = args,
        .n_args = SCAN_N_ARGS,
        .refresh = refresh,
        .is_right = is_right,
        .state = &state,
    };

    lab_need_gpu(lab, 5 * bytes);
    lab_allow_ms(lab, 5000 + (int)(bench.bytes >> 17));
    lab_set_diagnoser(lab, scan_diagnose);
    state.in = lab_memory(lab, bytes);
    state.out = lab_memory(lab, bytes);
    state.right = lab_memory(lab, bytes);
    scan_args(args, state.in, n, bench.block, state.out);
    lab_time(lab, &bench);
}

LAB_TEST(speed, at_2_22) {
    time_scan(lab, (size_t)1 << 22);
}

LAB_TEST(speed, at_2_24) {
    time_scan(lab, (size_t)1 << 24);
}

LAB_TEST(speed, at_2_28) {
    time_scan(lab, (size_t)1 << 28);
}
