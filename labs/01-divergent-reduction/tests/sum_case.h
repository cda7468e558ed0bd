/* What the tests of lab 01 have in common: one case of a sum, and the mistakes that it may show. */
#ifndef SUM_CASE_H
#define SUM_CASE_H

#include "common/check/lab.h"
#include "labs/01-divergent-reduction/sum_divergent.h"

/* Sums n drawn ints in blocks of c->block threads, compares, and has failures diagnosed. More of
 * them than that are made where they are needed, and no memory holds them. */
enum { SUM_MAX_KEPT = 1 << 24 };
void sum_case(struct lab *lab, const struct lab_case *c);

/* Sums these ints and compares; true when the call went well and the sum is right. `in` must live
 * as long as the case. Which diagnoser is asked is the caller's choice. */
bool sum_ints(struct lab *lab, const int32_t *in, size_t n, unsigned block);

/* The right answer: the sum modulo 2^32. */
int32_t sum_reference(const int32_t *in, size_t n);

/* The arguments of sum_divergent, in its order. */
enum { SUM_N_ARGS = 5 };
void sum_args(struct call_arg args[SUM_N_ARGS], struct call_arg in, unsigned block, int32_t *sum);

/* Sweeps sum_case over arrays of sizes and of block sizes. */
#define SUM_SWEEP(lab, sizes, blocks)                                                              \
    lab_sweep(lab, sizes, sizeof(sizes) / sizeof(sizes)[0], blocks,                                \
              sizeof(blocks) / sizeof(blocks)[0], sum_case)

/* Names the known mistake behind a failure, if it is one. */
lab_diagnoser sum_diagnose;

#endif
