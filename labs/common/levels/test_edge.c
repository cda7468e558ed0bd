/* Sizes at which sums go wrong. All inputs are drawn: no two neighbours are equal, so an index that
 * is off by one shows, and none is 0, so an element that is left out shows. */
#include "labs/common/levels/sum.h"
#include "labs/common/sampled.h"

static const unsigned usual_blocks[] = {32, 256, 1024};

LAB_TEST(edge, handles_empty_input) {
    static const size_t sizes[] = {0};

    LAB_SWEEP(lab, sizes, usual_blocks, levels_case);
}

LAB_TEST(edge, handles_single_element) {
    static const size_t sizes[] = {1};
    static const unsigned blocks[] = {2, 32, 256, 1024};

    LAB_SWEEP(lab, sizes, blocks, levels_case);
}

/* Sums that only 32 bits and all of them give: those of a block, and of all. */
static void sum_special(struct lab *lab, const struct lab_case *c) {
    static const int32_t sums[] = {-1, 0, INT32_MIN, INT32_MAX};
    int32_t *in = lab_random_i32(lab, c->n);

    lab_set_diagnoser(lab, NULL); /* such sums have causes of their own */
    for (size_t i = 0; i < sizeof sums / sizeof *sums && !lab_failed(lab); i++) {
        for (size_t last = c->n; last > 0; last -= c->block) {
            uint32_t others = (uint32_t)levels_reference(in + last - c->block, c->block - 1);

            in[last - 1] = (int32_t)((uint32_t)(last == c->n ? sums[i] : 0) - others);
        }
        for (const struct levels_sum *f = levels_sums; f->function != NULL && !lab_failed(lab); f++)
            levels_ints(lab, f->function, in, c->n, c->block);
    }
}

LAB_TEST(edge, handles_sizes_around_a_warp) {
    static const size_t sizes[] = {2, 3, 7, 31, 32, 33, 63, 64, 65};
    static const unsigned blocks[] = {32, 64, 128};

    LAB_SWEEP(lab, sizes, blocks, levels_case);
    lab_one(lab, 64, 64, sum_special);
    lab_one(lab, 3 * 64, 64, sum_special);
}

/* One less and one more than one block, than two, and primes. */
LAB_TEST(edge, handles_partial_last_block) {
    static const size_t sizes[] = {97,  127,  129,  255,  257,  511,  513,
                                   767, 1009, 1023, 1025, 2047, 2049, 5003};
    static const unsigned blocks[] = {32, 128, 512, 1024};

    LAB_SWEEP(lab, sizes, blocks, levels_case);
}

/* Blocks that are no power of two have threads without a neighbour; blocks that are no multiple of
 * 32 end in a partial warp. */
LAB_TEST(edge, handles_any_block_size) {
    static const size_t sizes[] = {1, 96, 1000, 4096};
    static const unsigned blocks[] = {2, 3, 31, 33, 64, 96, 100, 500, 512, 1000, 1023, 1024};

    LAB_SWEEP(lab, sizes, blocks, levels_case);
}

/* Two levels hold block * block ints; these need three and more. The first one is 2 * 2 * 2: with a
 * partial block at a level, a level that is left out and a block that is left out can come to the
 * same sum, and only the simulator could tell which it was. */
LAB_TEST(edge, handles_several_levels) {
    static const size_t small_sizes[] = {8, 17, 1000}, sizes[] = {1025, 10007, 32769};
    static const unsigned small_blocks[] = {2, 7}, blocks[] = {32, 64};

    LAB_SWEEP(lab, small_sizes, small_blocks, levels_case);
    LAB_SWEEP(lab, sizes, blocks, levels_case);
}

LAB_TEST(edge, handles_a_million_and_one) {
    static const size_t sizes[] = {513, 1 << 20, (1 << 20) + 1};
    static const unsigned blocks[] = {512};

    LAB_SWEEP(lab, sizes, blocks, levels_case);
}

/* Sums one size on a GPU. Smaller ones come first: what is wrong there, too, is wrong for another
 * reason than the size, and easier to look at. */
static void sum_on_gpu(struct lab *lab, size_t n) {
    const size_t sizes[] = {512, 513, (1 << 20) + 1, n}, bytes = n * sizeof(int32_t);
    static const unsigned blocks[] = {512};

    lab_need_gpu(lab, bytes + bytes / 64);
    LAB_SWEEP(lab, sizes, blocks, levels_case);
}

/* The same by a sample of the blocks. */
static void sum_sampled(struct lab *lab, const struct lab_case *c) {
    sampled_sum(lab, c, levels_sums[0].function, LAB_I32, levels_args, c->block);
    if (!lab_failed(lab))
        sampled_expect_all(lab, c, SAMPLED_UP, NULL, NULL);
}

static void sum_large(struct lab *lab, size_t beyond) {
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, 512, beyond, levels_case, sum_sampled);
}

LAB_TEST(edge, handles_2_28) {
    if (lab_on_gpu(lab))
        sum_on_gpu(lab, (size_t)1 << 28);
    else
        sum_large(lab, 0);
}

/* An index of 32 bits wraps around at 2^31 or 2^32. */
LAB_TEST(edge, handles_index_beyond_int) {
    if (lab_on_gpu(lab))
        sum_on_gpu(lab, ((size_t)1 << 31) + 1001);
    else
        sum_large(lab, ((size_t)1 << 33) + (1 << 24) + 501);
}
