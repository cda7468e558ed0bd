/* What the tests of lab 09 have in common: one case of each function, and the mistakes it may show.
 */
#ifndef TESTS_OPERATORS_H
#define TESTS_OPERATORS_H

#include "labs/09-operators-and-locks/shapes.h"
#include "labs/common/timed_sum.h"

/* A sum of ints in one of four ways. The arguments are those of the header, `memory` among them:
 * "partials", "lock", or NULL. */
struct sum_way {
    const char *function, *memory;
};
extern const struct sum_way by_partials, by_threads, by_blocks, by_lock;

enum { OPERATORS_MAX_ARGS = 6 };
size_t sum_way_args(struct call_arg *args, const struct sum_way *way, struct call_arg in,
                    unsigned block, void *sum);
timed_sum_args by_partials_args, by_threads_args, by_blocks_args, by_lock_args;

/* Sums drawn ints; true when the call went well and the sum is right. */
bool sum_way_case(struct lab *lab, const struct sum_way *way, const struct lab_case *c);
lab_case_body by_partials_case, by_threads_case, by_blocks_case, by_lock_case;

/* Looks for the largest or the smallest of n floats, which must live as long as the case. */
bool extreme_of(struct lab *lab, const char *function, const float *in, const struct lab_case *c);
/* Of drawn floats with this sign alone; 0: of both. */
bool extreme_case(struct lab *lab, const char *function, int sign, const struct lab_case *c);
lab_case_body max_case, min_case;
size_t extreme_args(struct call_arg *args, bool is_min, struct call_arg in, unsigned block,
                    void *extreme);

/* Looks for the place of the largest of n floats. */
bool largest_of(struct lab *lab, const float *in, const struct lab_case *c);
lab_case_body argmax_case;
size_t argmax_args(struct call_arg *args, struct call_arg in, unsigned block, void *best);

/* Mean and deviation of n drawn doubles, moved by `offset`; and what they may be off by. */
bool moments_case_at(struct lab *lab, const struct lab_case *c, double offset);
lab_case_body moments_case;
size_t moments_args(struct call_arg *args, struct call_arg in, unsigned block, double results[2]);

/* How far the handout allows mean and deviation to be off: of n numbers whose absolute values are
 * at most `largest`, with numbers of which each operation is off by `rounding` of its result. */
struct moments_bound {
    double mean, deviation;
};
struct moments_bound moments_bound(size_t n, double largest, double deviation, double rounding);

/* What is right. */
struct largest largest_reference(const float *in, size_t n);
float extreme_reference(bool is_min, const float *in, size_t n);
void moments_reference(const double *in, size_t n, double results[2]);

/* Calls each of the functions on n elements, by which of the harness' ways `call` knows. */
typedef bool operators_call(struct lab *lab, const char *function, const char *why,
                            struct call_arg *args, size_t n_args);
void operators_each(struct lab *lab, const struct lab_case *c, unsigned block, const char *why,
                    operators_call *call);

/* Names the known mistake behind a failure, if it is one. */
lab_diagnoser operators_diagnose;

#endif
