/*
 * Bandwidth on a GPU with cold caches. A scan must read each int once and write it once: 8 bytes,
 * as a copy does. The three phases move each int four times, so that half of a copy's bandwidth is
 * the most that they can show (the handout derives it). Blocks are small: while one waits at its
 * barriers, others of its multiprocessor load.
 */
#include "labs/common/scan/scan.h"

static void time_scan(struct lab *lab, size_t n) {
    struct scan_mapped scan = scan_mapped(false);

    mapped_time(lab, &scan.map, n, 128);
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
