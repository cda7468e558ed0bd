/* One case of a scan of parts: arguments, call, comparison. */
#include "labs/10-warp-shuffle-scan/tests/parts.h"

const struct parts of_warps = {"scan_warps", false}, of_blocks = {"scan_blocks", true};

size_t parts_size(const struct parts *parts, unsigned block) {
    return parts->is_block ? block : 32;
}

void parts_args(struct call_arg args[PARTS_N_ARGS], struct call_arg in, unsigned block,
                int32_t *out) {
    args[0] = in;
    args[1] = lab_size(in.count);
    args[2] = lab_u32("block", block);
    args[3] = lab_out("out", out, in.count, sizeof *out);
    args[0].is_round = args[3].is_round = true;
}

/* Each element belongs to the thread of its own number. */
static struct lab_owner own_element(const struct lab *lab, const char *what, size_t index) {
    size_t block = lab_argument(lab, "block")->value.u64;

    (void)what;
    return (struct lab_owner){.launch = (int64_t)lab_n_launches(lab) - 1,
                              .block = (int64_t)(index / block),
                              .thread = (int64_t)(index % block)};
}

bool parts_ints(struct lab *lab, const struct parts *parts, const int32_t *in,
                const struct lab_case *c) {
    size_t size = parts_size(parts, c->block);
    int32_t *out = lab_memory(lab, c->n * sizeof *out),
            *right = lab_memory(lab, c->n * sizeof *out);
    struct call_arg args[PARTS_N_ARGS];

    lab_set_diagnoser(lab, scan_diagnose);
    lab_set_owner(lab, own_element);
    lab_set_small_blocks(lab, scan_small_blocks, SCAN_SMALL_BLOCKS);
    for (size_t i = 0; i < c->n; i += size)
        scan_reference(in + i, c->n - i < size ? c->n - i : size, false, right + i);
    parts_args(args, lab_in("in", in, c->n, sizeof *in), c->block, out);
    return lab_call_args(lab, parts->function, args, PARTS_N_ARGS) &&
           lab_expect_i32(lab, "out", out, right, c->n);
}

void warps_case(struct lab *lab, const struct lab_case *c) {
    parts_ints(lab, &of_warps, lab_random_i32(lab, c->n), c);
}

void blocks_case(struct lab *lab, const struct lab_case *c) {
    parts_ints(lab, &of_blocks, lab_random_i32(lab, c->n), c);
}

/* Ints that are all the same: a value that comes from another lane may be no other than its own. */
static const int32_t *equal_ints(struct lab *lab, size_t n) {
    int32_t *in = lab_random_i32(lab, n);

    for (size_t i = 1; i < n; i++)
        in[i] = in[0];
    return in;
}

void equal_in_warps_case(struct lab *lab, const struct lab_case *c) {
    parts_ints(lab, &of_warps, equal_ints(lab, c->n), c);
}

void equal_in_blocks_case(struct lab *lab, const struct lab_case *c) {
    parts_ints(lab, &of_blocks, equal_ints(lab, c->n), c);
}
