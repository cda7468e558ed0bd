/* Bandwidth: the bytes of the input over the time, on a GPU with cold caches. A sum must read each
 * int once, and does one addition for it: the memory is what limits it. */
#include "labs/common/levels/sum.h"

struct bench_state {
    struct lab_drawn in;
    int32_t sum, right;
};

static void refresh(void *data, uint64_t seed) {
    struct bench_state *state = data;

    state->in.seed = seed;
    state->right = (int32_t)lab_drawn_sum(&state->in);
    state->sum = ~state->right;
}

static bool is_right(const void *data) {
    const struct bench_state *state = data;

    return state->sum == state->right;
}

void levels_time(struct lab *lab, const struct levels_sum *sum, size_t n) {
    struct bench_state state = {.in = {.type = LAB_I32, .n = n}};
    struct call_arg args[LEVELS_N_ARGS];
    struct lab_bench bench = {
        .function = sum->function,
        .n = n,
        .block = 512,
        .bytes = n * sizeof(int32_t),
        .args = args,
        .n_args = LEVELS_N_ARGS,
        .refresh = refresh,
        .is_right = is_right,
        .state = &state,
    };

    lab_need_gpu(lab, 3 * bench.bytes);
    lab_set_diagnoser(lab, levels_diagnose);
    levels_args(args, lab_in_drawn("in", &state.in), bench.block, &state.sum);
    lab_time(lab, &bench);
}
