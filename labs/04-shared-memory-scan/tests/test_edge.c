/* Sizes at which scans go wrong. All inputs are drawn: no two neighbours are equal, so an index
 * that is off by one shows, and none is 0, so an element that is left out shows. */
#include <stdlib.h>

#include "labs/04-shared-memory-scan/tests/scan_case.h"
#include "labs/common/sampled.h"

/* A million ints, twice; with room for a busy machine. */
enum { MILLION_MS = 20000 };

static const unsigned usual_blocks[] = {32, 256, 1024};

LAB_TEST(edge, handles_empty_input) {
    static const size_t sizes[] = {0};

    LAB_SWEEP(lab, sizes, usual_blocks, scan_case);
}

LAB_TEST(edge, handles_single_element) {
    static const size_t sizes[] = {1};
    static const unsigned blocks[] = {2, 32, 256, 1024};

    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

LAB_TEST(edge, handles_sizes_around_a_warp) {
    static const size_t sizes[] = {2, 3, 5, 7, 31, 32, 33, 63, 64, 65};
    static const unsigned blocks[] = {32, 64, 128};

    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

/* One less and one more than one block, than two, than four, and primes. */
LAB_TEST(edge, handles_partial_last_block) {
    static const size_t sizes[] = {97,  127,  129,  255,  257,  511,  513, 767,
                                   769, 1009, 1023, 1025, 2047, 2049, 5003};
    static const unsigned blocks[] = {32, 128, 512, 1024};

    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

/* Blocks that are no power of two have a last step that few threads take; blocks that are no
 * multiple of 32 end in a partial warp. */
LAB_TEST(edge, handles_any_block_size) {
    static const size_t sizes[] = {1, 96, 1000, 4096};
    static const unsigned blocks[] = {2, 3, 31, 33, 64, 96, 100, 500, 512, 1000, 1023, 1024};

    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

/* More totals than fit into one tile, of one int a thread or of more. */
LAB_TEST(edge, handles_several_levels) {
    static const size_t few[] = {5, 17, 65, 1000}, many[] = {1025, 10007, 65537};
    static const unsigned small_blocks[] = {2, 7}, blocks[] = {32, 64};

    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, few, small_blocks, scan_case);
    LAB_SWEEP(lab, many, blocks, scan_case);
}

/* One form each: smaller sizes have had both. */
static void scan_million(struct lab *lab, const struct lab_case *c) {
    bool exclusive = c->n % 2 != 0;

    lab_set_diagnoser(lab, scan_diagnose);
    scan_ints(lab, lab_random_i32(lab, c->n), c->n, c->block, exclusive);
}

LAB_TEST(edge, handles_a_million_and_one) {
    static const size_t sizes[] = {512, 513, 1 << 20, (1 << 20) + 1};
    static const unsigned blocks[] = {512};

    lab_allow_ms(lab, MILLION_MS);
    lab_sweep(lab, sizes, sizeof sizes / sizeof *sizes, blocks, 1, scan_million);
}

static void scan_gigabytes(struct lab *lab, const struct lab_case *c) {
    struct scan_mapped inclusive = scan_mapped(false), exclusive = scan_mapped(true);

    if (c->n <= MAPPED_IN_MEMORY) {
        scan_case(lab, c);
        return;
    }
    mapped_case(lab, c, &inclusive.map);
    mapped_case(lab, c, &exclusive.map);
}

/* Ints of the scan that are looked at, around a place. */
enum { WINDOW = 256 };

/* True where the scan of ones that run side by side goes up by one. */
static bool goes_up(const int32_t *out) {
    for (size_t i = 1; i < WINDOW; i++)
        if (out[i] == 0 || out[i] != out[i - 1] + 1)
            return false;
    return true;
}

static int compare_places(const void *a, const void *b) {
    const size_t *one = a, *other = b;

    return (*one > *other) - (*one < *other);
}

/* How many places in the lower half and the upper half of the scan are right: of a sample's blocks,
 * where each has a tile of neighbouring ints. What comes before a tile is part of its ints: they
 * are more than those at any place before. */
static void count_places(struct lab *lab, const int32_t *out, size_t n, struct lab_shares *shares) {
    size_t places[LAB_PLACES];
    int32_t most = 0;

    lab_sampled_places(lab, n, places);
    qsort(places, LAB_PLACES, sizeof *places, compare_places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        size_t first = places[i] > WINDOW / 2 ? places[i] - WINDOW / 2 : 0;
        bool is_right = first + WINDOW <= n && goes_up(out + first) && out[first] >= most;

        shares->first += is_right && i < LAB_PLACES / 2;
        shares->last += is_right && i >= LAB_PLACES / 2;
        if (is_right)
            most = out[first];
    }
}

/* True where the grids are too small to reach the upper half: block 0, which runs, has scanned a
 * tile of so many ints from the beginning on, and the last block the one that follows from that. */
static bool ends_early(struct lab *lab, const int32_t *out, size_t n) {
    size_t tile = 1, n_blocks = 0, last = 0;

    while (tile < n / 2 && out[tile] == out[tile - 1] + 1)
        tile++;
    for (size_t i = 0; i < lab_n_launches(lab); i++)
        n_blocks += lab_launch(lab, i).n_blocks;
    if (n_blocks == 0 || n_blocks > n / 2 / tile || tile < WINDOW)
        return false;
    last = (lab_launch(lab, 0).n_blocks - 1) * tile;
    if (!goes_up(out + last))
        return false;
    lab_fail(
        lab, "wrong_answer",
        "%s (n = %zu): a tile has %zu ints, and the grid's %zu blocks have the first %zu of them. "
        "The others are not scanned.",
        lab_function(lab), n, tile, last / tile + 1, last + tile);
    return true;
}

/* A sample of the blocks scans ones. */
static void scan_sampled(struct lab *lab, const struct lab_case *c) {
    size_t n_ones = c->n / CALL_SPARSE_STEP * CALL_SPARSE_STEP;
    struct lab_shares shares = {.what = "the scan of ones goes up by one at",
                                .of_first = "places of the lower half",
                                .of_last = "of the upper half",
                                .least = LAB_PLACES / 8};
    struct call_arg args[SCAN_N_ARGS];

    lab_set_diagnoser(lab, sampled_diagnose);
    scan_args(args, NULL, c->n, c->block, NULL);
    args[0] = lab_in_set("in", 1, 0, n_ones, c->n);
    args[3].sparse.is_on = args[4].sparse.is_on = true;
    if (!lab_call_sampled(lab, scan_function(c->n % 2 != 0), args, SCAN_N_ARGS))
        return;
    count_places(lab, args[4].data, c->n, &shares);
    if (shares.first + shares.last > 0 || !ends_early(lab, args[4].data, c->n))
        lab_expect_alike(lab, &shares);
}

static void scan_large(struct lab *lab, size_t beyond) {
    lab_allow_ms(lab, MILLION_MS);
    sampled_sizes(lab, 512, beyond, scan_case, scan_sampled);
}

LAB_TEST(edge, handles_2_28) {
    if (lab_on_gpu(lab))
        mapped_sizes(lab, (size_t)1 << 28, 512, scan_gigabytes);
    else
        scan_large(lab, 0);
}

/* More than 2^31 bytes on a GPU: an offset in bytes that was computed as an int wraps around. On
 * the simulator more than 2^32 ints. */
LAB_TEST(edge, handles_2_gigabytes) {
    if (lab_on_gpu(lab))
        mapped_sizes(lab, ((size_t)1 << 29) + 1001, 512, scan_gigabytes);
    else
        scan_large(lab, ((size_t)1 << 33) + (3 << 29) + 1001);
}
