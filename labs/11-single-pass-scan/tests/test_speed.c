/* Bandwidth on a GPU with cold caches. A scan in one launch reads each int once and writes it once:
 * 8 bytes, as a copy does, and nothing more but a word a tile. */
#include "labs/11-single-pass-scan/tests/single.h"

enum { SPEED_BLOCK = 512 };

static void time_scan(struct lab *lab, size_t n) {
    struct single_mapped single = single_mapped();

    mapped_time(lab, &single.scan.map, n, SPEED_BLOCK);
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
