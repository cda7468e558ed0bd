/* Sizes at which sums and scans go wrong. All inputs are drawn: no two neighbours are equal, so an
 * index that is off by one shows, and none is 0, so an element that is left out shows. */
#include "labs/14-capstone/tests/fast.h"
#include "labs/common/many.h"
#include "labs/common/sampled.h"

/* A million ints; with room for a busy machine. */
enum { MILLION_MS = 20000 };

/* Around a quad, a warp, and what blocks may take; primes. */
static const size_t any_sizes[] = {0,    1,    2,    3,     4,     5,     31,    32,    33,   127,
                                   129,  255,  257,  1009,  1023,  1025,  2047,  2049,  4095, 4097,
                                   5003, 8191, 8193, 16383, 16385, 32767, 32769, 65537, 70001};
static const unsigned any_blocks[] = {ANY_BLOCK};

LAB_TEST(edge, sums_any_size) {
    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, any_sizes, any_blocks, fast_sum_case);
}

LAB_TEST(edge, scans_any_size) {
    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, any_sizes, any_blocks, fast_scan_case);
    lab_one(lab, 70001, ANY_BLOCK, fast_scan_zeros);
}

/* On the simulator buffers begin one int behind a round address here. */
static const size_t shifted_sizes[] = {1, 3, 20, 1000, 4096, 40000};

LAB_TEST(edge, sums_from_any_address) {
    lab_in_turn(lab, shifted_sizes, sizeof shifted_sizes / sizeof *shifted_sizes, ANY_BLOCK,
                fast_sum_case);
}

LAB_TEST(edge, scans_from_any_address) {
    static lab_case_body *const bodies[] = {fast_scan_case, fast_scan_from_round,
                                            fast_scan_to_round};

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        lab_in_turn(lab, shifted_sizes, sizeof shifted_sizes / sizeof *shifted_sizes, ANY_BLOCK,
                    bodies[i]);
}

/* More partial sums than one block adds up at once. */
enum { EIGHT_MILLION = (1 << 23) + 5 };

static const size_t millions[] = {513, 1 << 20, (1 << 20) + 1};

LAB_TEST(edge, sums_a_million_and_one) {
    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, millions, any_blocks, fast_sum_case);
    lab_one(lab, EIGHT_MILLION, ANY_BLOCK, fast_sum_case);
}

LAB_TEST(edge, scans_a_million_and_one) {
    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, millions, any_blocks, fast_scan_case);
}

static void sum_sampled(struct lab *lab, const struct lab_case *c) {
    sampled_sum(lab, c, "sum_fast", LAB_I32, fast_sum_args, ANY_BLOCK);
}

static void sum_on_gpu(struct lab *lab, const struct lab_case *c) {
    lab_describe(lab, "n = %zu", c->n);
    many_sum(lab, c, "sum_fast", fast_sum_args);
}

/* On the simulator a sample of the blocks sums. */
static void sum_gigabytes(struct lab *lab, size_t on_gpu, size_t beyond) {
    lab_allow_ms(lab, MILLION_MS);
    if (lab_on_gpu(lab)) {
        lab_need_gpu(lab, on_gpu / 16 * 65);
        lab_one(lab, on_gpu / 1024, ANY_BLOCK, sum_on_gpu);
        lab_one(lab, on_gpu, ANY_BLOCK, sum_on_gpu);
    } else {
        sampled_sizes(lab, ANY_BLOCK, beyond, fast_sum_case, sum_sampled);
    }
}

LAB_TEST(edge, sums_2_28) {
    sum_gigabytes(lab, (size_t)1 << 28, 0);
}

LAB_TEST(edge, sums_beyond_int) {
    sum_gigabytes(lab, ((size_t)1 << 31) + 1001, ((size_t)1 << 33) + (1 << 24) + 1001);
}

static void mapped_scan_case(struct lab *lab, const struct lab_case *c) {
    struct fast_mapped fast = fast_mapped();

    if (c->n <= MAPPED_IN_MEMORY) {
        fast_scan_case(lab, c);
        return;
    }
    mapped_case(lab, c, &fast.scan.map);
}

/* On a GPU alone: no sample of blocks can stand for all where they wait for each other. */
LAB_TEST(edge, scans_2_28) {
    mapped_sizes(lab, (size_t)1 << 28, ANY_BLOCK, mapped_scan_case);
}

LAB_TEST(edge, scans_2_gigabytes) {
    mapped_sizes(lab, ((size_t)1 << 29) + 1001, ANY_BLOCK, mapped_scan_case);
}
