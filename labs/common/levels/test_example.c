/* The tests to read first: the sums that the handout works out. */
#include "labs/common/levels/sum.h"

static void sum_a_handful(struct lab *lab, const struct lab_case *c) {
    static const int32_t in[] = {3, 1, -4, 1, -5, 9, 2, -6};

    lab_set_diagnoser(lab, levels_diagnose);
    levels_ints(lab, levels_sums[0].function, in, c->n, c->block);
}

LAB_TEST(example, sums_a_handful) {
    lab_one(lab, 8, 8, sum_a_handful);
}

LAB_TEST(example, sums_one_block) {
    lab_one(lab, 256, 256, levels_case);
}

/* Eight partial sums, which want summing in turn. */
LAB_TEST(example, sums_many_blocks) {
    lab_one(lab, 8 * 256, 256, levels_case);
}
