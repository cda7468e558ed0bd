#include "labs/05-pi-trapezoid/tests/pi_case.h"

#include <math.h>

unsigned pi_blocks(size_t n, unsigned block) {
    return 1 + (unsigned)((7 * n + block) % 61);
}

/* The result is stored by thread 0 of the last launch, which has one block. */
static struct lab_owner own_pi(const struct lab *lab, const char *what, size_t index) {
    (void)what, (void)index;
    return (struct lab_owner){.launch = (int64_t)lab_n_launches(lab) - 1, .block = 0, .thread = 0};
}

void pi_args(struct call_arg args[PI_N_ARGS], size_t n, unsigned block, unsigned blocks,
             double *pi) {
    args[0] = lab_size(n);
    args[1] = lab_u32("block", block);
    args[2] = lab_u32("blocks", blocks);
    args[3] = lab_scratch("scratch", blocks, sizeof *pi);
    args[4] = lab_out("pi", pi, 1, sizeof *pi);
}

/* Blocks in which few points are enough to go wrong, one of them no power of two. */
static const unsigned small_blocks[] = {2, 3, 4, 8};

bool pi_compute(struct lab *lab, size_t n, unsigned block, unsigned blocks, double *pi) {
    struct call_arg args[PI_N_ARGS];
    double right = rule_pi(n);

    *pi = NAN;
    lab_set_owner(lab, own_pi);
    lab_set_elements(lab, LAB_DOUBLES);
    lab_set_small_blocks(lab, small_blocks, sizeof small_blocks / sizeof *small_blocks);
    pi_args(args, n, block, blocks, pi);
    return lab_call_args(lab, "pi_trapezoid", args, PI_N_ARGS) &&
           lab_expect_f64(lab, "pi", pi, &right, rule_bound(n, block, blocks, 0x1p-53), 1);
}

void pi_case(struct lab *lab, const struct lab_case *c) {
    double pi;

    lab_set_diagnoser(lab, pi_diagnose);
    pi_compute(lab, c->n, c->block, pi_blocks(c->n, c->block), &pi);
}
