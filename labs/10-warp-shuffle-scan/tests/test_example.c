/* The tests to read first: the scans that the handout works out, then a few blocks. */
#include "labs/10-warp-shuffle-scan/tests/parts.h"

/* Lanes 8 to 31 have no int. */
static const int32_t handful[] = {3, 1, -4, 1, -5, 9, 2, -6};

static void scan_a_handful(struct lab *lab, const struct lab_case *c) {
    parts_ints(lab, &of_warps, handful, c);
}

LAB_TEST(example, scans_a_handful) {
    lab_one(lab, 8, 32, scan_a_handful);
}

LAB_TEST(example, scans_warps) {
    lab_one(lab, 32, 32, warps_case);
    lab_one(lab, 128, 64, warps_case);
}

/* Full blocks first: one warp, two, sixteen. */
LAB_TEST(example, scans_a_block) {
    lab_one(lab, 32, 32, blocks_case);
    lab_one(lab, 64, 64, blocks_case);
    lab_one(lab, 512, 512, blocks_case);
}

LAB_TEST(example, scans_blocks) {
    lab_one(lab, 8 * 256, 256, blocks_case);
    lab_one(lab, 8 * 256 + 20, 256, blocks_case);
}

static void scan_in_form(struct lab *lab, const struct lab_case *c, bool exclusive) {
    lab_set_diagnoser(lab, scan_diagnose);
    scan_ints(lab, lab_random_i32(lab, c->n), c->n, c->block, exclusive);
}

static void scan_inclusively(struct lab *lab, const struct lab_case *c) {
    scan_in_form(lab, c, false);
}

static void scan_exclusively(struct lab *lab, const struct lab_case *c) {
    scan_in_form(lab, c, true);
}

/* One tile, then several, whether a thread takes one int or sixteen. */
LAB_TEST(example, scans_tiles) {
    lab_one(lab, 64, 64, scan_inclusively);
    lab_one(lab, 32 * 256, 256, scan_inclusively);
}

LAB_TEST(example, scans_tiles_exclusively) {
    lab_one(lab, 64, 64, scan_exclusively);
    lab_one(lab, 32 * 256, 256, scan_exclusively);
}
