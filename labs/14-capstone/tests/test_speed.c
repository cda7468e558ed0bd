/* Bandwidth on a GPU with cold caches, as a share of what a copy reaches there. A sum reads each
 * int once: 4 bytes. A scan reads and writes it: 8 bytes. */
#include "labs/14-capstone/tests/fast.h"

/* Percent of the copy. A scan in three phases moves each int three or four times and stays below.
 */
enum { SUM_PERCENT = 75, SCAN_PERCENT = 55 };

static void expect_share(struct lab *lab, uint64_t percent) {
    uint64_t reached = (uint64_t)(lab_share_of_copy(lab) * 100);

    if (!lab_failed(lab))
        lab_technique(lab, reached >= percent, "percent of the copy", reached, ">=", percent);
}

LAB_TEST(speed, sum_at_2_22) {
    timed_sum(lab, "sum_fast", LAB_I32, (size_t)1 << 22, fast_sum_args, scan_diagnose);
}

LAB_TEST(speed, sum_at_2_28) {
    timed_sum(lab, "sum_fast", LAB_I32, (size_t)1 << 28, fast_sum_args, scan_diagnose);
    expect_share(lab, SUM_PERCENT);
}

static void time_scan(struct lab *lab, size_t n) {
    struct fast_mapped fast = fast_mapped();

    mapped_time(lab, &fast.scan.map, n, ANY_BLOCK);
}

LAB_TEST(speed, scan_at_2_22) {
    time_scan(lab, (size_t)1 << 22);
}

LAB_TEST(speed, scan_at_2_28) {
    time_scan(lab, (size_t)1 << 28);
    expect_share(lab, SCAN_PERCENT);
}
