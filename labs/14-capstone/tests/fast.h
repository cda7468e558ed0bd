/* What the tests of lab 14 have in common beside labs/common: arguments and cases of both
 * functions. The block of a case is nobody's: the student chooses it. */
#ifndef FAST_H
#define FAST_H

#include "labs/14-capstone/shapes.h"
#include "labs/common/scan/scan.h"
#include "labs/common/timed_sum.h"

enum { FAST_N_ARGS = 4, ANY_BLOCK = 256 };

/* The arguments of sum_fast, for labs/common; `sum` is an int32_t. */
timed_sum_args fast_sum_args;
/* The same of scan_fast. */
void fast_scan_args(struct call_arg args[FAST_N_ARGS], struct call_arg in, struct call_arg out);

/* Sums, or scans, c->n drawn ints and compares; true when the call went well and is right. */
bool fast_sum(struct lab *lab, const struct lab_case *c);
bool fast_scan(struct lab *lab, const struct lab_case *c);
lab_case_body fast_sum_case, fast_scan_case;
/* Scans where `in` alone, or `out` alone, begins at a multiple of 16 bytes though all others begin
 * one int behind one (lab_in_turn). */
lab_case_body fast_scan_from_round, fast_scan_to_round;
/* Scans zeros with a 1 behind them: tiles whose sum is 0. */
lab_case_body fast_scan_zeros;

/* scan_fast of gigabytes. */
struct fast_mapped {
    struct scan_mapped scan;
    size_t (*args)(struct lab *lab, struct mapped *map, unsigned block, struct call_arg *args);
};
struct fast_mapped fast_mapped(void);

#endif
