/* The tests to read first: a few blocks, a few tiles. */
#include "labs/11-single-pass-scan/tests/single.h"

LAB_TEST(example, blocks_take_tickets) {
    lab_one(lab, 1, 32, tickets_case);
    lab_one(lab, 5, 64, tickets_case);
}

LAB_TEST(example, passes_sums_along) {
    lab_one(lab, 1, 32, ints_case);
    lab_one(lab, 8, 32, ints_case);
}

/* One tile, then five, the last of them with 20 ints. */
LAB_TEST(example, scans_by_a_chain) {
    lab_one(lab, 32 * ITEMS, 32, chain_case);
    lab_one(lab, 4 * 32 * ITEMS + 20, 32, chain_case);
}

/* From the first tile, from the second, and from one further on. */
LAB_TEST(example, looks_from_a_tile) {
    lab_one(lab, 0, 1, look_case);
    lab_one(lab, 1, 1, look_case);
    lab_one(lab, 9, 4, look_case);
}

LAB_TEST(example, scans_looking_back) {
    lab_one(lab, 32 * ITEMS, 32, look_back_case);
    lab_one(lab, 4 * 32 * ITEMS + 20, 32, look_back_case);
}
