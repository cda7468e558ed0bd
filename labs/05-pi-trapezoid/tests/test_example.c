/* The tests to read first: what the handout works out. */
#include "labs/05-pi-trapezoid/tests/pi_case.h"

/* One block, and fewer points than it has threads. */
static void eight_intervals(struct lab *lab, const struct lab_case *c) {
    double pi;

    lab_set_diagnoser(lab, pi_diagnose);
    pi_compute(lab, c->n, c->block, 1, &pi);
}

LAB_TEST(example, uses_eight_intervals) {
    lab_one(lab, 8, 32, eight_intervals);
}

static void several_blocks(struct lab *lab, const struct lab_case *c) {
    double pi;

    lab_set_diagnoser(lab, pi_diagnose);
    pi_compute(lab, c->n, c->block, 4, &pi);
}

/* As many points as threads, but for one. */
LAB_TEST(example, shares_points_among_blocks) {
    lab_one(lab, 4 * 64 - 1, 64, several_blocks);
}

/* Fifteen points a thread, sixteen for some. */
LAB_TEST(example, strides_through_many_points) {
    lab_one(lab, 4000, 64, several_blocks);
}
