/* One case of each function: arguments, call, comparison. */
#include "labs/14-capstone/tests/fast.h"

/* Unused: the student chooses the block. */
const unsigned scan_small_blocks[SCAN_SMALL_BLOCKS] = {32, 64, 128, ANY_BLOCK};

size_t fast_sum_args(struct call_arg *args, struct call_arg in, unsigned block, void *sum) {
    (void)block;
    args[0] = in;
    args[1] = lab_size(in.count);
    args[2] = lab_scratch("scratch", scratch_words(in.count), sizeof(uint64_t));
    args[3] = lab_out("sum", sum, 1, sizeof(int32_t));
    args[2].is_round = true;
    return FAST_N_ARGS;
}

void fast_scan_args(struct call_arg args[FAST_N_ARGS], struct call_arg in, struct call_arg out) {
    fast_sum_args(args, in, ANY_BLOCK, NULL);
    args[3] = out;
}

bool fast_sum(struct lab *lab, const struct lab_case *c) {
    int32_t *in = lab_random_i32(lab, c->n), sum = 0;
    struct call_arg args[FAST_N_ARGS];
    uint32_t right = 0;

    lab_describe(lab, "n = %zu", c->n);
    lab_set_diagnoser(lab, scan_diagnose);
    for (size_t i = 0; i < c->n; i++)
        right += (uint32_t)in[i];
    fast_sum_args(args, lab_in("in", in, c->n, sizeof *in), c->block, &sum);
    return lab_call_args(lab, "sum_fast", args, FAST_N_ARGS) &&
           lab_expect_i32(lab, "sum", &sum, &(int32_t){(int32_t)right}, 1);
}

/* Scans these ints; `rounds`: which arrays begin at a multiple of 16 bytes all the same where the
 * others don't. */
enum { ROUND_IN = 1, ROUND_OUT = 2 };
static bool scan_by(struct lab *lab, const int32_t *in, size_t n, unsigned rounds) {
    int32_t *out = lab_memory(lab, n * sizeof *out), *right = lab_memory(lab, n * sizeof *out);
    struct call_arg args[FAST_N_ARGS];

    lab_describe(lab, "n = %zu", n);
    lab_set_diagnoser(lab, scan_diagnose);
    scan_reference(in, n, false, right);
    fast_scan_args(args, lab_in("in", in, n, sizeof *in), lab_out("out", out, n, sizeof *out));
    args[0].is_round = (rounds & ROUND_IN) != 0;
    args[3].is_round = (rounds & ROUND_OUT) != 0;
    return lab_call_args(lab, "scan_fast", args, FAST_N_ARGS) &&
           lab_expect_i32(lab, "out", out, right, n);
}

bool fast_scan(struct lab *lab, const struct lab_case *c) {
    return scan_by(lab, lab_random_i32(lab, c->n), c->n, 0);
}

void fast_scan_from_round(struct lab *lab, const struct lab_case *c) {
    scan_by(lab, lab_random_i32(lab, c->n), c->n, ROUND_IN);
}

void fast_scan_to_round(struct lab *lab, const struct lab_case *c) {
    scan_by(lab, lab_random_i32(lab, c->n), c->n, ROUND_OUT);
}

void fast_scan_zeros(struct lab *lab, const struct lab_case *c) {
    int32_t *in = lab_memory(lab, c->n * sizeof *in);

    for (size_t i = 0; i < c->n; i++)
        in[i] = i + 1 == c->n;
    scan_by(lab, in, c->n, 0);
}

void fast_sum_case(struct lab *lab, const struct lab_case *c) {
    fast_sum(lab, c);
}

void fast_scan_case(struct lab *lab, const struct lab_case *c) {
    fast_scan(lab, c);
}

/* The arguments of a scan in phases, with this lab's scratch. */
static size_t mapped_args(struct lab *lab, struct mapped *map, unsigned block,
                          struct call_arg *args) {
    size_t n_args = ((struct fast_mapped *)map)->args(lab, map, block, args);

    fast_scan_args(args, args[0], args[n_args - 1]);
    return FAST_N_ARGS;
}

struct fast_mapped fast_mapped(void) {
    struct fast_mapped fast = {.scan = scan_mapped(false)};

    fast.args = fast.scan.map.args;
    fast.scan.map.function = "scan_fast";
    fast.scan.map.args = mapped_args;
    return fast;
}
