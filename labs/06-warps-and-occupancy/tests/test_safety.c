/* What a correct kernel never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/06-warps-and-occupancy/tests/limits.h"
#include "labs/06-warps-and-occupancy/tests/seats.h"

LAB_TEST(safety, stays_inside_its_arrays) {
    static const size_t sizes[] = {1, 31, 33, 100, 513, 1025, 4097};
    static const unsigned blocks[] = {64, 192, 512};

    LAB_SWEEP(lab, sizes, blocks, mix_case);
}

LAB_TEST(safety, shares_no_seat) {
    static const unsigned blocks[] = {8, 48, 60, 512, 1000};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lab_any_order(lab, 4, blocks[i], seats_case);
    lab_any_order(lab, 777, 64, mix_case);
}

/* c->n rows from row 3 on. */
static void some_rows(struct lab *lab, const struct lab_case *c) {
    limits_call(lab, LIMITS_ALL, 3, c->n, NULL);
}

/* Every second one on another device. */
static void one_block(struct lab *lab, const struct lab_case *c) {
    const struct limits_here here = {c->block, (unsigned)c->n};

    limits_on_another_device(lab, c->n % 16 != 0 && !lab_on_gpu(lab));
    limits_call_here(lab, &here, 1);
    limits_on_another_device(lab, false);
}

static void one_block_refused(struct lab *lab, const struct lab_case *c) {
    const struct limits_here here = {c->block, (unsigned)c->n};

    limits_here_refused(lab, &here);
}

LAB_TEST(safety, keeps_no_state) {
    static const size_t sizes[] = {500, 500, 166, 500, 2000}, blocks[] = {4, 4, 1, 4, 9};
    static const size_t rows[] = {2, 3, 2, 30, 11}, bytes[] = {0, 3096, 0, 15384};

    lab_in_turn(lab, blocks, sizeof blocks / sizeof *blocks, 100, seats_case);
    lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, mix_case);
    lab_in_turn(lab, rows, sizeof rows / sizeof *rows, 1, some_rows);
    lab_in_turn(lab, bytes, sizeof bytes / sizeof *bytes, 64, one_block);
}

/* 32 × 33 threads, and 65 in z, of which there may be 64. */
static void refuse_shape(struct lab *lab, const struct lab_case *c) {
    struct seats seats = {.nx = 32, .ny = 33, .nz = 1, .blocks = 2};
    struct call_arg args[SEATS_ARGS];

    lab_set_diagnoser(lab, seats_diagnose);
    if (c->n == 65)
        seats = (struct seats){.nx = 1, .ny = 1, .nz = 65, .blocks = 2};
    seats_args(lab, &seats, args);
    lab_call_refused_args(lab, "seat_threads",
                          c->n == 65 ? "a block of 65 threads in z" : "a block of 1056 threads",
                          args, SEATS_ARGS);
}

static void refuse_block(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[MIX_ARGS];

    mix_args(lab, c, args);
    lab_set_diagnoser(lab, seats_diagnose);
    lab_call_refused_args(lab, "mix_by_warps", "a block of 1088 threads", args, MIX_ARGS);
}

/* Pairs of warps are what the function divides a block into. */
static void refuse_other_blocks(struct lab *lab, const struct lab_case *c) {
    static const unsigned blocks[] = {96, 32, 0};
    struct call_arg args[MIX_ARGS];
    char why[64];

    lab_set_diagnoser(lab, NULL);
    mix_args(lab, c, args);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        args[2].value.u64 = blocks[i];
        snprintf(why, sizeof why, "blocks of %u threads", blocks[i]);
        lab_call_invalid_args(lab, "mix_by_warps", why, args, MIX_ARGS);
    }
}

/* What is wrong without a refusal has another cause, which the comparison tells. */
static void refuse_seats(struct lab *lab, const struct lab_case *c) {
    struct seats seats = {.nx = 8, .ny = 8, .nz = 1, .blocks = (unsigned)c->n};
    struct call_arg args[SEATS_ARGS];

    if (!seats_call(lab, &seats))
        return;
    seats_args(lab, &seats, args);
    lab_set_diagnoser(lab, seats_diagnose);
    lab_returns_refusals_args(lab, "seat_threads", args, SEATS_ARGS);
}

static void refuse_mix(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[MIX_ARGS];

    if (!mix_by(lab, c, "mix_by_warps"))
        return;
    mix_args(lab, c, args);
    lab_set_diagnoser(lab, seats_diagnose);
    lab_returns_refusals_args(lab, "mix_by_warps", args, MIX_ARGS);
}

LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 2, 1056, refuse_shape);
    lab_one(lab, 65, 65, refuse_shape);
    lab_one(lab, 3, 64, refuse_seats);
    lab_one(lab, 5000, 1088, refuse_block);
    lab_one(lab, 1, 1088, refuse_block);
    lab_one(lab, 5000, 64, refuse_mix);
    lab_one(lab, 1, 64, refuse_mix);
    lab_one(lab, 5000, 64, refuse_other_blocks);
    lab_one(lab, 1000, 64, one_block_refused);
}
