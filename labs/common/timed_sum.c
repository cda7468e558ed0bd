/* New numbers for each run, on a GPU with cold caches; each result must be right to the bit. */
#include "labs/common/timed_sum.h"

union number {
    int32_t i32;
    float f32;
};

struct state {
    struct lab_drawn in;
    union number sum;
};

static void refresh(void *data, uint64_t seed) {
    struct state *state = data;

    lab_drawn_anew(&state->in, seed);
    state->sum.i32 = 0;
}

static bool is_right(const void *data) {
    const struct state *state = data;

    if (state->in.type == LAB_I32)
        return state->sum.i32 == (int32_t)lab_drawn_sum(&state->in);
    return state->sum.f32 == (float)lab_drawn_sum(&state->in);
}

void timed_sum(struct lab *lab, const char *function, int type, size_t n, timed_sum_args *make_args,
               lab_diagnoser *diagnoser) {
    struct state state = {.in = {.type = type, .n = n}};
    struct call_arg args[CALL_MAX_ARGS];
    struct lab_bench bench = {
        .function = function,
        .n = n,
        .block = 512,
        .bytes = n * sizeof state.sum,
        .args = args,
        .refresh = refresh,
        .is_right = is_right,
        .state = &state,
    };

    lab_need_gpu(lab, 3 * bench.bytes);
    lab_set_diagnoser(lab, diagnoser);
    lab_drawn_keep_sums(lab, &state.in);
    lab_drawn_by_stretches(lab, &state.in);
    bench.n_args = make_args(args, lab_in_drawn("in", &state.in), bench.block, &state.sum);
    lab_time(lab, &bench);
}
