/* Sizes at which scans go wrong. All inputs are drawn: no two neighbours are equal, so an index
 * that is off by one shows, and none is 0, so an element that is left out shows. */
#include "labs/11-single-pass-scan/tests/single.h"

/* A million ints; with room for a busy machine. */
enum { MILLION_MS = 20000, SPEED_BLOCK = 512 };

/* Blocks of a grid. */
enum { MORE_THAN_16_BITS = 70001 };

LAB_TEST(edge, tickets_for_any_grid) {
    static const size_t sizes[] = {0, 1, 2, 31, 33, 257, 1009};
    static const unsigned blocks[] = {32, 96, 1024};

    LAB_SWEEP(lab, sizes, blocks, tickets_case);
    lab_one(lab, MORE_THAN_16_BITS, 32, tickets_case);
}

/* One block an int. */
LAB_TEST(edge, passes_any_number_along) {
    static const size_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 65, 1009};
    static const unsigned blocks[] = {32, 96};

    LAB_SWEEP(lab, sizes, blocks, ints_case);
    lab_one(lab, MORE_THAN_16_BITS, 32, ints_case);
}

/* Around a warp, around tiles of each block, primes; more tiles than a warp looks back over. */
static const size_t sizes_of_scans[] = {0,    1,    2,    31,   33,    127,   129,  1009,
                                        1023, 1025, 2047, 5003, 16385, 32769, 70001};
static const unsigned blocks_of_scans[] = {32, 96, 512};

LAB_TEST(edge, chain_takes_any_size) {
    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, sizes_of_scans, blocks_of_scans, chain_case);
}

LAB_TEST(edge, look_back_takes_any_size) {
    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, sizes_of_scans, blocks_of_scans, look_back_case);
}

/* Nearest sums within the tiles that a warp looks at first, at their end, and behind it. */
LAB_TEST(edge, looks_from_any_distance) {
    static const unsigned distances[] = {1, 2, 31, 32, 33, 63, 64, 65, 100, 200};

    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        lab_one(lab, distances[i], distances[i], look_case);
        lab_one(lab, 200, distances[i], look_case);
    }
}

LAB_TEST(edge, handles_any_block_size) {
    static const size_t sizes[] = {1000, 70001};
    static const unsigned blocks[] = {32, 64, 160, 256, 544, 992, 1024};

    LAB_SWEEP(lab, sizes, blocks, chain_case);
    LAB_SWEEP(lab, sizes, blocks, look_back_case);
}

LAB_TEST(edge, handles_a_million_and_one) {
    static const size_t sizes[] = {1 << 20, (1 << 20) + 1};
    static const unsigned blocks[] = {128};

    lab_allow_ms(lab, MILLION_MS);
    LAB_SWEEP(lab, sizes, blocks, chain_case);
    LAB_SWEEP(lab, sizes, blocks, look_back_case);
}

static void mapped_single_case(struct lab *lab, const struct lab_case *c) {
    struct single_mapped single = single_mapped();

    if (c->n <= MAPPED_IN_MEMORY) {
        look_back_case(lab, c);
        return;
    }
    mapped_case(lab, c, &single.scan.map);
}

/* On a GPU alone: no sample of blocks can stand for all where they wait for each other. */
LAB_TEST(edge, handles_2_28) {
    mapped_sizes(lab, (size_t)1 << 28, SPEED_BLOCK, mapped_single_case);
}

LAB_TEST(edge, handles_2_gigabytes) {
    mapped_sizes(lab, ((size_t)1 << 29) + 1001, SPEED_BLOCK, mapped_single_case);
}
