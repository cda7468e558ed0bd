/* Bandwidth at three sizes, the last of which is far larger than any cache. */
#include "labs/common/levels/sum.h"

LAB_TEST(speed, at_2_22) {
    levels_time(lab, levels_sums, (size_t)1 << 22);
}

LAB_TEST(speed, at_2_24) {
    levels_time(lab, levels_sums, (size_t)1 << 24);
}

LAB_TEST(speed, at_2_28) {
    levels_time(lab, levels_sums, (size_t)1 << 28);
}
