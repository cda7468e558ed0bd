/*
 * Sums of more ints than memory is kept for, on a GPU: they are made where they are needed, by
 * several threads; of gigabytes most are copied on the device (lab_draw_repeating).
 */
#ifndef MANY_H
#define MANY_H

#include "labs/common/timed_sum.h"

/* More ints than that are many. */
enum { MANY_INTS = 1 << 24 };

/* Sums c->n drawn ints by `function`, and is all that its case calls; true when the call went well
 * and the sum is right. The argument "in" has no `data` then: who looks at a failure finds no ints
 * there. */
bool many_sum(struct lab *lab, const struct lab_case *c, const char *function,
              timed_sum_args *make_args);

#endif
