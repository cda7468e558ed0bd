/* The tests to read first: the scans that the handout works out. */
#include "labs/common/scan/scan.h"

static const int32_t handful[] = {3, 1, -4, 1, -5, 9, 2, -6};

static void scan_a_handful(struct lab *lab, const struct lab_case *c) {
    lab_set_diagnoser(lab, scan_diagnose);
    scan_ints(lab, handful, c->n, c->block, false);
}

static void scan_a_handful_exclusively(struct lab *lab, const struct lab_case *c) {
    lab_set_diagnoser(lab, scan_diagnose);
    scan_ints(lab, handful, c->n, c->block, true);
}

LAB_TEST(example, scans_a_handful) {
    lab_one(lab, 8, 8, scan_a_handful);
}

LAB_TEST(example, scans_a_handful_exclusively) {
    lab_one(lab, 8, 8, scan_a_handful_exclusively);
}

LAB_TEST(example, scans_one_block) {
    lab_one(lab, 256, 256, scan_case);
}

/* Several tiles, whether a thread takes one int or sixteen. */
LAB_TEST(example, scans_many_blocks) {
    lab_one(lab, 32 * 256, 256, scan_case);
}
