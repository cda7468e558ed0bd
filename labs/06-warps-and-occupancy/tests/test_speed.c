/* Bandwidth on a GPU with cold caches: each int is read once and written once, as by a copy. */
#include "labs/06-warps-and-occupancy/tests/seats.h"

static void time_mix(struct lab *lab, size_t n) {
    struct mapped mix = mix_mapped();

    mapped_time(lab, &mix, n, 256);
}

LAB_TEST(speed, at_2_24) {
    time_mix(lab, (size_t)1 << 24);
}

LAB_TEST(speed, at_2_28) {
    time_mix(lab, (size_t)1 << 28);
}
