/*
 * Bandwidth on a GPU with cold caches. A scan must read each int once and write it once: 8 bytes,
 * as a copy does. The three phases move each int four times, so that half of a copy's bandwidth is
 * the most that they can show. Blocks of 128 as lab 04 has them, and the largest ones, where lab 04
 * waits longest.
 */
#include "labs/10-warp-shuffle-scan/tests/parts.h"

static void time_scan(struct lab *lab, size_t n, unsigned block) {
    struct scan_mapped scan = scan_mapped(false);

    mapped_time(lab, &scan.map, n, block);
}

LAB_TEST(speed, at_2_22) {
    time_scan(lab, (size_t)1 << 22, 128);
}

LAB_TEST(speed, at_2_24) {
    time_scan(lab, (size_t)1 << 24, 128);
}

LAB_TEST(speed, at_2_28) {
    time_scan(lab, (size_t)1 << 28, 128);
}

LAB_TEST(speed, large_blocks_at_2_28) {
    time_scan(lab, (size_t)1 << 28, 1024);
}
