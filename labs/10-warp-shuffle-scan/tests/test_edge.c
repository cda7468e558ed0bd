/* Sizes at which scans go wrong. All inputs are drawn: no two neighbours are equal, so an index
 * that is off by one shows, and none is 0, so an element that is left out shows. */
#include <stdlib.h>

#include "labs/10-warp-shuffle-scan/tests/parts.h"
#include "labs/common/sampled.h"

/* A million ints, twice; with room for a busy machine. */
enum { MILLION_MS = 20000 };

/* Around a warp, around a block, primes. */
static const size_t sizes_of_parts[] = {0,   1,   2,    31,   32,   33,   63,   64,    65,
                                        255, 257, 1009, 1023, 1024, 1025, 4099, 20011, 100003};
static const unsigned blocks_of_parts[] = {32, 64, 96, 480, 1024};

/* Blocks of a grid. */
enum { MORE_THAN_16_BITS = 65600 };

LAB_TEST(edge, warps_take_any_size) {
    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, sizes_of_parts, blocks_of_parts, warps_case);
    lab_one(lab, 35, 32, equal_in_warps_case);
    lab_one(lab, (1 << 20) + 1, 256, warps_case);
    lab_one(lab, MORE_THAN_16_BITS * 32 + 1, 32, warps_case);
}

LAB_TEST(edge, blocks_take_any_size) {
    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, sizes_of_parts, blocks_of_parts, blocks_case);
    lab_one(lab, 35, 64, equal_in_blocks_case);
    lab_one(lab, (1 << 20) + 1, 256, blocks_case);
    lab_one(lab, MORE_THAN_16_BITS * 32 + 1, 32, blocks_case);
}

LAB_TEST(edge, handles_empty_input) {
    static const size_t sizes[] = {0};
    static const unsigned blocks[] = {32, 256, 1024};

    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

LAB_TEST(edge, handles_sizes_around_a_warp) {
    static const size_t sizes[] = {1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 65};
    static const unsigned blocks[] = {32, 64, 128};

    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

/* One less and one more than one block, than two, than four, and primes. */
LAB_TEST(edge, handles_partial_last_tile) {
    static const size_t sizes[] = {97,  127,  129,  255,  257,  511,  513, 767,
                                   769, 1009, 1023, 1025, 2047, 2049, 5003};
    static const unsigned blocks[] = {32, 128, 512, 1024};

    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

/* Blocks whose warps are no power of two, or more than a half warp has lanes. */
LAB_TEST(edge, handles_any_block_size) {
    static const size_t sizes[] = {1, 96, 1000, 4096, 8192};
    static const unsigned blocks[] = {32, 96, 160, 512, 544, 992, 1024};

    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

/* More totals than fit into one tile, of one int a thread or of more. */
LAB_TEST(edge, handles_several_levels) {
    static const size_t sizes[] = {1025, 10007, 65537};
    static const unsigned blocks[] = {32, 64};

    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

/* One form each: smaller sizes have had both. */
static void scan_million(struct lab *lab, const struct lab_case *c) {
    lab_set_diagnoser(lab, scan_diagnose);
    scan_ints(lab, lab_random_i32(lab, c->n), c->n, c->block, c->n % 2 != 0);
}

LAB_TEST(edge, handles_a_million_and_one) {
    static const size_t sizes[] = {512, 513, 1 << 20, (1 << 20) + 1};
    static const unsigned blocks[] = {512};

    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, sizes, blocks, scan_million);
}

/* Ints of the scan that are looked at, from the beginning of a part on. */
enum { WINDOW = 32 };

/* Of so many ints and more, an int can't be an index. */
static const size_t AN_INT = (size_t)1 << 31;

/* True where the scan of ones counts 1, 2, 3 … */
static bool counts_up(const int32_t *out) {
    for (size_t i = 0; i < WINDOW; i++)
        if (out[i] != (int32_t)i + 1)
            return false;
    return true;
}

/* A sample of the blocks scans ones, into *out unless that is NULL. The warps of any grid may share
 * the parts of a warp alike, and go round. Each part of a block has a block of its own. */
static bool call_parts(struct lab *lab, const struct parts *parts, const struct lab_case *c,
                       const int32_t **out) {
    const size_t n_ones = c->n / CALL_SPARSE_STEP * CALL_SPARSE_STEP;
    struct call_arg args[PARTS_N_ARGS];

    parts_args(args, lab_in_set("in", 1, 0, n_ones, c->n), c->block, NULL);
    args[3].sparse.is_on = true;
    const bool is_good =
        parts->is_block ? lab_call_sampled(lab, parts->function, args, PARTS_N_ARGS)
                        : lab_call_sharing(lab, parts->function, args, PARTS_N_ARGS, args[0].count);
    if (out)
        *out = args[3].data;
    return is_good;
}

static bool call_again(struct lab *lab, const struct lab_case *c, const void *parts) {
    return call_parts(lab, parts, c, NULL);
}

/* At how many places of the lower half and of the upper half the part begins with 1, 2, 3 … */
static void parts_sampled(struct lab *lab, const struct lab_case *c, const struct parts *parts) {
    size_t places[LAB_PLACES];
    struct lab_shares shares = {.what = "the scan of ones counts up at",
                                .of_first = "places of the lower half",
                                .of_last = "of the upper half",
                                .least = LAB_PLACES / 8};
    const int32_t *out;

    lab_set_diagnoser(lab, sampled_diagnose);
    if (!call_parts(lab, parts, c, &out))
        return;
    lab_sampled_places(lab, c->n, places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        size_t first = places[i] - places[i] % parts_size(parts, c->block);
        bool is_right = first + WINDOW <= c->n && counts_up(out + first);

        shares.first += is_right && places[i] < c->n / 2;
        shares.last += is_right && places[i] >= c->n / 2;
    }
    /* Blocks that go round do other parts. What has failed with more ints stays so. */
    if (c->n < AN_INT && shares.first + shares.last == 0)
        return;
    if (lab_expect_alike(lab, &shares))
        sampled_expect_all(lab, c, SAMPLED_ONCE, call_again, parts);
}

static void warps_sampled(struct lab *lab, const struct lab_case *c) {
    parts_sampled(lab, c, &of_warps);
}

/* Each block has as many ints as threads, so there is a thread for each: a sample would hardly have
 * the last block, which is missing where their number was rounded down. */
static void blocks_sampled(struct lab *lab, const struct lab_case *c) {
    parts_sampled(lab, c, &of_blocks);
    if (lab_failed(lab))
        return;
    struct lab_launch launch = lab_launch(lab, lab_largest_launch(lab));
    uint64_t threads = launch.n_blocks * launch.n_threads;
    if (!lab_technique(lab, threads >= c->n, "threads of the grid, one an int", threads,
                       ">=", c->n))
        lab_diagnose(lab, "too_few_blocks");
}

/* On the simulator, more ints than 32 bits count; a GPU has the sizes of handles_2_gigabytes. A
 * float has 24 bits, and rounds these down, to full blocks. */
static void go_beyond_int(struct lab *lab, lab_case_body *body, lab_case_body *sampled_body) {
    if (lab_on_gpu(lab)) {
        lab_one(lab, (1 << 20) + 1, 512, body);
        return;
    }
    lab_allow_ms(lab, MILLION_MS);
    sampled_sizes(lab, 512, ((size_t)1 << 33) + (3 << 29) + 501, body, sampled_body);
}

LAB_TEST(edge, warps_go_beyond_int) {
    go_beyond_int(lab, warps_case, warps_sampled);
}

LAB_TEST(edge, blocks_go_beyond_int) {
    go_beyond_int(lab, blocks_case, blocks_sampled);
}

LAB_TEST(edge, handles_2_28) {
    scan_gigabytes(lab, false);
}

LAB_TEST(edge, handles_2_gigabytes) {
    scan_gigabytes(lab, true);
}
