/*
 * Known mistakes, recognised by what they do. A mistake is named only where all that its text says
 * was seen; where that is true of none, none is.
 */
#include <string.h>

#include "labs/06-warps-and-occupancy/tests/seats.h"

static unsigned number(const struct lab *lab, const char *name) {
    const struct call_arg *arg = lab_argument(lab, name);

    return arg != NULL ? (unsigned)arg->value.u64 : 0;
}

/* Threads that differ in one of x, y and z alone write one seat. */
static const char *shared_seat(const json_t *finding) {
    unsigned differs = 0;

    for (size_t axis = 0; axis < 3; axis++) {
        int64_t here = lab_finding_place(finding, "here", "thread", axis);
        int64_t other = lab_finding_place(finding, "other", "thread", axis);

        if (here < 0 || other < 0)
            return NULL;
        if (lab_finding_place(finding, "here", "block", axis) !=
            lab_finding_place(finding, "other", "block", axis))
            return NULL;
        differs += here != other;
    }
    if (!lab_finding_is_at(finding, "x") && !lab_finding_is_at(finding, "y") &&
        !lab_finding_is_at(finding, "z"))
        return NULL;
    return differs == 1 ? "axis_left_out" : NULL;
}

/* The coordinates of thread `number` of a block, were axis `order[0]` numbered fastest. */
static void place_of(size_t number, const unsigned shape[3], const unsigned order[3],
                     int32_t place[3]) {
    for (size_t i = 0; i < 3; i++) {
        place[order[i]] = (int32_t)(number % shape[order[i]]);
        number /= shape[order[i]];
    }
}

/* All seats are as so many blocks would leave them, by this order of the axes, and with so many
 * seats from a block to the next. */
static bool are_seated_so(const struct lab *lab, size_t blocks, const unsigned shape[3],
                          const unsigned order[3], size_t of_a_block) {
    const struct call_arg *seats[3] = {lab_argument(lab, "x"), lab_argument(lab, "y"),
                                       lab_argument(lab, "z")};
    size_t n_threads = (size_t)shape[0] * shape[1] * shape[2];

    for (size_t i = 0; i < seats[0]->count; i++) {
        int32_t nobody = seats_nobody(i), place[3] = {nobody, nobody, nobody};

        if (i / of_a_block < blocks && i % of_a_block < n_threads)
            place_of(i % of_a_block, shape, order, place);
        for (size_t axis = 0; axis < 3; axis++)
            if (((const int32_t *)seats[axis]->data)[i] != place[axis])
                return false;
    }
    return true;
}

/* The first block's seats are right, and no other was written, though all blocks ran. */
static bool are_of_the_first_block(const struct lab *lab, const unsigned shape[3],
                                   const unsigned order[3], size_t of_a_block) {
    size_t blocks = number(lab, "blocks");

    return blocks > 1 && lab_launch(lab, lab_largest_launch(lab)).n_blocks == blocks &&
           are_seated_so(lab, 1, shape, order, of_a_block);
}

static const char *wrong_seats(const struct lab *lab) {
    static const unsigned orders[][3] = {{1, 0, 2}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}};
    static const unsigned usual[3] = {0, 1, 2};
    const unsigned shape[3] = {number(lab, "nx"), number(lab, "ny"), number(lab, "nz")};
    size_t n_threads = (size_t)shape[0] * shape[1] * shape[2], blocks = number(lab, "blocks");
    size_t of_a_block = (n_threads + 31) / 32 * 32;

    if (are_of_the_first_block(lab, shape, usual, of_a_block))
        return "block_left_out";
    if (blocks > 1 && are_seated_so(lab, blocks, shape, usual, n_threads))
        return "seats_without_gaps";
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (are_seated_so(lab, blocks, shape, orders[i], of_a_block))
            return "other_axis_first";
    return NULL;
}

/* Each place got what its neighbour should get. */
static const char *wrong_sides(const struct lab *lab, size_t n) {
    const int32_t *in = lab_argument(lab, "in")->data, *out = lab_argument(lab, "out")->data;

    for (size_t i = 0; i < n; i++)
        if (in == NULL || out == NULL || out[i] != mix_number(i + 1, in[i]))
            return NULL;
    return "sides_swapped";
}

/* On a GPU nobody knows what was launched. */
static const char *wrong_answer(const struct lab *lab, const struct lab_case *c) {
    if (lab_fails_only_beyond(lab, c->n, INT32_MAX))
        return "index_overflow";
    if (lab_report(lab) != NULL && lab_n_launches(lab) == 0)
        return "nothing_launched";
    if (lab_report(lab) != NULL && lab_counter_total(lab, "global_stores") == 0)
        return "kernel_not_written";
    return strcmp(lab_function(lab), "seat_threads") == 0 ? wrong_seats(lab)
                                                          : wrong_sides(lab, c->n);
}

/* Blocks of more threads than there may be, or a grid of no blocks. */
static const char *refused(const struct lab *lab, const struct lab_case *c) {
    if (c->block > 1024)
        return lab_swallowed_error(lab) ? "launch_error_swallowed" : NULL;
    return c->n == 0 && lab_grid_was_empty(lab, c->block) ? "empty_input_not_handled" : NULL;
}

void seats_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const json_t *race = lab_finding(lab, "global_race");
    const char *id = NULL;

    if (strcmp(verdict, "wrong_answer") == 0)
        id = wrong_answer(lab, c);
    else if (strcmp(verdict, "finding") == 0 && race != NULL)
        id = shared_seat(race);
    else if (strcmp(verdict, "cuda_error") == 0)
        id = refused(lab, c);
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
