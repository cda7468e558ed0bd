/* Bandwidth on a GPU with cold caches: each int is read once and written once, as by a copy. */
#include "labs/00-first-kernel/tests/map_case.h"

static void refresh(void *data, uint64_t seed) {
    struct scale_made *made = data;

    made->in.seed = seed;
    lab_made_begin(&made->out);
}

static bool is_right(const void *data) {
    const struct scale_made *made = data;

    return lab_made_is_right(&made->out);
}

static void time_scale(struct lab *lab, size_t n) {
    size_t bytes = n * sizeof(int32_t);
    struct scale_made made = {.in = {.type = LAB_I32, .n = n}, .factor = 3};
    struct call_arg args[SCALE_N_ARGS];
    struct lab_bench bench = {
        .function = "scale",
        .n = n,
        .block = 256,
        .bytes = 2 * bytes,
        .args = args,
        .n_args = SCALE_N_ARGS,
        .refresh = refresh,
        .is_right = is_right,
        .state = &made,
    };

    lab_need_gpu(lab, 5 * bytes);
    lab_allow_ms(lab, 5000 + (int)(bench.bytes >> 17));
    lab_set_diagnoser(lab, map_diagnose);
    scale_made_args(&made, bench.block, args);
    lab_time(lab, &bench);
}

LAB_TEST(speed, at_2_24) {
    time_scale(lab, (size_t)1 << 24);
}

LAB_TEST(speed, at_2_28) {
    time_scale(lab, (size_t)1 << 28);
}
