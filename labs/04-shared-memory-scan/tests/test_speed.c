/*
 * Bandwidth on a GPU with cold caches. A scan must read each int once and write it once: 8 bytes,
 * as a copy does. The three phases move each int four times, so that half of a copy's bandwidth is
 * the most that they can show (the handout derives it). Blocks are small: while one waits at its
 * barriers, others of its multiprocessor load.
 */
#include "labs/04-shared-memory-scan/tests/scan_case.h"

static void refresh(void *data, uint64_t seed) {
    struct scan_made *made = data;

    made->in.seed = seed;
    scan_made_begin(made);
}

static bool is_right(const void *data) {
    const struct scan_made *made = data;

    return lab_made_is_right(&made->out);
}

static void time_scan(struct lab *lab, size_t n) {
    size_t bytes = n * sizeof(int32_t);
    struct scan_made made = {.in = {.type = LAB_I32, .n = n}};
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
        .state = &made,
    };

    lab_need_gpu(lab, 5 * bytes);
    lab_allow_ms(lab, 5000 + (int)(bench.bytes >> 17));
    lab_set_diagnoser(lab, scan_diagnose);
    scan_made_args(lab, &made, bench.block, args);
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
