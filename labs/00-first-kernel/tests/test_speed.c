/* Bandwidth on a GPU with cold caches: each int is read once and written once, as by a copy. */
#include "common/base/system/parallel.h"
#include "labs/00-first-kernel/tests/map_case.h"

enum { FACTOR = 3 };

struct bench_state {
    int32_t *in, *out, *right;
    size_t n;
};

static void refresh(void *data, uint64_t seed) {
    struct bench_state *state = data;

    lab_fill_i32(state->in, state->n, seed);
    for (size_t i = 0; i < state->n; i++)
        state->right[i] = (int32_t)(FACTOR * (uint32_t)state->in[i]);
}

static bool is_right(const void *data) {
    const struct bench_state *state = data;

    return parallel_same(state->out, state->right, state->n * sizeof *state->out);
}

static void time_scale(struct lab *lab, size_t n) {
    size_t bytes = n * sizeof(int32_t);
    struct bench_state state = {.n = n};
    struct call_arg args[5];
    struct lab_bench bench = {
        .function = "scale",
        .n = n,
        .block = 256,
        .bytes = 2 * bytes,
        .args = args,
        .n_args = sizeof args / sizeof *args,
        .refresh = refresh,
        .is_right = is_right,
        .state = &state,
    };

    lab_need_gpu(lab, 5 * bytes);
    lab_allow_ms(lab, 5000 + (int)(bench.bytes >> 17));
    lab_set_diagnoser(lab, map_diagnose);
    state.in = lab_memory(lab, bytes);
    state.out = lab_memory(lab, bytes);
    state.right = lab_memory(lab, bytes);
    args[0] = lab_in("in", state.in, n, sizeof(int32_t));
    args[1] = lab_size(n);
    args[2] = (struct call_arg){.kind = CALL_ARG_I32, .name = "factor", .value.i64 = FACTOR};
    args[3] = lab_u32("block", bench.block);
    args[4] = lab_out("out", state.out, n, sizeof(int32_t));
    lab_time(lab, &bench);
}

LAB_TEST(speed, at_2_24) {
    time_scale(lab, (size_t)1 << 24);
}

LAB_TEST(speed, at_2_28) {
    time_scale(lab, (size_t)1 << 28);
}
