/* One case of each function: arguments, call, comparison. */
#include <string.h>

#include "labs/11-single-pass-scan/tests/single.h"

const struct single of_ints = {"pass_along", false}, of_chain = {"scan_chained", true},
                    of_look_back = {"scan_look_back", true};

/* Whole warps; one of them no power of two. */
const unsigned scan_small_blocks[SCAN_SMALL_BLOCKS] = {32, 64, 96, 128};

size_t single_blocks(const struct single *single, size_t n, unsigned block) {
    return single->is_of_tiles ? n_tiles(n, block) : n;
}

void single_args(struct call_arg args[SINGLE_N_ARGS], const struct single *single,
                 struct call_arg in, unsigned block, struct call_arg out) {
    size_t blocks = single_blocks(single, in.count, block);

    args[0] = in;
    args[1] = lab_size(in.count);
    args[2] = lab_u32("block", block);
    args[3] = lab_scratch("state", state_words(blocks), sizeof(uint64_t));
    args[4] = out;
    args[0].is_round = args[3].is_round = args[4].is_round = true;
}

/* As single_ints; with `words` they are in `state` before the call. */
static bool ints_over_words(struct lab *lab, const struct single *single, const struct lab_case *c,
                            uint64_t *words) {
    int32_t *in = lab_random_i32(lab, c->n);
    int32_t *out = lab_memory(lab, c->n * sizeof *out),
            *right = lab_memory(lab, c->n * sizeof *out);
    struct call_arg args[SINGLE_N_ARGS];

    lab_set_diagnoser(lab, scan_diagnose);
    lab_set_small_blocks(lab, scan_small_blocks, SCAN_SMALL_BLOCKS);
    scan_reference(in, c->n, false, right);
    single_args(args, single, lab_in("in", in, c->n, sizeof *in), c->block,
                lab_out("out", out, c->n, sizeof *out));
    if (words) {
        args[3] = lab_inout("state", words, args[3].count, sizeof *words);
        args[3].is_round = true;
    }
    return lab_call_args(lab, single->function, args, SINGLE_N_ARGS) &&
           lab_expect_i32(lab, "out", out, right, c->n);
}

bool single_ints(struct lab *lab, const struct single *single, const struct lab_case *c) {
    return ints_over_words(lab, single, c, NULL);
}

void ints_case(struct lab *lab, const struct lab_case *c) {
    single_ints(lab, &of_ints, c);
}

void chain_case(struct lab *lab, const struct lab_case *c) {
    single_ints(lab, &of_chain, c);
}

void look_back_case(struct lab *lab, const struct lab_case *c) {
    single_ints(lab, &of_look_back, c);
}

static uint64_t make_word(uint32_t status, int32_t sum) {
    return (uint64_t)status << 32 | (uint32_t)sum;
}

/* Words as a call with other ints leaves them: each tells of all before it, and is wrong now. */
static void scan_after(struct lab *lab, const struct single *single, const struct lab_case *c) {
    size_t n_words = state_words(single_blocks(single, c->n, c->block));
    int32_t *sums = lab_random_i32(lab, n_words);
    uint64_t *words = lab_memory(lab, n_words * sizeof *words);

    for (size_t i = 0; i < n_words; i++)
        words[i] = make_word(OF_ALL, sums[i]);
    lab_describe(lab, "n = %zu, block = %u, state holds what an earlier call left", c->n, c->block);
    ints_over_words(lab, single, c, words);
}

void ints_after_case(struct lab *lab, const struct lab_case *c) {
    scan_after(lab, &of_ints, c);
}

void chain_after_case(struct lab *lab, const struct lab_case *c) {
    scan_after(lab, &of_chain, c);
}

void look_back_after_case(struct lab *lab, const struct lab_case *c) {
    scan_after(lab, &of_look_back, c);
}

void look_case(struct lab *lab, const struct lab_case *c) {
    enum { LANES = 32 };
    size_t tile = c->n, distance = c->block, n_words = tile + 2;
    int32_t *sums = lab_random_i32(lab, n_words), before[LANES], right[LANES];
    uint64_t *words = lab_memory(lab, n_words * sizeof *words),
             *right_words = lab_memory(lab, n_words * sizeof *words);
    uint32_t sum = 0;
    int32_t total = sums[tile];

    lab_name_drawn(lab, "the sum in words");
    lab_set_diagnoser(lab, scan_diagnose);
    lab_describe(lab, "tile %zu, the nearest sum of all %zu tiles before it", tile, distance);
    for (size_t i = 0; i < tile; i++)
        words[i] = make_word(
            i % 97 == (tile - distance) % 97 && i + distance <= tile ? OF_ALL : OF_TILE, sums[i]);
    for (size_t d = 1; d <= distance && d <= tile; d++)
        sum += (uint32_t)sums[tile - d];
    if (tile > 0) {
        words[tile + 1] = words[tile - 1];
        words[tile - 1] = 0;
    }
    memcpy(right_words, words, n_words * sizeof *words);
    if (tile > 0)
        right_words[tile - 1] = words[tile + 1];
    right_words[tile] = make_word(OF_ALL, (int32_t)(sum + (uint32_t)total));
    for (size_t i = 0; i < LANES; i++)
        right[i] = (int32_t)sum;
    if (lab_call(lab, "look_from", lab_inout("words", words, n_words, sizeof *words),
                 lab_u32("tile", (uint32_t)tile), lab_u32("total", (uint32_t)total),
                 lab_out("before", before, LANES, sizeof *before)) &&
        lab_expect_i32(lab, "before", before, right, LANES))
        lab_expect_i32(lab, "words, as pairs of ints,", (int32_t *)words, (int32_t *)right_words,
                       2 * n_words);
}

/* The arguments of a scan in phases, with words in place of its scratch. */
static size_t mapped_args(struct lab *lab, struct mapped *map, unsigned block,
                          struct call_arg *args) {
    size_t n_args = ((struct single_mapped *)map)->args(lab, map, block, args);

    single_args(args, &of_look_back, args[0], block, args[n_args - 1]);
    return SINGLE_N_ARGS;
}

struct single_mapped single_mapped(void) {
    struct single_mapped single = {.scan = scan_mapped(false)};

    single.args = single.scan.map.args;
    single.scan.map.function = of_look_back.function;
    single.scan.map.args = mapped_args;
    return single;
}

void tickets_args(struct call_arg args[TICKETS_N_ARGS], const struct lab_case *c, uint32_t *taken) {
    args[0] = lab_u32("n_blocks", (uint32_t)c->n);
    args[1] = lab_u32("block", c->block);
    args[2] = lab_scratch("ticket", 1, sizeof *taken);
    args[3] = lab_out("taken", taken, c->n * c->block, sizeof *taken);
}

/* The first thread's of a block is compared with none before it, the others' with the first's. */
bool tickets_right(struct lab *lab, const struct lab_case *c) {
    size_t n = c->n * c->block;
    uint32_t *taken = lab_memory(lab, n * sizeof *taken);
    int32_t *right = lab_memory(lab, n * sizeof *right);
    bool *is_taken = lab_memory(lab, c->n * sizeof *is_taken);
    struct call_arg args[TICKETS_N_ARGS];

    lab_set_diagnoser(lab, scan_diagnose);
    tickets_args(args, c, taken);
    if (!lab_call_args(lab, "take_tickets", args, TICKETS_N_ARGS))
        return false;
    for (size_t i = 0; i < n; i++)
        right[i] = (int32_t)taken[i - i % c->block];
    if (!lab_expect_i32(lab, "taken", (int32_t *)taken, right, n))
        return false;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t mine = taken[i * c->block];

        if (mine >= c->n || is_taken[mine]) {
            lab_fail(lab, "wrong_answer",
                     "take_tickets (n_blocks = %zu, block = %u): block %zu has ticket %u, %s", c->n,
                     c->block, i, mine,
                     mine < c->n ? "which a block before it has, too."
                                 : "and there are not so many.");
            return false;
        }
        is_taken[mine] = true;
    }
    return true;
}

void tickets_case(struct lab *lab, const struct lab_case *c) {
    tickets_right(lab, c);
}
