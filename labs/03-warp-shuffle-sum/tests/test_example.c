/* The tests to read first: one warp, one block, a few blocks. */
#include "labs/03-warp-shuffle-sum/tests/shuffle.h"

LAB_TEST(example, every_lane_has_the_sum) {
    lab_one(lab, 32, 32, warps_all_case);
}

LAB_TEST(example, lane_0_has_the_sum) {
    lab_one(lab, 32, 32, warps_first_case);
}

LAB_TEST(example, sums_one_block) {
    lab_one(lab, 256, 256, blocks_case);
}

LAB_TEST(example, sums_the_grid) {
    lab_one(lab, 10000, 256, grid_case);
}
