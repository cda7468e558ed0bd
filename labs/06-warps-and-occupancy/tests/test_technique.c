/*
 * The lab's ideas, by the simulator's counters: blocks have the shape that was asked for, and no
 * branch parts a warp. The handout derives each count.
 */
#include "labs/06-warps-and-occupancy/tests/seats.h"

/* The largest launch has blocks of this shape. */
static bool expect_shape(struct lab *lab, const struct seats *seats) {
    const uint64_t wanted[3] = {seats->nx, seats->ny, seats->nz};
    static const char *const what[3] = {"threads of a block in x", "threads of a block in y",
                                        "threads of a block in z"};
    struct lab_launch launch = lab_launch(lab, lab_largest_launch(lab));

    for (size_t i = 0; i < 3; i++)
        if (!lab_technique(lab, launch.block[i] == wanted[i], what[i], launch.block[i],
                           "==", wanted[i])) {
            lab_diagnose(lab, "other_grid");
            return false;
        }
    return true;
}

static void seat_shape(struct lab *lab, const struct lab_case *c) {
    struct seats seats = {.nx = 4, .ny = 3, .nz = 5, .blocks = (unsigned)c->n};

    if (seats_call(lab, &seats) && seats.blocks > 0 && expect_shape(lab, &seats))
        lab_expect_grid(lab, c->block, c->n);
}

static void seat_nobody(struct lab *lab, const struct lab_case *c) {
    seat_shape(lab, c);
    if (!lab_failed(lab))
        lab_technique(lab, lab_n_launches(lab) == 0, "launches of no blocks", lab_n_launches(lab),
                      "==", 0);
}

LAB_TEST(technique, launches_the_shape_it_is_given) {
    lab_one(lab, 6, 60, seat_shape);
    lab_one(lab, 0, 60, seat_nobody);
}

static void mix_nothing(struct lab *lab, const struct lab_case *c) {
    if (mix_by(lab, c, "mix_by_warps"))
        lab_technique(lab, lab_n_launches(lab) == 0, "launches for no numbers", lab_n_launches(lab),
                      "==", 0);
}

/* The kernel that came with the lab: both sides in each warp. */
static void count_neighbours(struct lab *lab, const struct lab_case *c) {
    uint64_t blocks = c->n / c->block;

    if (mix_by(lab, c, "mix_neighbours"))
        lab_predict(lab, "predicted_divergent_warps_192",
                    "How many warps of a block of 192 do both sides in mix_neighbours?",
                    (int64_t)(lab_counter_total(lab, "divergent_branches") / blocks),
                    "All 6: neighbouring lanes have neighbouring places.");
}

static void check(struct lab *lab, const char *what, uint64_t got, uint64_t most, const char *id) {
    if (!lab_technique(lab, got <= most, what, got, "<=", most))
        lab_diagnose(lab, id);
}

/* Blocks that are full. */
static void count_sides(struct lab *lab, const struct lab_case *c) {
    enum { INSTRUCTIONS = 180, SECTORS = 2 };
    uint64_t sectors = c->n * sizeof(int32_t) / 32;

    if (!mix_by(lab, c, "mix_by_warps"))
        return;
    lab_expect_grid(lab, c->block, 0);
    check(lab, "branches that part a warp", lab_counter_total(lab, "divergent_branches"), 0,
          "warps_parted");
    check(lab, "instructions for each number", lab_counter_total(lab, "thread_instructions") / c->n,
          INSTRUCTIONS, "both_ways");
    check(lab, "sectors that are loaded", lab_counter_total(lab, "global_load_sectors"),
          SECTORS * sectors, "not_neighbours");
    check(lab, "sectors that are stored", lab_counter_total(lab, "global_store_sectors"),
          SECTORS * sectors, "not_neighbours");
}

LAB_TEST(technique, parts_no_warp) {
    lab_one(lab, 0, 64, mix_nothing);
    lab_one(lab, 64 * 192, 192, count_neighbours);
    lab_one(lab, 64 * 192, 192, count_sides);
    lab_one(lab, 1 << 14, 256, count_sides);
}
