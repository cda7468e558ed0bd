/* What the tests that launch have in common: one case of each function, and the mistakes it may
 * show. */
#ifndef SEATS_H
#define SEATS_H

#include "labs/common/mapped.h"

/* c->n blocks of c->block threads, of the shape that shapes (seats.c) give so many threads. */
lab_case_body seats_case;

/* c->n numbers in blocks of c->block threads, mixed, by this function. */
lab_case_body mix_case;
bool mix_by(struct lab *lab, const struct lab_case *c, const char *function);

/* Blocks of this shape, called and compared; x, y and z get what was written, which lives as long
 * as the case. */
struct seats {
    unsigned nx, ny, nz, blocks;
    int32_t *x, *y, *z;
};
bool seats_call(struct lab *lab, struct seats *seats);
/* How many seats there are, with those of lanes without a thread. */
size_t seats_count(const struct seats *seats);
/* What a seat holds before the call, in each of the three arrays: no two neighbours the same. */
int32_t seats_nobody(size_t seat);

/* The arguments, in their order. */
enum { SEATS_ARGS = 7, MIX_ARGS = 4 };
void seats_args(struct lab *lab, struct seats *seats, struct call_arg args[SEATS_ARGS]);
void mix_args(struct lab *lab, const struct lab_case *c, struct call_arg args[MIX_ARGS]);

/* mix_by_warps of gigabytes. */
struct mapped mix_mapped(void);

/* What becomes of a number at place i. */
int32_t mix_number(size_t i, int32_t number);

lab_diagnoser seats_diagnose;

#endif
