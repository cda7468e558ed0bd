/* What all seven promise: nothing is kept from one call to the next, and errors are returned. */
#include "labs/08-the-ladder/tests/rungs.h"

#define CASE(place, NAME, name)                                                                    \
    static void name##_case(struct lab *lab, const struct lab_case *c) {                           \
        levels_case_of(lab, &levels_sums[NAME], c);                                                \
    }
RUNGS(CASE)
#undef CASE

/* The same size, a smaller one and a larger one after the first: results that were kept are wrong
 * for other numbers at the same addresses. */
LAB_TEST(safety, keeps_no_state) {
    static const size_t sizes[] = {5000, 5000, 1666, 20000};
#define CASE(place, NAME, name) name##_case,
    static lab_case_body *const cases[] = {RUNGS(CASE)};
#undef CASE

    for (size_t i = 0; i < N_RUNGS; i++)
        lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, cases[i]);
}

/* Of one function; the block that is asked for is one that there is, the calls' may be another. */
static void call_all(struct lab *lab, const struct lab_case *c, unsigned block, const char *why) {
    struct call_arg args[LEVELS_N_ARGS];
    struct call_arg in = lab_in("in", lab_random_i32(lab, c->n), c->n, sizeof(int32_t));
    int32_t sum;

    lab_set_diagnoser(lab, levels_diagnose);
    levels_args(args, in, c->block, &sum);
    args[2].value.u64 = block;
    for (size_t i = 0; i < N_RUNGS; i++)
        if (why != NULL)
            lab_call_invalid_args(lab, levels_sums[i].function, why, args, LEVELS_N_ARGS);
        else
            lab_returns_refusals_args(lab, levels_sums[i].function, args, LEVELS_N_ARGS);
}

static void refuse_other_blocks(struct lab *lab, const struct lab_case *c) {
    call_all(lab, c, 0, "blocks of 0 threads");
    call_all(lab, c, 32, "blocks of 32 threads");
    call_all(lab, c, 96, "blocks of 96 threads");
    call_all(lab, c, 2048, "blocks of 2,048 threads");
}

/* Each launch of several levels, for no reason that the function could know. */
static void lose_a_launch(struct lab *lab, const struct lab_case *c) {
    call_all(lab, c, c->block, NULL);
}

LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 64, lose_a_launch);
    lab_one(lab, 5000, 64, refuse_other_blocks);
}
