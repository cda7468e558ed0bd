/* Bandwidth on a GPU with cold caches: each int is read once and written once, as by a copy. */
#include "labs/00-first-kernel/tests/map_case.h"

static void time_scale(struct lab *lab, size_t n) {
    struct scale_mapped scale = scale_mapped(3);

    mapped_time(lab, &scale.map, n, 256);
}

LAB_TEST(speed, at_2_24) {
    time_scale(lab, (size_t)1 << 24);
}

LAB_TEST(speed, at_2_28) {
    time_scale(lab, (size_t)1 << 28);
}
