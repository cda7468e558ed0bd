/*
 * Functions that make n ints of n ints, one of each: gigabytes of them on a GPU, of which nothing
 * lies in memory, and their bandwidth.
 */
#ifndef MAPPED_H
#define MAPPED_H

#include "common/harness/lab.h"

/* One such function. A lab puts this at the beginning of a struct of its own. */
struct mapped {
    const char *function;
    lab_diagnoser *diagnoser;
    /* Makes `out` of the ints `in`, fills in the arguments of a call in their order, and returns
     * how many there are; it may take what `begin` needs from lab_memory. */
    size_t (*args)(struct lab *lab, struct mapped *map, unsigned block, struct call_arg *args);
    void (*begin)(struct mapped *map); /* before each call, once `in` is drawn; NULL: nothing */
    struct lab_drawn in;
    struct lab_made out;
};

/* Cases of more ints than this are not to lie in memory. */
enum { MAPPED_IN_MEMORY = 1 << 24 };

/* Calls the function with c->n drawn ints, and compares while its output comes back. */
void mapped_case(struct lab *lab, const struct lab_case *c, struct mapped *map);

/* Runs cases on a GPU, of n ints and, before, of fewer: what is wrong there, too, is wrong for
 * another reason than the size. */
void mapped_sizes(struct lab *lab, size_t n, unsigned block, lab_case_body *body);

/* Times the function on n ints, on a GPU with cold caches: new ints for each run, each result must
 * be right. It has to read each int once and write one for it, as a copy does. */
void mapped_time(struct lab *lab, struct mapped *map, size_t n, unsigned block);

#endif
