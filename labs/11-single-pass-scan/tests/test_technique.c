/*
 * The lab's idea, by the simulator's counters: one launch goes through the ints, and moves each of
 * them twice, in and out. The handout derives each of the numbers.
 */
#include "labs/11-single-pass-scan/tests/single.h"

/* Of the launch that goes through `in`. */
static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, lab_largest_launch(lab), name);
}

static bool at_most(struct lab *lab, const char *what, uint64_t got, uint64_t most,
                    const char *id) {
    bool holds = lab_technique(lab, got <= most, what, got, "<=", most);

    if (!holds && id != NULL)
        lab_diagnose(lab, id);
    return holds;
}

static void count_tickets(struct lab *lab, const struct lab_case *c) {
    if (!tickets_right(lab, c))
        return;
    if (c->block == 128)
        lab_predict(lab, "predicted_atomics_of_40_blocks",
                    "How many atomics reach the ticket when 40 blocks of 128 threads take one?",
                    (int64_t)count(lab, "atomics"),
                    "One thread of each block takes it; the other 127 read it from shared memory.");
    at_most(lab, "atomics", count(lab, "atomics"), c->n, "ticket_a_thread");
}

LAB_TEST(technique, blocks_take_one_ticket) {
    lab_one(lab, 40, 128, count_tickets);
    lab_one(lab, 7, 256, count_tickets);
}

/* 4 bytes an int are an eighth of a sector. Words of `state` come on top: while a block waits, each
 * look is a sector, and how often it looks depends on the others. nvcc makes four stores of some
 * that the source has as one of four ints, and each touches the same sectors again: 4.4 times. */
static void count_scan(struct lab *lab, const struct lab_case *c, const struct single *single) {
    uint64_t tiles = n_tiles(c->n, c->block);

    if (!single_ints(lab, single, c) || !lab_expect_grid(lab, c->block, tiles))
        return;
    at_most(lab, "launches", lab_n_launches(lab), 2, "several_passes");
    at_most(lab, "sectors stored", lab_counter_total(lab, "global_store_sectors"),
            c->n / 8 * 44 / 10 + 4 * tiles + 8, "several_passes");
    at_most(lab, "sectors loaded", lab_counter_total(lab, "global_load_sectors"),
            c->n / 8 * 3 / 2 + 64 * tiles, "several_passes");
    at_most(lab, "atomics", lab_counter_total(lab, "atomics"), 64 * tiles, "adds_by_atomics");
}

static void count_chain(struct lab *lab, const struct lab_case *c) {
    count_scan(lab, c, &of_chain);
    if (lab_failed(lab) || c->n != 1 << 16)
        return;
    lab_predict(
        lab, "predicted_stored_of_2_16",
        "How many sectors of 32 bytes does that launch of scan_chained store, ints and words "
        "together?",
        (int64_t)count(lab, "global_store_sectors"),
        "65,536 ints of 4 bytes are 8,192 sectors; and each of 32 tiles stores a word, "
        "which is a sector by itself.");
    lab_predict(lab, "predicted_tiles_of_2_16",
                "How many blocks has the launch of scan_chained that goes through 2^16 ints in "
                "blocks of 64?",
                (int64_t)lab_launch(lab, lab_largest_launch(lab)).n_blocks,
                "A tile has 64 * 32 ints, which are 2,048; 65,536 / 2,048 = 32.");
}

/* A chain tells of each tile once. Who looks back tells of its own tile first and of all in the
 * end, by a store or an atomic: one atomic a tile is for the ticket. */
static void count_look_back(struct lab *lab, const struct lab_case *c) {
    count_scan(lab, c, &of_look_back);
    if (lab_failed(lab))
        return;
    uint64_t tiles = n_tiles(c->n, c->block), least = c->n / 8 + 2 * tiles - 1;
    uint64_t told = lab_counter_total(lab, "global_store_sectors");
    uint64_t atomics = lab_counter_total(lab, "atomics");

    told += atomics > tiles ? atomics - tiles : 0;
    if (!lab_technique(lab, told >= least, "sectors stored, and atomics beside the tickets'", told,
                       ">=", least))
        lab_diagnose(lab, "tells_once");
}

/* Of more tiles than 16 bits count, a sample of the blocks runs: theirs are the first tickets, so
 * they wait for nobody else. */
static void count_blocks(struct lab *lab, const struct lab_case *c, const struct single *single) {
    struct call_arg args[SINGLE_N_ARGS];

    lab_set_diagnoser(lab, scan_diagnose);
    single_args(args, single, lab_in_set("in", 1, 0, c->n, c->n), c->block,
                lab_out_sparse("out", c->n, sizeof(int32_t)));
    args[3].sparse.is_on = args[4].is_round = true;
    if (!lab_call_sampled(lab, single->function, args, SINGLE_N_ARGS))
        return;
    uint64_t blocks = lab_launch(lab, lab_largest_launch(lab)).n_blocks;
    uint64_t tiles = n_tiles(c->n, c->block);
    if (!lab_technique(lab, blocks == tiles, "blocks, one a tile", blocks, "==", tiles) &&
        blocks < tiles)
        lab_diagnose(lab, "too_few_blocks");
}

static void count_chain_blocks(struct lab *lab, const struct lab_case *c) {
    count_blocks(lab, c, &of_chain);
}

static void count_look_back_blocks(struct lab *lab, const struct lab_case *c) {
    count_blocks(lab, c, &of_look_back);
}

/* Ones come in pieces of CALL_SPARSE_STEP. */
enum { BEYOND_16_BITS = 33 * CALL_SPARSE_STEP };

LAB_TEST(technique, chain_is_one_pass) {
    lab_one(lab, 1 << 16, 64, count_chain);
    lab_one(lab, 1 << 17, 256, count_chain);
    lab_one(lab, BEYOND_16_BITS, 32, count_chain_blocks);
}

LAB_TEST(technique, look_back_is_one_pass) {
    lab_one(lab, 1 << 16, 64, count_look_back);
    lab_one(lab, 1 << 17, 256, count_look_back);
    lab_one(lab, BEYOND_16_BITS, 32, count_look_back_blocks);
}
