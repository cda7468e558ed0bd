/*
 * The lab's idea, by the simulator's counters: what a block does where tiles are scanned, and what
 * all launches move. The handout derives each of the numbers.
 */
#include <inttypes.h>
#include <stdio.h>

#include "labs/common/scan/scan.h"

/* The launch that scans tiles: the first one, or, where that one only adds them up, the last one. A
 * scan reads most of shared memory. */
static size_t scanning(const struct lab *lab) {
    return lab_launch_with_most(lab, "shared_loads");
}

static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, scanning(lab), name);
}

/* At distance d, the threads from d on read: all warps but the first d / 32. Who keeps his own
 * value in shared memory alone reads that, too, in each step and at the end; who takes the
 * exclusive value from his neighbour reads that. */
static uint64_t least_loads(unsigned block) {
    uint64_t loads = 0;

    for (unsigned d = 1; d < block; d *= 2)
        loads += block / 32 - d / 32;
    return loads;
}

/* The most: those, and each thread's own value in each step, before the first and behind the last.
 */
static uint64_t most_loads(unsigned block) {
    return least_loads(block) + (scan_steps(block) + 2) * (block / 32);
}

/* True where shared memory is read as often as by steps of a tree. */
static bool has_steps(const struct lab *lab, unsigned block) {
    uint64_t loads = lab_ratio(count(lab, "shared_loads"), lab_launch(lab, scanning(lab)).n_blocks);

    return loads >= least_loads(block) && loads <= most_loads(block);
}

/* The id of the mistake that the counters of this launch speak of. */
static const char *other_way(const struct lab *lab, unsigned block) {
    uint64_t warps = lab_launch(lab, scanning(lab)).n_blocks * ((block + 31) / 32);

    if (lab_counter_total(lab, "shuffles") > 0)
        return "uses_shuffles";
    if (lab_counter_total(lab, "atomics") > 0)
        return "uses_atomics";
    if (lab_launch(lab, scanning(lab)).n_threads != block)
        return NULL; /* another block has other counts */
    /* Each step waits at least once for the step before; within a warp, it may do so by itself. */
    if (count(lab, "barriers") >= warps * (scan_steps(block) - 1))
        return "other_tree";
    return has_steps(lab, block) ? NULL : "no_tree";
}

/* Scans 64 ints a thread of one block, inclusive: full tiles, whatever a thread takes. */
static bool scan_full_tiles(struct lab *lab, const struct lab_case *c) {
    lab_set_diagnoser(lab, scan_diagnose);
    return scan_ints(lab, lab_random_i32(lab, c->n), c->n, c->block, false) &&
           lab_expect_grid(lab, c->block, 0);
}

/* Blocks of a size that is easy to round to another one. */
static void count_threads(struct lab *lab, const struct lab_case *c) {
    scan_full_tiles(lab, c);
}

/* Steps d = 1, 2, 4 … below the block's size. With two barriers a step and one after the first
 * store, that is 2 steps + 1; a second buffer saves one of the two. */
static void count_barriers(struct lab *lab, const struct lab_case *c) {
    uint64_t steps = scan_steps(c->block), a_warp, warps;

    if (!scan_full_tiles(lab, c))
        return;
    warps = lab_launch(lab, scanning(lab)).n_blocks * (c->block / 32);
    a_warp = lab_ratio(count(lab, "barriers"), warps);
    if (c->block == 128)
        lab_predict(lab, "predicted_barriers_of_a_warp_128",
                    "How many barriers does each warp wait at while a block of 128 threads scans "
                    "its tile?",
                    (int64_t)a_warp,
                    "One after the first store, and two in each of the log2(128) = 7 steps: one "
                    "between reading and writing, one between writing and the next step's reading. "
                    "(With a second buffer, one a step is enough.)");
    if (!lab_technique(lab, a_warp >= steps, "barriers of a warp", a_warp, ">=", steps))
        lab_diagnose(lab, other_way(lab, c->block));
    else if (!lab_technique(lab, a_warp <= 2 * steps + 1, "barriers of a warp", a_warp,
                            "<=", 2 * steps + 1))
        lab_diagnose(lab, "superfluous_barrier");
}

LAB_TEST(technique, waits_as_derived) {
    lab_one(lab, 64 * 32, 32, count_barriers);
    lab_one(lab, 64 * 128, 128, count_barriers);
    lab_one(lab, 64 * 512, 512, count_barriers);
    lab_one(lab, 64 * 1024, 1024, count_barriers);
    lab_one(lab, 64 * 48, 48, count_threads);
}

static void count_steps(struct lab *lab, const struct lab_case *c) {
    enum { MAX_SHARED = 2 * 1024 * sizeof(int32_t) };
    uint64_t least = least_loads(c->block), most, blocks, loads, divergent, exchanged, shared_bytes;

    most = most_loads(c->block);
    if (!scan_full_tiles(lab, c))
        return;
    blocks = lab_launch(lab, scanning(lab)).n_blocks;
    shared_bytes = lab_launch(lab, scanning(lab)).shared_bytes;
    loads = lab_ratio(count(lab, "shared_loads"), blocks);
    divergent =
        lab_ratio(lab_counter_max_line(lab, scanning(lab), "divergent_branches", NULL), blocks);
    exchanged = lab_counter_total(lab, "shuffles") + lab_counter_total(lab, "atomics");
    if (c->block == 1024)
        lab_predict(lab, "predicted_divergent_branches_1024",
                    "How often does a warp of a block of 1,024 threads diverge at t >= d?",
                    (int64_t)divergent,
                    "Threads below d rest. At d = 1, 2, 4, 8 and 16 the border lies within the "
                    "first warp, which diverges; from 32 on it lies between two warps.");
    if (!lab_technique(lab, exchanged == 0, "shuffles and atomics", exchanged, "==", 0) ||
        !lab_technique(lab, loads >= least, "shared-memory loads of a block", loads, ">=", least) ||
        !lab_technique(lab, loads <= most, "shared-memory loads of a block", loads, "<=", most))
        lab_diagnose(lab, other_way(lab, c->block));
    /* Two arrays, of as many ints as a block may have threads. */
    if (!lab_technique(lab, shared_bytes <= MAX_SHARED, "bytes of shared memory of a block",
                       shared_bytes, "<=", MAX_SHARED))
        lab_diagnose(lab, "too_much_shared");
    if (!lab_technique(lab, count(lab, "bank_conflicts") == 0, "bank conflicts",
                       count(lab, "bank_conflicts"), "==", 0))
        lab_diagnose(lab, "bank_conflicts");
}

LAB_TEST(technique, doubles_the_distance) {
    lab_one(lab, 64 * 32, 32, count_steps);
    lab_one(lab, 64 * 1024, 1024, count_steps);
    lab_one(lab, 64 * 512, 512, count_steps);
}

/* Sectors of 32 bytes that three phases with one int a thread need; more ints a thread need less.
 */
static void sectors_needed(size_t n, unsigned block, uint64_t *loads, uint64_t *stores) {
    *loads = *stores = 0;
    for (size_t m = n, tiles;; m = tiles) {
        uint64_t sectors = (m + 7) / 8, warps = (m + 31) / 32;

        tiles = (m + block - 1) / block;
        *loads += sectors;
        *stores += sectors;
        if (m < n) /* totals may begin within a sector, and be read shifted by one */
            *loads += warps, *stores += warps;
        if (tiles == 1)
            return;
        *stores += tiles;          /* a total each */
        *loads += sectors + warps; /* the third phase; each warp its tile's offset */
        *stores += sectors;
    }
}

/* Whoever takes k ints a thread by a loop asks for each sector k times, up to the 8 times that a
 * sector has ints: it comes from the cache then. `items` is 0 where k is not known. */
static void check_traffic(struct lab *lab, const char *moved, uint64_t got, uint64_t of_one_int,
                          size_t items) {
    uint64_t times = items == 0 ? 1 : items > 8 ? 8 : items, wanted = times * of_one_int;
    char what[200];

    if (times == 1)
        snprintf(what, sizeof what, "sectors that all launches %s (derived for 1 int a thread)",
                 moved);
    else
        snprintf(what, sizeof what,
                 "sectors that all launches %s, with %zu ints a thread (derived: %" PRIu64
                 " for 1 int a thread, and up to %" PRIu64 " times as many for a loop over %zu)",
                 moved, items, of_one_int, times, items);
    if (!lab_technique(lab, got <= wanted, what, got, "<=", wanted))
        lab_diagnose(lab, got > 4 * wanted ? "quadratic" : "too_much_traffic");
}

static void count_traffic(struct lab *lab, const struct lab_case *c) {
    uint64_t loads, stores, loads_of_one, stores_of_one;
    size_t items;

    sectors_needed(c->n, c->block, &loads_of_one, &stores_of_one);
    if (!scan_full_tiles(lab, c))
        return;
    items = scan_items(lab, c->n, c->block);
    loads = lab_counter_total(lab, "global_load_sectors");
    stores = lab_counter_total(lab, "global_store_sectors");
    lab_predict(lab, "predicted_moves_of_an_int",
                "How often is each of 2^18 ints loaded from global memory or stored to it?",
                (int64_t)((loads + stores) / (c->n / 8)),
                "Loaded and stored by the first phase, loaded and stored again by the third: four "
                "times, and a little more for the totals. A copy moves it twice.");
    check_traffic(lab, "load", loads, loads_of_one, items);
    check_traffic(lab, "store", stores, stores_of_one, items);
}

static void count_launches(struct lab *lab, const struct lab_case *c) {
    if (scan_full_tiles(lab, c) && c->block == 32)
        lab_predict(
            lab, "predicted_launches_20000",
            "20,000 ints in blocks of 32 threads: how many kernels are launched?",
            (int64_t)lab_n_launches(lab),
            "One scans 625 tiles, one their totals, which are 20 tiles, one the totals of "
            "these, and two add: five. (With several ints a thread there are fewer tiles.)");
}

LAB_TEST(technique, moves_what_three_phases_need) {
    lab_allow_ms(lab, 20000);
    lab_one(lab, 20000, 32, count_launches);
    lab_one(lab, 1 << 18, 256, count_traffic);
    lab_one(lab, 100000, 512, count_launches);
}
