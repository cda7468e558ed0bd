/* What a correct kernel never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/00-first-kernel/tests/map_case.h"

/* Threads of a block that no device has; of 16 bits, 32 would be left. */
enum { BEYOND_16_BITS = (1 << 16) + 32 };

static const unsigned odd_blocks[] = {32, 48, 100, 512};

LAB_TEST(safety, stays_inside_its_arrays) {
    static const size_t sizes[] = {1, 31, 33, 100, 513, 1025, 4097};

    LAB_SWEEP(lab, sizes, odd_blocks, scale_case);
}

LAB_TEST(safety, stays_inside_the_picture) {
    static const size_t sizes[] = {1, 2, 5, 31, 33, 66, 100, 129};
    static const unsigned blocks[] = {32};

    LAB_SWEEP(lab, sizes, blocks, negative_case);
}

LAB_TEST(safety, shares_no_number) {
    static const size_t sizes[] = {64, 100, 1000, 5003};

    LAB_SWEEP(lab, sizes, odd_blocks, strided_case);
    lab_any_order(lab, 777, 64, strided_case);
}

/* In other orders work is done no earlier than the host waits for it. */
LAB_TEST(safety, frees_its_memory) {
    static const size_t sizes[] = {5000, 5000, 1666, 5000, 20000};

    lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 256, host_case);
    lab_any_order(lab, 777, 256, host_case);
}

LAB_TEST(safety, keeps_no_state) {
    static const size_t sizes[] = {500, 500, 166, 500, 2000};

    lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, scale_case);
    lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, negative_case);
    lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, strided_case);
}

static void refuse_block(struct lab *lab, const struct lab_case *c, int which) {
    struct call_arg args[MAP_MAX_ARGS];
    size_t n_args = map_functions[which].args(lab, c, args);
    char why[64];

    lab_set_diagnoser(lab, map_diagnose);
    snprintf(why, sizeof why, "a block of %u threads", c->block);
    lab_call_refused_args(lab, map_functions[which].name, why, args, n_args);
}

static void refuse_launch(struct lab *lab, const struct lab_case *c, int which) {
    struct call_arg args[MAP_MAX_ARGS];
    size_t n_args = map_functions[which].args(lab, c, args);

    lab_set_diagnoser(lab, map_diagnose);
    lab_returns_refusals_args(lab, map_functions[which].name, args, n_args);
}

static void scale_in_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    refuse_block(lab, c, MAP_SCALE);
}

static void scale_without_a_launch(struct lab *lab, const struct lab_case *c) {
    refuse_launch(lab, c, MAP_SCALE);
}

LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 1025, scale_in_impossible_blocks);
    lab_one(lab, 5000, BEYOND_16_BITS, scale_in_impossible_blocks);
    lab_one(lab, 5000, 64, scale_without_a_launch);
}

/* A launch that is refused: its error comes back, and no memory is kept. */
static void host_without_a_launch(struct lab *lab, const struct lab_case *c) {
    refuse_launch(lab, c, MAP_ON_HOST);
}

LAB_TEST(safety, hands_errors_on) {
    lab_one(lab, 5000, 256, host_without_a_launch);
}

static void negative_without_a_launch(struct lab *lab, const struct lab_case *c) {
    refuse_launch(lab, c, MAP_NEGATIVE);
}

static void strided_without_a_launch(struct lab *lab, const struct lab_case *c) {
    refuse_launch(lab, c, MAP_STRIDED);
}

static void strided_in_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    refuse_block(lab, c, MAP_STRIDED);
}

LAB_TEST(safety, returns_errors_of_other_launches) {
    lab_one(lab, 500, 32, negative_without_a_launch);
    lab_one(lab, 5000, 64, strided_without_a_launch);
    lab_one(lab, 5000, 1025, strided_in_impossible_blocks);
    lab_one(lab, 5000, BEYOND_16_BITS, strided_in_impossible_blocks);
}
