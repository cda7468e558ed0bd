/*
 * The lab's ideas, by the simulator's counters: sectors of global memory, passes over the banks of
 * shared memory. All matrices are whole numbers of blocks; the handout derives each of the numbers.
 * The last call of each test is of the same product in the same blocks: the report's ladder is made
 * of those.
 */
#include "labs/13-matrix-product/tests/product.h"

enum { LANES = 32, SECTOR = 8 }; /* floats of a sector */

/* A counter of the launch that has the most threads. */
static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, lab_largest_launch(lab), name);
}

/* Notes got <= most, and the mistake where that does not hold. */
static bool at_most(struct lab *lab, const char *what, uint64_t got, uint64_t most,
                    const char *id) {
    bool holds = lab_technique(lab, got <= most, what, got, "<=", most);

    if (!holds)
        lab_diagnose(lab, id);
    return holds;
}

/* Of a cube: m = n = k = c->n. */
static bool is_right(struct lab *lab, enum product_name which, const struct lab_case *c) {
    unsigned n = (unsigned)c->n;

    if (!product_case(lab, &products[which], (struct shape){n, n, n}, c->block))
        return false;
    return !products[which].has_edge || lab_expect_grid(lab, (uint64_t)c->block * c->block,
                                                        (uint64_t)(n / c->block) * (n / c->block));
}

/* No more blocks than elements of c need that are no whole number of blocks, nor as many rows as
 * columns. */
static void covers(struct lab *lab, enum product_name which, const struct lab_case *c) {
    struct shape s = {(unsigned)c->n, 3 * (unsigned)c->n + 1, 5};
    uint64_t edge = c->block, rows = (s.m + edge - 1) / edge, columns = (s.n + edge - 1) / edge;

    if (product_case(lab, &products[which], s, c->block))
        lab_expect_grid(lab, edge * edge, rows * columns);
}

static void cover_naive(struct lab *lab, const struct lab_case *c) {
    covers(lab, NAIVE, c);
}

static void cover_tiled(struct lab *lab, const struct lab_case *c) {
    covers(lab, TILED, c);
}

static void cover_transposed(struct lab *lab, const struct lab_case *c) {
    covers(lab, TRANSPOSED, c);
}

static void cover_padded(struct lab *lab, const struct lab_case *c) {
    covers(lab, PADDED, c);
}

/* Neighbours in x have neighbours of a row of c. */
static bool stores_rows(struct lab *lab, const struct lab_case *c) {
    return at_most(lab, "sectors that are stored", count(lab, "global_store_sectors"),
                   c->n * c->n / SECTOR, "columns_for_rows");
}

/* A warp has 32 / edge rows of a block: a word of as many rows of a, edge neighbours of b. */
static void count_naive(struct lab *lab, const struct lab_case *c) {
    uint64_t steps = c->n * c->n / LANES * c->n, sectors;

    if (!is_right(lab, NAIVE, c))
        return;
    sectors = count(lab, "global_load_sectors");
    if (c->block == 8)
        lab_predict(
            lab, "predicted_sectors_of_a_step_8",
            "From how many sectors does a warp load in one step of product_naive, in blocks "
            "of 8 × 8?",
            (int64_t)lab_ratio(sectors, steps),
            "A warp has four rows of eight threads: four words of a in four rows, and eight "
            "neighbours of b, which are one sector: 4 + 1.");
    if (at_most(lab, "sectors that are loaded", sectors,
                steps * (LANES / c->block + c->block / SECTOR), "columns_for_rows"))
        stores_rows(lab, c);
}

LAB_TEST(technique, naive_goes_along_the_rows) {
    lab_one(lab, 21, 16, cover_naive);
    lab_one(lab, 64, 8, count_naive);
    lab_one(lab, 64, 32, count_naive);
    lab_one(lab, 128, 16, count_naive);
}

/* Each word of a is loaded once for each block of a row of blocks, each of b for each of a column.
 */
static bool loads_tiles(struct lab *lab, const struct lab_case *c, uint64_t edge) {
    return at_most(lab, "sectors that are loaded", count(lab, "global_load_sectors"),
                   2 * c->n * c->n * c->n / edge / SECTOR, "no_tiles");
}

/* Blocks that are resident on a multiprocessor of compute capability 8.6, by the rules of lab 06,
 * where registers do not limit them: 1,536 threads, 16 blocks, 100 KB, of which each block has 1 KB
 * more than it asks for. */
static uint64_t resident_warps(const struct lab_launch *launch) {
    enum { THREADS = 1536, BLOCKS = 16, BYTES = 100 << 10, OWN = 1024, UNIT = 128 };
    uint64_t bytes = (launch->shared_bytes + OWN + UNIT - 1) / UNIT * UNIT;
    uint64_t warps = (launch->n_threads + LANES - 1) / LANES, blocks = BLOCKS;

    if (blocks * warps > THREADS / LANES)
        blocks = lab_ratio(THREADS / LANES, warps);
    return warps * (blocks * bytes > BYTES ? BYTES / bytes : blocks);
}

static void predict_tiles(struct lab *lab) {
    struct lab_launch launch = lab_launch(lab, lab_largest_launch(lab));

    lab_predict(
        lab, "predicted_sectors_of_tiles_32",
        "How many sectors does product_tiled load in all, where m = n = k = 64, in blocks of "
        "32 × 32?",
        (int64_t)count(lab, "global_load_sectors"),
        "4 blocks load 2 tiles of each matrix, each of 32 rows of 4 sectors: 4 * 2 * 2 * "
        "128.");
    lab_predict(lab, "predicted_shared_bytes_32",
                "How many bytes of shared memory has a block of 32 × 32 threads in product_tiled?",
                (int64_t)launch.shared_bytes, "Two tiles of 32 * 32 floats of 4 bytes.");
    lab_predict(lab, "predicted_warps_32",
                "How many warps of product_tiled are resident on a multiprocessor of compute "
                "capability 8.6, in blocks of 32 × 32?",
                (int64_t)resident_warps(&launch),
                "1,536 threads hold one block of 1,024 and no second one: 32 warps of 48.");
}

static void count_tiled(struct lab *lab, const struct lab_case *c) {
    uint64_t n_warps = c->n * c->n / LANES;

    if (!is_right(lab, TILED, c))
        return;
    if (c->block == 32)
        predict_tiles(lab);
    if (loads_tiles(lab, c, c->block) && stores_rows(lab, c) &&
        at_most(lab, "bank conflicts", count(lab, "bank_conflicts"), 0, "bank_conflicts_left"))
        at_most(lab, "barriers of a warp", lab_ratio(count(lab, "barriers"), n_warps),
                2 * c->n / c->block + 1, "superfluous_barrier");
}

LAB_TEST(technique, tiled_loads_each_word_once_a_block) {
    lab_one(lab, 21, 16, cover_tiled);
    lab_one(lab, 64, 8, count_tiled);
    lab_one(lab, 64, 32, count_tiled);
    lab_one(lab, 128, 16, count_tiled);
}

static void count_transposed(struct lab *lab, const struct lab_case *c) {
    uint64_t steps = c->n * c->n / LANES * c->n;

    if (!is_right(lab, TRANSPOSED, c))
        return;
    if (c->block == 16)
        lab_predict(
            lab, "predicted_passes_16",
            "How many passes over the banks does a load of the words [x][i] take in "
            "product_transposed, in blocks of 16 × 16?",
            (int64_t)(1 + lab_ratio(count(lab, "bank_conflicts"), steps)),
            "The words lie 16 apart: x = 0, 2, 4 ... have one bank, x = 1, 3, 5 ... another: "
            "8 words of each. The warp's other row reads the same words.");
    if (loads_tiles(lab, c, c->block))
        stores_rows(lab, c);
}

LAB_TEST(technique, transposed_reads_along_the_rows) {
    lab_one(lab, 21, 16, cover_transposed);
    lab_one(lab, 64, 8, count_transposed);
    lab_one(lab, 64, 32, count_transposed);
    lab_one(lab, 128, 16, count_transposed);
}

/* A warp that stores several rows of a tile, each a word longer, takes two passes for it; it may
 * have stored zeros there before. */
static void count_padded(struct lab *lab, const struct lab_case *c) {
    uint64_t n_warps = c->n * c->n / LANES, tiles = c->n / c->block;

    if (is_right(lab, PADDED, c) && loads_tiles(lab, c, c->block) && stores_rows(lab, c))
        at_most(lab, "bank conflicts", count(lab, "bank_conflicts"),
                c->block == LANES ? 0 : 2 * n_warps * tiles, "bank_conflicts_left");
}

LAB_TEST(technique, padded_reads_without_conflict) {
    lab_one(lab, 21, 16, cover_padded);
    lab_one(lab, 64, 8, count_padded);
    lab_one(lab, 64, 32, count_padded);
    lab_one(lab, 128, 16, count_padded);
}

/* One element a thread takes two words of shared memory for a multiply-add, 2 × 2 take one, four in
 * a column five for four. Global memory is asked for no more than tiles of 32 × 32 ask. */
static void count_blocked(struct lab *lab, const struct lab_case *c) {
    if (is_right(lab, BLOCKED, c) && loads_tiles(lab, c, 32))
        at_most(lab, "passes over the banks for loads", count(lab, "shared_load_wavefronts"),
                c->n * c->n / LANES * c->n * 5 / 4, "few_results_a_thread");
}

LAB_TEST(technique, blocked_uses_each_word_several_times) {
    lab_one(lab, 128, 16, count_blocked);
}
