/* The two versions of neighboured pairs: the same claims as for interleaved pairs, at fewer sizes.
 * And what a sum in place leaves behind. */
#include "labs/common/levels/sum.h"
#include "labs/common/sampled.h"

static void neighboured_handful(struct lab *lab, const struct lab_case *c) {
    static const int32_t in[] = {3, 1, -4, 1, -5, 9, 2, -6};

    lab_set_diagnoser(lab, levels_diagnose);
    levels_ints(lab, levels_sums[1].function, in, c->n, c->block);
}

LAB_TEST(example, neighboured_sums_a_handful) {
    lab_one(lab, 8, 8, neighboured_handful);
}

LAB_TEST(example, neighboured_sums_many_blocks) {
    lab_one(lab, 8 * 256, 256, levels_second_case);
}

LAB_TEST(example, packed_sums_many_blocks) {
    lab_one(lab, 8 * 256, 256, levels_third_case);
}

/* Two calls on the same memory, which comes back after each. */
static void sum_twice(struct lab *lab, const struct lab_case *c) {
    int32_t data[] = {5, -2, 7, 4}, sum = 0;
    struct call_arg args[LEVELS_N_ARGS];

    lab_set_diagnoser(lab, levels_diagnose);
    levels_args(args, lab_in("data", data, c->n, sizeof *data), c->block, &sum);
    args[0] = lab_inout("data", data, c->n, sizeof *data);
    for (int call = 0; call < 2; call++) {
        int32_t right = levels_reference(data, c->n);

        if (!lab_call_args(lab, levels_sums[0].function, args, LEVELS_N_ARGS) ||
            !lab_expect_i32(lab, "sum", &sum, &right, 1))
            return;
    }
    lab_predict(lab, "predicted_second_sum",
                "What does sum_interleaved give of what its first call left of 5, -2, 7, 4?", sum,
                "Stride 2 leaves 12, 2, 7, 4, stride 1 leaves 14, 2, 7, 4: these four give 27.");
}

LAB_TEST(example, sums_what_is_left) {
    lab_one(lab, 4, 4, sum_twice);
}

LAB_TEST(edge, neighboured_handles_any_block_size) {
    static const size_t sizes[] = {0, 1, 33, 513, 1000, 10007};
    static const unsigned blocks[] = {2, 3, 32, 100, 512, 1000, 1024};

    LAB_SWEEP(lab, sizes, blocks, levels_second_case);
}

LAB_TEST(edge, packed_handles_any_block_size) {
    static const size_t sizes[] = {0, 1, 33, 513, 1000, 10007};
    static const unsigned blocks[] = {3, 32, 100, 512, 1000, 1024};

    LAB_SWEEP(lab, sizes, blocks, levels_third_case);
}

static void neighboured_sampled(struct lab *lab, const struct lab_case *c) {
    sampled_sum(lab, c, levels_sums[1].function, LAB_I32, levels_args, c->block);
}

static void packed_sampled(struct lab *lab, const struct lab_case *c) {
    sampled_sum(lab, c, levels_sums[2].function, LAB_I32, levels_args, c->block);
}

/* More ints than 31 bits count, and on the simulator, than 32. */
static void sum_beyond_int(struct lab *lab, lab_case_body *body, lab_case_body *sampled_body) {
    static const size_t sizes[] = {513, ((size_t)1 << 31) + 1001};
    static const unsigned blocks[] = {512};

    if (lab_on_gpu(lab)) {
        lab_need_gpu(lab, sizes[1] * sizeof(int32_t) + (sizes[1] >> 4));
        LAB_SWEEP(lab, sizes, blocks, body);
        return;
    }
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, 512, ((size_t)1 << 33) + (1 << 24) + 501, body, sampled_body);
}

LAB_TEST(edge, neighboured_handles_index_beyond_int) {
    sum_beyond_int(lab, levels_second_case, neighboured_sampled);
}

LAB_TEST(edge, packed_handles_index_beyond_int) {
    sum_beyond_int(lab, levels_third_case, packed_sampled);
}

static void any_order(struct lab *lab, lab_case_body *body) {
    static const unsigned blocks[] = {2, 32, 64, 512};

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        lab_any_order(lab, 4 * blocks[i], blocks[i], body);
}

LAB_TEST(safety, neighboured_has_no_race) {
    any_order(lab, levels_second_case);
}

LAB_TEST(safety, packed_has_no_race) {
    any_order(lab, levels_third_case);
}

static void time_pairs(struct lab *lab, const char *function) {
    timed_sum(lab, function, LAB_I32, (size_t)1 << 28, levels_args, levels_diagnose);
}

LAB_TEST(speed, neighboured_at_2_28) {
    time_pairs(lab, levels_sums[1].function);
}

LAB_TEST(speed, packed_at_2_28) {
    time_pairs(lab, levels_sums[2].function);
}
