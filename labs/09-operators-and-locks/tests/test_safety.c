/* What a right answer never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/09-operators-and-locks/tests/operators.h"

/* Full blocks first, so that nothing but the order of accesses can be wrong. */
static void keep_in_order(struct lab *lab, lab_case_body *body) {
    lab_any_order(lab, 64, 64, body);
    lab_any_order(lab, 9 * 8 * 64, 64, body);
    lab_any_order(lab, 5000, 256, body);
}

LAB_TEST(safety, partials_have_no_race) {
    keep_in_order(lab, by_partials_case);
}

LAB_TEST(safety, operators_have_no_race) {
    keep_in_order(lab, max_case);
    keep_in_order(lab, min_case);
    keep_in_order(lab, argmax_case);
    keep_in_order(lab, moments_case);
}

LAB_TEST(safety, atomics_have_no_race) {
    keep_in_order(lab, by_threads_case);
    keep_in_order(lab, by_blocks_case);
}

LAB_TEST(safety, lock_has_no_race) {
    keep_in_order(lab, by_lock_case);
}

/* The same size, a smaller one and a larger one after the first: results that were kept are wrong
 * for other elements at the same addresses. */
LAB_TEST(safety, keeps_no_state) {
    static const size_t sizes[] = {5000, 5000, 1666, 20000, 0};
    static lab_case_body *const cases[] = {by_partials_case, max_case,     min_case,
                                           argmax_case,      moments_case, by_threads_case,
                                           by_blocks_case,   by_lock_case};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, cases[i]);
}

static bool refuse(struct lab *lab, const char *function, const char *why, struct call_arg *args,
                   size_t n_args) {
    (void)why;
    return lab_returns_refusals_args(lab, function, args, n_args);
}

/* Each launch, allocation, copy and fill, for no reason that the function could know. */
static void lose_a_launch(struct lab *lab, const struct lab_case *c) {
    operators_each(lab, c, c->block, NULL, refuse);
}

static void refuse_other_blocks(struct lab *lab, const struct lab_case *c) {
    operators_each(lab, c, 0, "blocks of 0 threads", lab_call_invalid_args);
    operators_each(lab, c, 16, "blocks of 16 threads", lab_call_invalid_args);
    operators_each(lab, c, 96, "blocks of 96 threads", lab_call_invalid_args);
    operators_each(lab, c, 2048, "blocks of 2,048 threads", lab_call_invalid_args);
}

LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 64, lose_a_launch);
    lab_one(lab, 0, 64, lose_a_launch);
    lab_one(lab, 5000, 64, refuse_other_blocks);
}
