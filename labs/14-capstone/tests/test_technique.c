/*
 * The memory's speed, by what the simulator counts of whole calls: what goes through memory beside
 * the least that must, and how many instructions warps run for 32 ints. The handout derives each of
 * the bounds.
 */
#include "labs/14-capstone/tests/fast.h"

enum {
    INTS_OF_A_SECTOR = 8,
    SUM_INSTRUCTIONS = 12, /* of warps, for each 32 ints */
    SCAN_INSTRUCTIONS = 40,
    MILLION_MS = 20000,
};

static bool at_most(struct lab *lab, const char *what, uint64_t got, uint64_t most,
                    const char *id) {
    bool holds = lab_technique(lab, got <= most, what, got, "<=", most);

    if (!holds)
        lab_diagnose(lab, id);
    return holds;
}

static uint64_t total(const struct lab *lab, const char *name) {
    return lab_counter_total(lab, name);
}

static void count_sum_traffic(struct lab *lab, const struct lab_case *c) {
    uint64_t least = c->n / INTS_OF_A_SECTOR;

    if (!fast_sum(lab, c))
        return;
    if (c->n == 1 << 20)
        lab_predict(lab, "predicted_least_loaded_2_20",
                    "How many sectors of 32 bytes must a sum of 2^20 ints load at the least?",
                    (int64_t)least, "A sector has 8 ints; 1,048,576 / 8 = 131,072.");
    at_most(lab, "sectors loaded", total(lab, "global_load_sectors"), least + least / 10,
            "other_traffic");
    at_most(lab, "sectors stored", total(lab, "global_store_sectors"), least / 10, "other_traffic");
}

LAB_TEST(technique, sum_loads_each_int_once) {
    lab_allow_ms(lab, MILLION_MS);
    lab_one(lab, 1 << 20, ANY_BLOCK, count_sum_traffic);
    lab_one(lab, 1 << 19, ANY_BLOCK, count_sum_traffic);
}

static void count_sum_instructions(struct lab *lab, const struct lab_case *c) {
    if (!fast_sum(lab, c))
        return;
    at_most(lab, "warp instructions", total(lab, "warp_instructions"), c->n / 32 * SUM_INSTRUCTIONS,
            "many_instructions");
    at_most(lab, "bank conflicts", total(lab, "bank_conflicts"), c->n / 1024, "bank_conflicts");
}

LAB_TEST(technique, sum_takes_few_instructions) {
    lab_allow_ms(lab, MILLION_MS);
    lab_one(lab, 1 << 20, ANY_BLOCK, count_sum_instructions);
}

/* Where blocks wait, each look at a word is a sector, and how often they look depends on the
 * others: half as much again leaves room for that, and none for a second pass. nvcc cuts some
 * stores of four ints into four of one, each of which touches all the sectors again: so four times
 * as many are stored at the most, and a tenth of that for words. */
static void count_scan_traffic(struct lab *lab, const struct lab_case *c) {
    uint64_t least = c->n / INTS_OF_A_SECTOR;

    if (!fast_scan(lab, c))
        return;
    if (c->n == 1 << 20)
        lab_predict(lab, "predicted_least_moved_2_20",
                    "How many sectors must a scan of 2^20 ints load and store at the least, both "
                    "together?",
                    (int64_t)(2 * least),
                    "1,048,576 / 8 = 131,072 are loaded, and as many stored.");
    at_most(lab, "sectors loaded", total(lab, "global_load_sectors"), least + least / 2,
            "other_traffic");
    at_most(lab, "sectors stored", total(lab, "global_store_sectors"), 4 * (least + least / 10),
            "other_traffic");
}

LAB_TEST(technique, scan_moves_each_int_twice) {
    lab_allow_ms(lab, MILLION_MS);
    lab_one(lab, 1 << 20, ANY_BLOCK, count_scan_traffic);
    lab_one(lab, 1 << 19, ANY_BLOCK, count_scan_traffic);
}

static void count_scan_instructions(struct lab *lab, const struct lab_case *c) {
    if (!fast_scan(lab, c))
        return;
    at_most(lab, "warp instructions", total(lab, "warp_instructions"),
            c->n / 32 * SCAN_INSTRUCTIONS, "many_instructions");
    at_most(lab, "bank conflicts", total(lab, "bank_conflicts"), c->n / 64, "bank_conflicts");
}

LAB_TEST(technique, scan_takes_few_instructions) {
    lab_allow_ms(lab, MILLION_MS);
    lab_one(lab, 1 << 20, ANY_BLOCK, count_scan_instructions);
}
