/* Sizes at which sums go wrong, on whole numbers, whose sums are exact: a lane that is left out or
 * taken twice always shows. */
#include <string.h>

#include "labs/03-warp-shuffle-sum/tests/shuffle.h"
#include "labs/common/sampled.h"

static const size_t warp_sizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 97, 1000, 1009, 5003};
static const unsigned whole_blocks[] = {32, 96, 256, 1024};

LAB_TEST(edge, every_lane_of_a_partial_warp) {
    LAB_SWEEP(lab, warp_sizes, whole_blocks, warps_all_case);
}

LAB_TEST(edge, lane_0_of_a_partial_warp) {
    LAB_SWEEP(lab, warp_sizes, whole_blocks, warps_first_case);
}

/* One less and one more than one block, than two, and primes. */
LAB_TEST(edge, handles_partial_last_block) {
    static const size_t sizes[] = {0, 1, 31, 33, 127, 129, 511, 513, 1009, 1025, 5003};
    static const unsigned block_sizes[] = {32, 128, 512, 1024};

    LAB_SWEEP(lab, sizes, block_sizes, blocks_case);
}

/* Blocks that are no multiple of 32 end in a partial warp, if nobody sees to it. */
LAB_TEST(edge, handles_any_block_size) {
    static const size_t sizes[] = {1, 96, 1000, 4096};
    static const unsigned block_sizes[] = {1, 2, 31, 33, 48, 100, 500, 992, 1000, 1023, 1024};

    LAB_SWEEP(lab, sizes, block_sizes, blocks_case);
}

LAB_TEST(edge, sums_any_grid) {
    static const size_t sizes[] = {0, 1, 31, 33, 257, 5003, 65536, 100003};

    LAB_SWEEP(lab, sizes, whole_blocks, grid_case);
}

/* Numbers of 24 bits, whose sums are rounded, each order of additions in its own way. */
static void rounded(struct lab *lab, const struct lab_case *c) {
    if (shuffle_rounded(lab, &warps_all, c) && shuffle_rounded(lab, &warps_first, c) &&
        shuffle_rounded(lab, &blocks, c))
        shuffle_rounded(lab, &grid, c);
}

/* Who has no number adds nothing: not the last one times 0 either. */
static void infinite(struct lab *lab, const struct lab_case *c) {
    if (shuffle_infinite(lab, &warps_all, c) && shuffle_infinite(lab, &warps_first, c) &&
        shuffle_infinite(lab, &blocks, c))
        shuffle_infinite(lab, &grid, c);
}

LAB_TEST(edge, rounds_within_the_bound) {
    static const size_t sizes[] = {33, 1009, 10007};
    static const unsigned block_sizes[] = {32, 512};

    lab_one(lab, 45, 64, infinite);
    LAB_SWEEP(lab, sizes, block_sizes, rounded);
}

LAB_TEST(edge, handles_a_million_and_one) {
    static const size_t sizes[] = {513, 1 << 20, (1 << 20) + 1};
    static const unsigned block_sizes[] = {512};

    LAB_SWEEP(lab, sizes, block_sizes, grid_case);
}

/* Sums one size on a GPU. Smaller ones come first: what is wrong there, too, is wrong for another
 * reason than the size. */
static void sweep_on_gpu(struct lab *lab, size_t n, lab_case_body *body) {
    const size_t sizes[] = {513, (1 << 20) + 1, n};
    static const unsigned block_sizes[] = {512};

    LAB_SWEEP(lab, sizes, block_sizes, body);
}

static void sum_on_gpu(struct lab *lab, size_t n) {
    lab_need_gpu(lab, n * sizeof(float) + (1 << 20));
    sweep_on_gpu(lab, n, grid_case);
}

/* More numbers than 32 bits count; or than 31, where there is no memory for so many. */
static const size_t beyond_32 = ((size_t)1 << 32) + 1003, beyond_31 = ((size_t)1 << 31) + 1003;

static size_t bytes_of(size_t n, size_t numbers_an_output) {
    return n * sizeof(float) + n / numbers_an_output * sizeof(float);
}

/* How many of them the GPU has memory for, and for an output each so many; 0 for neither. */
static size_t fits_on_gpu(struct lab *lab, size_t numbers_an_output) {
    const size_t sizes[] = {beyond_32, beyond_31};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (lab_gpu_has(lab, bytes_of(sizes[i], numbers_an_output) / 64 * 65))
            return sizes[i];
    return 0;
}

/* What takes more memory than there is, is left out. */
static void sum_beyond_int_on_gpu(struct lab *lab) {
    const size_t n_by_groups = fits_on_gpu(lab, 32), n_by_lanes = fits_on_gpu(lab, 1);

    /* There and back at 128 MB a second, which a busy machine may need. */
    lab_allow_ms(lab, 5000 + (int)(bytes_of(n_by_groups, 1) >> 17));
    sum_on_gpu(lab, beyond_31);
    if (n_by_groups > 0) {
        sweep_on_gpu(lab, n_by_groups, blocks_case);
        sweep_on_gpu(lab, n_by_groups, warps_first_case);
    }
    if (n_by_lanes > 0)
        sweep_on_gpu(lab, n_by_lanes, warps_all_case);
}

/* The same by a sample of the blocks. */
static size_t grid_args(struct call_arg *args, struct call_arg in, unsigned block, void *sum) {
    return shuffle_args(args, &grid, in, block, sum);
}

static void sum_sampled(struct lab *lab, const struct lab_case *c) {
    sampled_sum(lab, c, grid.function, LAB_F32_WHOLE, grid_args, c->block);
}

/* A sample of the blocks sums groups of ones in the first quarter of the array or in its last, all
 * else being 0: at how many places of that quarter the sum of a group is its size. False where the
 * call failed. */
static bool count_groups(struct lab *lab, const struct shuffle *f, const struct lab_case *c,
                         bool is_last, double *n_right) {
    const struct sampled_part ones = sampled_quarter(c->n, is_last);
    const size_t group = shuffle_group(f, c->n, c->block);
    const float one = 1;
    uint32_t bits;
    size_t places[LAB_PLACES];
    struct call_arg args[SHUFFLE_N_ARGS];

    memcpy(&bits, &one, sizeof bits);
    shuffle_args(args, f, lab_in_set("in", bits, ones.first, ones.count, c->n), c->block, NULL);
    args[3].sparse.is_on = true;
    if (!lab_call_sampled(lab, f->function, args, SHUFFLE_N_ARGS))
        return false;
    lab_sampled_places(lab, c->n, places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        const float *out = args[3].data;

        *n_right += places[i] >= ones.first && places[i] - ones.first < ones.count &&
                    out[f->for_each ? places[i] : places[i] / group] == (float)group;
    }
    return true;
}

static bool call_again(struct lab *lab, const struct lab_case *c, const void *function) {
    double n_right = 0;

    return count_groups(lab, function, c, false, &n_right);
}

static void groups_sampled(struct lab *lab, const struct shuffle *f, const struct lab_case *c) {
    struct lab_shares shares = {.what = "a group's sum of ones is its size at",
                                .of_first = "places of the first quarter",
                                .of_last = "of the last",
                                .least = LAB_PLACES / 8};

    lab_set_diagnoser(lab, sampled_diagnose);
    if (count_groups(lab, f, c, false, &shares.first) &&
        count_groups(lab, f, c, true, &shares.last) && lab_expect_alike(lab, &shares))
        sampled_expect_all(lab, c, SAMPLED_ONCE, call_again, f);
}

static void warps_all_sampled(struct lab *lab, const struct lab_case *c) {
    groups_sampled(lab, &warps_all, c);
}

static void warps_first_sampled(struct lab *lab, const struct lab_case *c) {
    groups_sampled(lab, &warps_first, c);
}

static void blocks_sampled(struct lab *lab, const struct lab_case *c) {
    groups_sampled(lab, &blocks, c);
}

/* Half as many again as 32 bits count: the places of the last quarter lie beyond. Of the number
 * of blocks 16 bits leave one, and a float rounds n down. */
static void groups_large(struct lab *lab) {
    const size_t beyond = ((size_t)3 << 31) + 201;

    lab_allow_ms(lab, LAB_SAMPLED_MS);
    lab_one_above(lab, beyond, 1 << 28, 512, warps_all_sampled);
    lab_one_above(lab, beyond, 1 << 28, 512, warps_first_sampled);
    lab_one_above(lab, beyond, 1 << 28, 512, blocks_sampled);
}

static void sum_large(struct lab *lab, size_t beyond) {
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    sampled_sizes(lab, 512, beyond, grid_case, sum_sampled);
}

LAB_TEST(edge, handles_2_28) {
    if (lab_on_gpu(lab))
        sum_on_gpu(lab, (size_t)1 << 28);
    else
        sum_large(lab, 0);
}

/* An index of 32 bits wraps around at 2^31. Of the numbers beyond, 501 are odd: their sum is never
 * 0, so that it always shows when they are left out. Of a number of blocks that is a power of two
 * 16 bits leave 0. */
LAB_TEST(edge, handles_index_beyond_int) {
    if (lab_on_gpu(lab)) {
        sum_on_gpu(lab, (size_t)1 << 29);
        sum_beyond_int_on_gpu(lab);
    } else {
        groups_large(lab);
        lab_one_above(lab, (size_t)1 << 32, 1 << 28, 512, sum_sampled);
        sum_large(lab, ((size_t)1 << 33) + (1 << 24) + 501);
    }
}
