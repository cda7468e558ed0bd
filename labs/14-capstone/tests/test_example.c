/* The tests to read first. */
#include "labs/14-capstone/tests/fast.h"

LAB_TEST(example, sums_ints) {
    lab_one(lab, 20, ANY_BLOCK, fast_sum_case);
    lab_one(lab, 4096, ANY_BLOCK, fast_sum_case);
    lab_one(lab, 100000, ANY_BLOCK, fast_sum_case);
}

LAB_TEST(example, scans_ints) {
    lab_one(lab, 20, ANY_BLOCK, fast_scan_case);
    lab_one(lab, 4096, ANY_BLOCK, fast_scan_case);
    lab_one(lab, 100000, ANY_BLOCK, fast_scan_case);
}
