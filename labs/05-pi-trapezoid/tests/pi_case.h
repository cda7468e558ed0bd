/* What the tests of lab 05 have in common: one case of the rule, and the mistakes it may show. */
#ifndef PI_CASE_H
#define PI_CASE_H

#include "common/harness/lab.h"
#include "labs/05-pi-trapezoid/tests/rule.h"

/* The rule with c->n intervals in blocks of c->block threads; compares, and has failures diagnosed.
 * How many blocks follows from the two. */
void pi_case(struct lab *lab, const struct lab_case *c);

/* 1 to 61, not the same for neighbouring n. */
unsigned pi_blocks(size_t n, unsigned block);

/* The same with a grid of one's own; true when the call went well and the result is right. `pi`
 * gets the result. Which diagnoser is asked is the caller's choice. */
bool pi_compute(struct lab *lab, size_t n, unsigned block, unsigned blocks, double *pi);

/* The arguments of pi_trapezoid, in its order. */
enum { PI_N_ARGS = 5 };
void pi_args(struct call_arg args[PI_N_ARGS], size_t n, unsigned block, unsigned blocks,
             double *pi);

/* Names the known mistake behind a failure, if it is one. */
lab_diagnoser pi_diagnose;

/* The known mistake whose result this is; NULL where there is none. */
const char *pi_known_result(size_t n, unsigned block, unsigned blocks, double got);

#endif
