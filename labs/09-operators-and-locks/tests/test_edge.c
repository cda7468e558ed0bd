/* Sizes around a warp, a block and a grid; and elements that tell operators apart. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "labs/09-operators-and-locks/tests/operators.h"
#include "labs/common/sampled.h"

/* From 8,192 ints on, threads of blocks of 1,024 have more than one each; in blocks of 32, 40,009
 * are more partial results than a block has threads. */
static void take_any_size(struct lab *lab, lab_case_body *body) {
    static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 97, 511, 512, 513, 1000, 40009};
    static const unsigned blocks[] = {64, 32, 256, 1024};
    static const size_t large_sizes[] = {513, (1 << 20) + 1};

    LAB_SWEEP(lab, sizes, blocks, body);
    lab_sweep(lab, large_sizes, 2, (const unsigned[]){512}, 1, body);
}

LAB_TEST(edge, partials_take_any_size) {
    take_any_size(lab, by_partials_case);
    lab_one(lab, 1 << 20, 512, by_partials_case);
}

LAB_TEST(edge, max_takes_any_size) {
    take_any_size(lab, max_case);
}

LAB_TEST(edge, min_takes_any_size) {
    take_any_size(lab, min_case);
}

LAB_TEST(edge, argmax_takes_any_size) {
    take_any_size(lab, argmax_case);
}

LAB_TEST(edge, moments_take_any_size) {
    take_any_size(lab, moments_case);
}

LAB_TEST(edge, threads_take_any_size) {
    take_any_size(lab, by_threads_case);
}

LAB_TEST(edge, blocks_take_any_size) {
    take_any_size(lab, by_blocks_case);
}

LAB_TEST(edge, lock_takes_any_size) {
    take_any_size(lab, by_lock_case);
}

static const size_t few_sizes[] = {1, 20, 513, 5000};
static const unsigned few_blocks[] = {64, 256};

static void max_of_negatives(struct lab *lab, const struct lab_case *c) {
    extreme_case(lab, "max_of", -1, c);
}

static void min_of_positives(struct lab *lab, const struct lab_case *c) {
    extreme_case(lab, "min_of", 1, c);
}

LAB_TEST(edge, extremes_of_one_sign) {
    LAB_SWEEP(lab, few_sizes, few_blocks, max_of_negatives);
    LAB_SWEEP(lab, few_sizes, few_blocks, min_of_positives);
}

/* Infinities that are all there is: they are the result, and not what no element has. */
static float *all_the_same(struct lab *lab, size_t n, float value) {
    float *in = lab_memory(lab, n * sizeof *in);

    for (size_t i = 0; i < n; i++)
        in[i] = value;
    return in;
}

static void extremes_infinite(struct lab *lab, const struct lab_case *c) {
    extreme_of(lab, "max_of", all_the_same(lab, c->n, -INFINITY), c);
    extreme_of(lab, "min_of", all_the_same(lab, c->n, INFINITY), c);
}

/* Both infinities, whose sum is NaN though none of them is. */
static void extremes_of_both(struct lab *lab, const struct lab_case *c) {
    float *in = all_the_same(lab, c->n, INFINITY);

    for (size_t i = 1; i < c->n; i += 2)
        in[i] = -INFINITY;
    extreme_of(lab, "max_of", in, c);
    extreme_of(lab, "min_of", in, c);
}

static void argmax_infinite(struct lab *lab, const struct lab_case *c) {
    largest_of(lab, all_the_same(lab, c->n, -INFINITY), c);
}

LAB_TEST(edge, extremes_of_infinities) {
    LAB_SWEEP(lab, few_sizes, few_blocks, extremes_infinite);
    LAB_SWEEP(lab, few_sizes, few_blocks, extremes_of_both);
}

/* Drawn floats with a NaN at one place, or at three. Small numbers of elements have their NaN in
 * another thread each time. */
static float *with_nan(struct lab *lab, const struct lab_case *c, unsigned way) {
    struct lab_drawn drawn = lab_draw(lab, LAB_F32, c->n);
    float *in = lab_drawn_f32(lab, &drawn);
    const size_t places[] = {0, c->n - 1, c->n / 2, c->n / 3};

    in[places[way]] = NAN;
    if (way == 3)
        in[c->n - 1] = in[c->n / 2] = NAN;
    return in;
}

static void extremes_nan(struct lab *lab, const struct lab_case *c) {
    for (unsigned way = 0; way < 4; way++) {
        extreme_of(lab, "max_of", with_nan(lab, c, way), c);
        extreme_of(lab, "min_of", with_nan(lab, c, way), c);
    }
}

static void argmax_nan(struct lab *lab, const struct lab_case *c) {
    for (unsigned way = 0; way < 4; way++)
        largest_of(lab, with_nan(lab, c, way), c);
}

LAB_TEST(edge, extremes_know_nan) {
    LAB_SWEEP(lab, few_sizes, few_blocks, extremes_nan);
}

LAB_TEST(edge, argmax_knows_nan) {
    LAB_SWEEP(lab, few_sizes, few_blocks, argmax_nan);
    LAB_SWEEP(lab, few_sizes, few_blocks, argmax_infinite);
}

/* Four different values, so that a quarter of the elements is the largest. */
static void argmax_ties(struct lab *lab, const struct lab_case *c) {
    struct lab_drawn drawn = lab_draw(lab, LAB_F32, c->n);
    float *in = lab_drawn_f32(lab, &drawn);

    for (size_t i = 0; i < c->n; i++)
        in[i] = floorf(in[i] / 64);
    largest_of(lab, in, c);
}

LAB_TEST(edge, argmax_ties_go_to_the_smaller_index) {
    static const size_t sizes[] = {2, 20, 64, 513, 5000, 20011};

    LAB_SWEEP(lab, sizes, few_blocks, argmax_ties);
}

/* The same numbers around 0 first: what is right there, and wrong here, is wrong for the distance.
 */
static void moments_far_away(struct lab *lab, const struct lab_case *c) {
    if (moments_case_at(lab, c, 0))
        moments_case_at(lab, c, 0x1p30);
}

LAB_TEST(edge, moments_far_from_0) {
    LAB_SWEEP(lab, few_sizes, few_blocks, moments_far_away);
}

static void by_partials_sampled(struct lab *lab, const struct lab_case *c) {
    sampled_sum(lab, c, by_partials.function, LAB_I32, by_partials_args, c->block);
}

static void by_threads_sampled(struct lab *lab, const struct lab_case *c) {
    sampled_sum(lab, c, by_threads.function, LAB_I32, by_threads_args, c->block);
}

static void by_blocks_sampled(struct lab *lab, const struct lab_case *c) {
    sampled_sum(lab, c, by_blocks.function, LAB_I32, by_blocks_args, c->block);
}

static void by_lock_sampled(struct lab *lab, const struct lab_case *c) {
    sampled_sum(lab, c, by_lock.function, LAB_I32, by_lock_args, c->block);
}

/* Ones in the last quarter of zeros: the first of them that a block of the sample finds is the
 * largest. It lies beyond 2^32. */
static void argmax_sampled(struct lab *lab, const struct lab_case *c) {
    struct sampled_part part = sampled_quarter(c->n, true);
    struct call_arg args[OPERATORS_MAX_ARGS];
    struct largest best = {0, 0};
    const float one = 1;
    uint32_t bits;
    size_t n_args;

    memcpy(&bits, &one, sizeof bits);
    lab_set_diagnoser(lab, sampled_diagnose);
    n_args =
        argmax_args(args, lab_in_set("in", bits, part.first, part.count, c->n), c->block, &best);
    args[3].sparse.is_on = true;
    if (lab_call_sharing(lab, "argmax", args, n_args, c->n) &&
        (best.value != 1 || best.index < part.first || best.index >= part.first + part.count))
        lab_fail(lab, "wrong_answer",
                 "argmax of %zu floats gave index %zu; only in[%zu] to in[%zu] are not 0.", c->n,
                 best.index, part.first, part.first + part.count - 1);
}

/* More ints than 31 bits count, and on the simulator, than 32. */
static void go_beyond_int(struct lab *lab, size_t beyond, lab_case_body *body,
                          lab_case_body *sampled_body) {
    static const size_t sizes[] = {513, ((size_t)1 << 31) + 1001};
    static const unsigned blocks[] = {1024};

    if (lab_on_gpu(lab)) {
        lab_need_gpu(lab, sizes[1] * sizeof(int32_t) + (1 << 20));
        LAB_SWEEP(lab, sizes, blocks, body);
        return;
    }
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, 1024, beyond + (1 << 24) + 501, body, sampled_body);
}

LAB_TEST(edge, partials_go_beyond_int) {
    go_beyond_int(lab, (size_t)1 << 32, by_partials_case, by_partials_sampled);
}

LAB_TEST(edge, argmax_goes_beyond_int) {
    go_beyond_int(lab, (size_t)1 << 33, argmax_case, argmax_sampled);
}

LAB_TEST(edge, atomics_go_beyond_int) {
    go_beyond_int(lab, (size_t)1 << 32, by_blocks_case, by_blocks_sampled);
    if (!lab_on_gpu(lab))
        go_beyond_int(lab, (size_t)1 << 32, by_threads_case, by_threads_sampled);
}

LAB_TEST(edge, lock_goes_beyond_int) {
    go_beyond_int(lab, (size_t)1 << 32, by_lock_case, by_lock_sampled);
}
