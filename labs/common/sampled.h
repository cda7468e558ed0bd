/*
 * Sizes at which indices of 32 bits wrap around, on the simulator: a sample of the blocks runs
 * (lab_call_sampled), and what it does of the first quarter of the work and of the last must be
 * alike.
 */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "labs/common/timed_sum.h"

/* Runs cases in blocks of `block` threads: small ones by `body`, since what is wrong there is so
 * for another reason than the size; then a sample at 2^28, or where `beyond` is not 0 at as many
 * elements, 2^33 and more: what is wrong there, and not at 2^28, is so for an index, of 31 bits or
 * of 32. The lower 32 bits of `beyond` should be a number above 0 and far below 2^31: who cuts
 * it off still does something, which is the wrong thing. A float should round it down
 * (sampled_has_all): 501 is less than half of what lies between two floats of this size. */
void sampled_sizes(struct lab *lab, unsigned block, size_t beyond, lab_case_body *body,
                   lab_case_body *sampled_body);

/* A quarter of n elements, the first or the last, as lab_in_set wants it. */
struct sampled_part {
    size_t first, count;
};
struct sampled_part sampled_quarter(size_t n, bool is_last);

/* Sums c->n numbers twice, of which the first quarter are 1, then the last, and all others 0.
 * LAB_I32 or LAB_F32_WHOLE. `share`: how many a block of the first launch takes, at least. Where
 * the two differ, and many of that launch's blocks have nothing to take, the test ends as skipped:
 * then the places of a sample are others in each level, and no index need be wrong. */
void sampled_sum(struct lab *lab, const struct lab_case *c, const char *function, int type,
                 timed_sum_args *make_args, size_t share);

/* What a function launches for n elements: one kernel; one a level, of a share of the level before;
 * and for each level but the last one more, which goes back. */
enum sampled_launches { SAMPLED_ONCE, SAMPLED_UP, SAMPLED_UP_AND_BACK };

/* Calls the function on a sample for c->n elements; true when it went well. */
typedef bool sampled_call(struct lab *lab, const struct lab_case *c, const void *context);

/* After such a call, whose blocks have neighbouring elements: fails the case where no whole number
 * of elements for each makes as many blocks as were launched. Of few blocks, of a round number of
 * them, and where there is a thread for each element, nothing is said: they may go round. Nor where
 * there are more launches: one of them may have the rest. Where blocks may go round, `again` calls
 * with a few elements more, which a float rounds up: where that is no such number either, it was
 * rounded down, and not computed in floats, and nothing is said. NULL where they may not. */
void sampled_expect_all(struct lab *lab, const struct lab_case *c, enum sampled_launches launches,
                        sampled_call *again, const void *context);

/* Names what such cases find: an index of 32 bits, or too few blocks. */
lab_diagnoser sampled_diagnose;

#endif
