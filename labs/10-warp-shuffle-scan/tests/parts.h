/* What the tests of lab 10 have in common beside labs/common/scan: the scans of parts of an array,
 * each by itself. */
#ifndef PARTS_H
#define PARTS_H

#include "labs/common/scan/scan.h"

/* A function that scans parts of `in`: of 32 ints, or of as many as a block has threads. */
struct parts {
    const char *function;
    bool is_block;
};
extern const struct parts of_warps, of_blocks;

/* Ints of a part. */
size_t parts_size(const struct parts *parts, unsigned block);

/* The function's arguments in order. */
enum { PARTS_N_ARGS = 4 };
void parts_args(struct call_arg args[PARTS_N_ARGS], struct call_arg in, unsigned block,
                int32_t *out);

/* Scans these ints, c->n of them, and compares; true when the call went well and is right. */
bool parts_ints(struct lab *lab, const struct parts *parts, const int32_t *in,
                const struct lab_case *c);

/* The same of drawn ints. */
/* Of drawn ints; of ints that are all the same. */
lab_case_body warps_case, blocks_case, equal_in_warps_case, equal_in_blocks_case;

#endif
