/* The version between: the same claims as for the halving stride, at fewer sizes. */
#include "labs/common/levels/sum.h"
#include "labs/common/sampled.h"

static void strided_case(struct lab *lab, const struct lab_case *c) {
    levels_case_of(lab, &levels_sums[1], c);
}

LAB_TEST(example, strided_sums_many_blocks) {
    lab_one(lab, 8 * 256, 256, strided_case);
}

LAB_TEST(edge, strided_handles_any_block_size) {
    static const size_t sizes[] = {0, 1, 33, 513, 1000, 10007};
    static const unsigned blocks[] = {3, 32, 100, 512, 1000, 1024};

    LAB_SWEEP(lab, sizes, blocks, strided_case);
}

static void strided_sampled(struct lab *lab, const struct lab_case *c) {
    sampled_sum(lab, c, levels_sums[1].function, LAB_I32, levels_args, c->block);
}

LAB_TEST(edge, strided_handles_index_beyond_int) {
    static const size_t sizes[] = {513, ((size_t)1 << 31) + 1001};
    static const unsigned blocks[] = {512};

    if (lab_on_gpu(lab)) {
        lab_need_gpu(lab, sizes[1] * sizeof(int32_t) + (sizes[1] >> 4));
        LAB_SWEEP(lab, sizes, blocks, strided_case);
        return;
    }
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, 512, ((size_t)1 << 33) + (1 << 24) + 501, strided_case, strided_sampled);
}

LAB_TEST(safety, strided_has_no_race) {
    static const unsigned blocks[] = {2, 32, 64, 512};

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        lab_any_order(lab, 4 * blocks[i], blocks[i], strided_case);
}

LAB_TEST(speed, strided_at_2_28) {
    timed_sum(lab, levels_sums[1].function, LAB_I32, (size_t)1 << 28, levels_args, levels_diagnose);
}
