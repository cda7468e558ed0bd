/* Bandwidth of the grid's sum at three sizes, the last of which is far larger than any cache. */
#include "labs/03-warp-shuffle-sum/tests/shuffle.h"

static size_t grid_args(struct call_arg *args, struct call_arg in, unsigned block, void *sum) {
    return shuffle_args(args, &grid, in, block, sum);
}

static void time_grid(struct lab *lab, size_t n) {
    timed_sum(lab, grid.function, LAB_F32_WHOLE, n, grid_args, shuffle_diagnose);
}

LAB_TEST(speed, at_2_22) {
    time_grid(lab, (size_t)1 << 22);
}

LAB_TEST(speed, at_2_24) {
    time_grid(lab, (size_t)1 << 24);
}

LAB_TEST(speed, at_2_28) {
    time_grid(lab, (size_t)1 << 28);
}
