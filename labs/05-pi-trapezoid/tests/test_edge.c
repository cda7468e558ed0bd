/* Sizes at which the rule goes wrong. The value asked for is the rule's for this n, not pi: a
 * constant is right for none of them. */
#include "labs/05-pi-trapezoid/tests/pi_case.h"

#include <math.h>

#include "labs/common/sampled.h"

/* With room for a busy machine. */
enum { MILLION_MS = 20000 };

static const unsigned usual_blocks[] = {32, 256, 1024};

LAB_TEST(edge, handles_no_intervals) {
    static const size_t sizes[] = {0};

    LAB_SWEEP(lab, sizes, usual_blocks, pi_case);
}

/* A triangle, and two trapezoids: 2, and 1 + sqrt(3). */
LAB_TEST(edge, handles_one_and_two_intervals) {
    static const size_t sizes[] = {1, 2};
    static const unsigned blocks[] = {1, 32, 256, 1024};

    LAB_SWEEP(lab, sizes, blocks, pi_case);
}

LAB_TEST(edge, handles_sizes_around_a_warp) {
    static const size_t sizes[] = {3, 7, 30, 31, 32, 33, 49, 63, 64, 65};
    static const unsigned blocks[] = {32, 64, 128};

    LAB_SWEEP(lab, sizes, blocks, pi_case);
}

/* Sizes that no grid divides. */
LAB_TEST(edge, handles_any_remainder) {
    static const size_t sizes[] = {97,   127,  128,  129,  255,  257,   509,   511,  513,
                                   1009, 1023, 1025, 5003, 8191, 10007, 20011, 40009};
    static const unsigned blocks[] = {32, 128, 512, 1024};

    LAB_SWEEP(lab, sizes, blocks, pi_case);
}

/* More partial sums than any block has threads to add them up. */
static void many_partials(struct lab *lab, const struct lab_case *c) {
    double pi;

    lab_set_diagnoser(lab, pi_diagnose);
    pi_compute(lab, c->n, c->block, 1100, &pi);
}

/* Blocks that are no power of two, or no multiple of 32; and more of them than a block may have
 * threads. */
LAB_TEST(edge, handles_any_block_size) {
    static const size_t sizes[] = {1, 96, 1000, 4096};
    static const unsigned blocks[] = {1, 2, 3, 31, 33, 96, 100, 500, 512, 1000, 1023, 1024};

    LAB_SWEEP(lab, sizes, blocks, pi_case);
    lab_one(lab, 100003, 64, many_partials);
}

/* The square of a number of a point is more than an int holds from 46,341 on. */
LAB_TEST(edge, handles_squares_beyond_int) {
    static const size_t sizes[] = {1000, 50000, 100003, (1 << 17) + 1};
    static const unsigned blocks[] = {256};

    LAB_SWEEP(lab, sizes, blocks, pi_case);
}

LAB_TEST(edge, handles_a_million_and_one) {
    static const size_t sizes[] = {513, 1 << 20, (1 << 20) + 1};
    static const unsigned blocks[] = {512};

    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, sizes, blocks, pi_case);
}

/* Many points on a GPU, with a grid for them. */
static void many_points(struct lab *lab, const struct lab_case *c) {
    double pi;

    lab_set_diagnoser(lab, pi_diagnose);
    pi_compute(lab, c->n, c->block, 4224, &pi);
}

static void compute_on_gpu(struct lab *lab, size_t n) {
    const size_t sizes[] = {513, (1 << 20) + 1, n};
    static const unsigned blocks[] = {256};

    lab_need_gpu(lab, 1 << 20);
    lab_allow_ms(lab, MILLION_MS);
    lab_sweep(lab, sizes, sizeof sizes / sizeof *sizes, blocks, 1, many_points);
}

/* A sample of the blocks adds up the same share of any number of points in any grid. How many of
 * them run does depend on the number, where points cost much: each has stored its partial sum, or
 * added it. What all would make of pi. */
static bool compute_sampled(struct lab *lab, size_t n, unsigned block, unsigned blocks,
                            double *pi) {
    struct call_arg args[PI_N_ARGS];

    *pi = NAN;
    pi_args(args, n, block, blocks, pi);
    args[3].sparse.is_on = true;
    bool is_good = lab_call_briefly(lab, "pi_trapezoid", args, PI_N_ARGS);
    const size_t largest = lab_largest_launch(lab);
    uint64_t n_stored = lab_counter(lab, largest, "global_stores");
    if (n_stored == 0)
        n_stored = lab_counter(lab, largest, "atomics");
    *pi *= n_stored > 0 ? (double)blocks / (double)n_stored : 1;
    return is_good;
}

/* What a sample may make of pi: the blocks that run lie in pairs, as far from 0 as from 1. */
#define LEAST_PI 2.7
#define MOST_PI  3.6

/* Four points a thread; beyond 32 bits one or two, of 1.5 * 2^32 threads: those of the last third
 * have a first point whose number 32 bits do not hold. */
static void sampled_points(struct lab *lab, const struct lab_case *c) {
    const bool is_beyond = c->n > UINT32_MAX;
    struct lab_shares shares = {.what = "what all blocks would make of pi is",
                                .of_first = "for 2^26 intervals",
                                .of_last = "for n",
                                .least = 0.1};

    lab_set_diagnoser(lab, is_beyond ? sampled_diagnose : NULL);
    if (compute_sampled(lab, (size_t)1 << 26, c->block, 1 << 18, &shares.first) &&
        compute_sampled(lab, c->n, is_beyond ? 1024 : c->block, is_beyond ? 3 << 21 : 1 << 18,
                        &shares.last) &&
        lab_expect_alike(lab, &shares) && (shares.last < LEAST_PI || shares.last > MOST_PI))
        lab_fail(lab, "wrong_answer",
                 "%s, of which a sample of the blocks was run: all would make %.3f of pi for n = "
                 "%zu.",
                 lab_function(lab), shares.last, c->n);
}

static void compute_large(struct lab *lab, size_t beyond) {
    lab_allow_ms(lab, MILLION_MS);
    sampled_sizes(lab, 256, beyond, pi_case, sampled_points);
}

LAB_TEST(edge, handles_2_28) {
    if (lab_on_gpu(lab))
        compute_on_gpu(lab, (size_t)1 << 28);
    else
        compute_large(lab, 0);
}

/* A number of a point of 32 bits wraps around. */
LAB_TEST(edge, handles_points_beyond_32_bits) {
    if (lab_on_gpu(lab))
        compute_on_gpu(lab, ((size_t)1 << 32) + 1001);
    else
        compute_large(lab, ((size_t)1 << 33) + 1001);
}
