/* The tests to read first: one for each function, as the handout works it out. */
#include "labs/00-first-kernel/tests/map_case.h"

LAB_TEST(example, scales_a_handful) {
    lab_one(lab, 10, 4, scale_case);
}

LAB_TEST(example, scales_many_blocks) {
    lab_one(lab, 8 * 256, 256, scale_case);
}

LAB_TEST(example, copies_there_and_back) {
    lab_one(lab, 10, 256, host_case);
}

static void small_picture(struct lab *lab, const struct lab_case *c) {
    negative_of(lab, (unsigned)c->n, 3, c->n);
}

/* Five pixels by three, in one block. */
LAB_TEST(example, makes_a_negative) {
    lab_one(lab, 5, 32, small_picture);
}

static void three_rounds(struct lab *lab, const struct lab_case *c) {
    scale_in_blocks(lab, c, 2);
}

/* Eight threads: each takes three numbers. */
LAB_TEST(example, goes_on_to_the_next) {
    lab_one(lab, 24, 4, three_rounds);
}
