/* What a correct scan never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/11-single-pass-scan/tests/single.h"

LAB_TEST(safety, tickets_have_no_race) {
    lab_any_order(lab, 1, 64, tickets_case);
    lab_any_order(lab, 9, 96, tickets_case);
}

/* More blocks of 1,024 threads than the simulator's device holds at a time, which are 8: who waits
 * for a block by its number may wait for one that gets no place. */
enum { MANY_BLOCKS = 40, MANY_THREADS = 1024 };

LAB_TEST(safety, passes_in_any_order) {
    lab_any_order(lab, 2, 32, ints_case);
    lab_any_order(lab, 9, 64, ints_case);
    lab_any_order(lab, 67, 32, ints_case);
    lab_any_order(lab, MANY_BLOCKS, MANY_THREADS, ints_case);
    lab_any_order(lab, 67, 32, ints_after_case);
}

LAB_TEST(safety, chain_waits_in_any_order) {
    lab_any_order(lab, 2 * 32 * ITEMS, 32, chain_case);
    lab_any_order(lab, 5 * 64 * ITEMS + 7, 64, chain_case);
    lab_any_order(lab, (size_t)MANY_BLOCKS * MANY_THREADS * ITEMS, MANY_THREADS, chain_case);
    lab_any_order(lab, 67 * 32 * ITEMS, 32, chain_after_case);
}

/* Whoever looks back has told of its own tile by then: others wait for that. */
LAB_TEST(safety, tells_before_it_looks) {
    lab_any_order(lab, 1, 1, look_case);
    lab_any_order(lab, 40, 33, look_case);
}

/* Few tiles; more than a warp looks back over at a time. */
LAB_TEST(safety, looks_back_in_any_order) {
    lab_any_order(lab, 2 * 32 * ITEMS, 32, look_back_case);
    lab_any_order(lab, 5 * 64 * ITEMS + 7, 64, look_back_case);
    lab_any_order(lab, 67 * 32 * ITEMS, 32, look_back_case);
    lab_any_order(lab, (size_t)MANY_BLOCKS * MANY_THREADS * ITEMS, MANY_THREADS, look_back_case);
    lab_any_order(lab, 67 * 32 * ITEMS, 32, look_back_after_case);
}

/* Partial tiles, partial warps: whoever has no int, no neighbour, no tile before it. */
LAB_TEST(safety, stays_inside_its_buffers) {
    static const size_t sizes[] = {1, 2, 31, 33, 100, 1025, 4097};
    static const unsigned blocks[] = {32, 96};

    LAB_SWEEP(lab, sizes, blocks, chain_case);
    LAB_SWEEP(lab, sizes, blocks, look_back_case);
    lab_one(lab, 5, 32, ints_case);
}

/* Tickets and words that the call before left behind. */
LAB_TEST(safety, keeps_no_state) {
    static const size_t tiles[] = {5000, 5000, 1666, 5000, 20000, 0};
    static const size_t few[] = {50, 50, 16, 50, 200, 0};

    lab_in_turn(lab, few, sizeof few / sizeof *few, 64, tickets_case);
    lab_in_turn(lab, few, sizeof few / sizeof *few, 64, ints_case);
    lab_in_turn(lab, tiles, sizeof tiles / sizeof *tiles, 32, chain_case);
    lab_in_turn(lab, tiles, sizeof tiles / sizeof *tiles, 32, look_back_case);
}

enum { N_FUNCTIONS = 4, TICKETS = N_FUNCTIONS - 1 };

/* The arguments of the four functions, one after the other; returns how many. */
static size_t arguments(struct lab *lab, size_t function, const struct lab_case *c,
                        struct call_arg args[SINGLE_N_ARGS], const char **name) {
    const struct single *const all[] = {&of_ints, &of_chain, &of_look_back};

    lab_set_diagnoser(lab, scan_diagnose);
    if (function == TICKETS) {
        *name = "take_tickets";
        tickets_args(args, c, lab_memory(lab, c->n * c->block * sizeof(uint32_t)));
        return TICKETS_N_ARGS;
    }
    *name = all[function]->function;
    single_args(args, all[function], lab_in("in", lab_random_i32(lab, c->n), c->n, 4), c->block,
                lab_out("out", lab_memory(lab, c->n * 4), c->n, 4));
    return SINGLE_N_ARGS;
}

static void lose_a_launch(struct lab *lab, const struct lab_case *c) {
    for (size_t i = 0; i < N_FUNCTIONS; i++) {
        struct call_arg args[SINGLE_N_ARGS];
        const char *name;
        size_t n_args = arguments(lab, i, c, args, &name);

        lab_returns_refusals_args(lab, name, args, n_args);
    }
}

/* From tile 0, which has nothing before it. */
static void lose_the_look(struct lab *lab, const struct lab_case *c) {
    enum { N_WORDS = 2, N_LANES = 32 };
    struct call_arg args[] = {
        lab_inout("words", lab_memory(lab, N_WORDS * sizeof(uint64_t)), N_WORDS, sizeof(uint64_t)),
        lab_u32("tile", 0), lab_u32("total", (uint32_t)c->n),
        lab_out("before", lab_memory(lab, N_LANES * sizeof(int32_t)), N_LANES, sizeof(int32_t))};

    lab_set_diagnoser(lab, scan_diagnose);
    lab_returns_refusals_args(lab, "look_from", args, sizeof args / sizeof *args);
}

static void launch_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    for (size_t i = 0; i < N_FUNCTIONS; i++) {
        struct call_arg args[SINGLE_N_ARGS];
        const char *name;
        char why[64];
        size_t n_args = arguments(lab, i, c, args, &name);

        snprintf(why, sizeof why, "a block of %u threads", c->block);
        lab_call_refused_args(lab, name, why, args, n_args);
    }
}

static void launch_partial_warps(struct lab *lab, const struct lab_case *c) {
    static const unsigned blocks[] = {0, 31, 48, 100};

    for (size_t i = 0; i < N_FUNCTIONS; i++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            struct call_arg args[SINGLE_N_ARGS];
            const char *name;
            char why[64];
            size_t n_args = arguments(lab, i, c, args, &name);

            args[i == TICKETS ? 1 : 2].value.u64 = blocks[b];
            snprintf(why, sizeof why, "blocks of %u threads", blocks[b]);
            lab_call_invalid_args(lab, name, why, args, n_args);
        }
}

/* Each launch and each fill refused for no reason that the function could know; blocks that the
 * device refuses; blocks that the header does. */
LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 50, 64, lose_a_launch);
    lab_one(lab, 0, 64, lose_a_launch);
    lab_one(lab, 1, 64, lose_the_look);
    lab_one(lab, 50, 1056, launch_impossible_blocks);
    lab_one(lab, 50, 64, launch_partial_warps);
}
