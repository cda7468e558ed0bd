/* Bandwidth at three sizes, the last of which is far larger than any cache. */
#include "labs/common/levels/sum.h"

static void time_sum(struct lab *lab, size_t n) {
    timed_sum(lab, levels_sums[0].function, LAB_I32, n, levels_args, levels_diagnose);
}

LAB_TEST(speed, at_2_22) {
    time_sum(lab, (size_t)1 << 22);
}

LAB_TEST(speed, at_2_24) {
    time_sum(lab, (size_t)1 << 24);
}

LAB_TEST(speed, at_2_28) {
    time_sum(lab, (size_t)1 << 28);
}
