/* One case of a sum by levels. */
#include <string.h>

#include "labs/common/levels/sum.h"
#include "labs/common/many.h"

int32_t levels_reference(const int32_t *in, size_t n) {
    uint32_t sum =
        0; /* unsigned wraps around, as the lab says; signed overflow is undefined in C */

    for (size_t i = 0; i < n; i++)
        sum += (uint32_t)in[i];
    return (int32_t)sum;
}

const struct levels_sum *levels_called(const struct lab *lab) {
    const struct levels_sum *called = levels_sums;

    while (called->function != NULL && strcmp(called->function, lab_function(lab)) != 0)
        called++;
    return called->function != NULL ? called : NULL;
}

size_t levels_share(const struct levels_sum *sum, unsigned block) {
    if (sum->share == LEVELS_ANY_SHARE)
        return 0;
    return (size_t)block * (sum->share > 0 ? sum->share : 1);
}

/* The sum is stored by thread 0 of the only block of the last launch. */
static struct lab_owner own_sum(const struct lab *lab, const char *what, size_t index) {
    struct lab_owner owner = {.launch = 0, .block = 0, .thread = 0};
    const struct levels_sum *called = levels_called(lab);
    size_t n = lab_argument(lab, "n")->value.u64;
    size_t share =
        called != NULL ? levels_share(called, (unsigned)lab_argument(lab, "block")->value.u64) : 0;

    (void)what, (void)index;
    if (share < 2)
        return (struct lab_owner){-1, -1, -1};
    for (; n > share; n = (n + share - 1) / share)
        owner.launch++;
    return owner;
}

const char *levels_input(void) {
    return levels_sums[0].data != NULL ? levels_sums[0].data : "in";
}

size_t levels_args(struct call_arg *args, struct call_arg in, unsigned block, void *sum) {
    args[0] = in;
    args[0].name = levels_input();
    args[0].may_change = levels_sums[0].data != NULL;
    args[1] = lab_size(in.count);
    args[2] = lab_u32("block", block);
    args[3] = lab_scratch("scratch", levels_scratch(in.count, block), sizeof(int32_t));
    args[4] = lab_out("sum", sum, 1, sizeof(int32_t));
    return LEVELS_N_ARGS;
}

/* Blocks in which few numbers are enough to go wrong, one of them no power of two. */
static const unsigned small_blocks[] = {2, 3, 4, 8};

static void set_up(struct lab *lab) {
    lab_set_owner(lab, own_sum);
    if (levels_sums[0].least_block <= small_blocks[0])
        lab_set_small_blocks(lab, small_blocks, sizeof small_blocks / sizeof *small_blocks);
}

bool levels_ints(struct lab *lab, const char *function, const int32_t *in, size_t n,
                 unsigned block) {
    int32_t right = levels_reference(in, n), sum = ~right;
    struct call_arg args[LEVELS_N_ARGS];

    set_up(lab);
    levels_args(args, lab_in("in", in, n, sizeof *in), block, &sum);
    return lab_call_args(lab, function, args, LEVELS_N_ARGS) &&
           lab_expect_i32(lab, "sum", &sum, &right, 1);
}

bool levels_counted(struct lab *lab, const struct levels_sum *sum, const struct lab_case *c) {
    lab_set_diagnoser(lab, levels_diagnose);
    return levels_ints(lab, sum->function, lab_random_i32(lab, c->n), c->n, c->block) &&
           lab_expect_grid(lab, c->block, 0);
}

void levels_case_of(struct lab *lab, const struct levels_sum *sum, const struct lab_case *c) {
    lab_set_diagnoser(lab, levels_diagnose);
    if (c->n <= MANY_INTS) {
        levels_ints(lab, sum->function, lab_random_i32(lab, c->n), c->n, c->block);
    } else {
        set_up(lab);
        many_sum(lab, c, sum->function, levels_args);
    }
}

void levels_case(struct lab *lab, const struct lab_case *c) {
    levels_case_of(lab, &levels_sums[0], c);
}

void levels_second_case(struct lab *lab, const struct lab_case *c) {
    levels_case_of(lab, &levels_sums[1], c);
}

void levels_third_case(struct lab *lab, const struct lab_case *c) {
    levels_case_of(lab, &levels_sums[2], c);
}

bool levels_has_no_element(size_t n, size_t share, const struct lab_side *side) {
    size_t last = n > 0 && share > 0 ? (n - 1) / share : 0;

    return share > 0 && side->block >= 0 && side->thread >= 0 && (size_t)side->block == last &&
           last * share + (size_t)side->thread >= n;
}

unsigned levels_steps(unsigned block) {
    unsigned n_steps = 0;

    while (1u << n_steps < block)
        n_steps++;
    return n_steps;
}
