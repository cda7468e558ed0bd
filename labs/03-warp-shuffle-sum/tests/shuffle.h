/* What the tests of lab 03 have in common: its four functions, cases, and known mistakes. */
#ifndef SHUFFLE_H
#define SHUFFLE_H

#include "labs/common/timed_sum.h"

/* A function of the lab. Each output is the sum of a group of neighbouring elements. */
struct shuffle {
    const char *function;
    const char *output; /* its parameter's name */
    size_t group;       /* elements; 0: `block` of them */
    bool for_each;      /* an output for each element, not for each group */
    unsigned depth;     /* additions that a value goes through; 0: what sum_depth says */
};
extern const struct shuffle warps_all, warps_first, blocks, grid;

/* Elements of a group, and number of outputs. */
size_t shuffle_group(const struct shuffle *f, size_t n, unsigned block);
size_t shuffle_n_out(const struct shuffle *f, size_t n, unsigned block);

/* Calls the function on whole numbers, whose sums are exact in any order. True when all is right.
 */
bool shuffle_whole(struct lab *lab, const struct shuffle *f, const struct lab_case *c);
bool shuffle_whole_by(struct lab *lab, const struct shuffle *f, const struct lab_case *c,
                      lab_diagnoser *diagnoser);
/* The same where the last number is infinite, and so is the sum that it is part of. */
bool shuffle_infinite(struct lab *lab, const struct shuffle *f, const struct lab_case *c);
/* On numbers whose sums are rounded: within the bound that the handout derives. */
bool shuffle_rounded(struct lab *lab, const struct shuffle *f, const struct lab_case *c);

/* The same as bodies of cases. */
lab_case_body warps_all_case, warps_first_case, blocks_case, grid_case;

/* Arguments of a call; `out` has a float for each output. */
enum { SHUFFLE_N_ARGS = 4 };
size_t shuffle_args(struct call_arg *args, const struct shuffle *f, struct call_arg in,
                    unsigned block, void *out);

/* Names the known mistake behind a failure, if it is one. */
lab_diagnoser shuffle_diagnose;

#endif
