/* Sizes at which scans go wrong. All inputs are drawn: no two neighbours are equal, so an index
 * that is off by one shows, and none is 0, so an element that is left out shows. */
#include "labs/common/scan/scan.h"

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

/* On a GPU 2^28 ints, on the simulator a sample. */
LAB_TEST(edge, handles_2_28) {
    scan_gigabytes(lab, false);
}

/* More than 2^31 bytes on a GPU: an offset in bytes that was computed as an int wraps around. On
 * the simulator more than 2^32 ints. */
LAB_TEST(edge, handles_2_gigabytes) {
    scan_gigabytes(lab, true);
}
