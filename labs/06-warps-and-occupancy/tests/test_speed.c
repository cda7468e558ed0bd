/* Bandwidth on a GPU with cold caches: each int is read once and written once, as by a copy. */
#include "labs/06-warps-and-occupancy/tests/seats.h"

static void refresh(void *data, uint64_t seed) {
    struct mix_made *made = data;

    made->in.seed = seed;
    lab_made_begin(&made->out);
}

static bool is_right(const void *data) {
    const struct mix_made *made = data;

    return lab_made_is_right(&made->out);
}

static void time_mix(struct lab *lab, size_t n) {
    size_t bytes = n * sizeof(int32_t);
    struct mix_made made = {.in = {.type = LAB_I32, .n = n}};
    struct call_arg args[MIX_ARGS];
    struct lab_bench bench = {
        .function = "mix_by_warps",
        .n = n,
        .block = 256,
        .bytes = 2 * bytes,
        .args = args,
        .n_args = MIX_ARGS,
        .refresh = refresh,
        .is_right = is_right,
        .state = &made,
    };

    lab_need_gpu(lab, 5 * bytes);
    lab_allow_ms(lab, 5000 + (int)(bench.bytes >> 17));
    lab_set_diagnoser(lab, seats_diagnose);
    mix_made_args(&made, bench.block, args);
    lab_time(lab, &bench);
}

LAB_TEST(speed, at_2_24) {
    time_mix(lab, (size_t)1 << 24);
}

LAB_TEST(speed, at_2_28) {
    time_mix(lab, (size_t)1 << 28);
}
