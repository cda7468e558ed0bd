/* What the tests of lab 11 have in common beside labs/common/scan: its functions, their arguments,
 * one case of each. */
#ifndef SINGLE_H
#define SINGLE_H

#include "labs/11-single-pass-scan/shapes.h"
#include "labs/common/scan/scan.h"

/* A function that scans n ints. */
struct single {
    const char *function;
    bool is_of_tiles; /* a block has a tile; else one int */
};
extern const struct single of_ints, of_chain, of_look_back;

/* Blocks that the function is to be launched in. */
size_t single_blocks(const struct single *single, size_t n, unsigned block);

/* Its arguments in order. */
enum { SINGLE_N_ARGS = 5 };
void single_args(struct call_arg args[SINGLE_N_ARGS], const struct single *single,
                 struct call_arg in, unsigned block, struct call_arg out);

/* Scans c->n drawn ints and compares; true when the call went well and is right. */
bool single_ints(struct lab *lab, const struct single *single, const struct lab_case *c);
lab_case_body ints_case, chain_case, look_back_case;

/* The same where `state` holds the words that an earlier call left. */
lab_case_body ints_after_case, chain_after_case, look_back_after_case;

/* look_from the tile c->n, where the nearest word that tells of all is c->block tiles before it. */
lab_case_body look_case;

/* scan_look_back of gigabytes. */
struct single_mapped {
    struct scan_mapped scan;
    size_t (*args)(struct lab *lab, struct mapped *map, unsigned block, struct call_arg *args);
};
struct single_mapped single_mapped(void);

/* take_tickets with c->n blocks: each thread has its block's, and blocks have 0 … n - 1 in any
 * order. */
enum { TICKETS_N_ARGS = 4 };
void tickets_args(struct call_arg args[TICKETS_N_ARGS], const struct lab_case *c, uint32_t *taken);
bool tickets_right(struct lab *lab, const struct lab_case *c);
lab_case_body tickets_case;

#endif
