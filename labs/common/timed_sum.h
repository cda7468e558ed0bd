/* Bandwidth of functions that sum drawn numbers into one. */
#ifndef TIMED_SUM_H
#define TIMED_SUM_H

#include "common/harness/lab.h"

/* Fills in the arguments of one call, in the function's order; returns their number. */
typedef size_t timed_sum_args(struct call_arg *args, struct call_arg in, unsigned block, void *sum);

/* Times `function` on n drawn numbers of a type (LAB_I32, or LAB_F32_WHOLE, whose sum is exact) in
 * blocks of 512. A sum must read each number once, and does one addition for it: what limits it is
 * the memory. */
void timed_sum(struct lab *lab, const char *function, int type, size_t n, timed_sum_args *make_args,
               lab_diagnoser *diagnoser);

#endif
