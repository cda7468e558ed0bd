/* What the tests of lab 00 have in common: one case of each function, and the mistakes it may show.
 */
#ifndef MAP_CASE_H
#define MAP_CASE_H

#include "labs/common/mapped.h"

/* One case of each function: calls with drawn numbers, compares, and has failures diagnosed. */
lab_case_body scale_case, host_case, strided_case;
/* A picture of c->n pixels in a row; how many rows it has, and how far they are apart, follows. */
lab_case_body negative_case;

/* A picture as large as this; true when the call went well and the result is right. Rows begin
 * `row` ints apart. */
bool negative_of(struct lab *lab, unsigned width, unsigned height, size_t row);

/* scale_strided with a grid of one's own; true when the call went well and the result is right. */
bool scale_in_blocks(struct lab *lab, const struct lab_case *c, unsigned blocks);

/* `scale` of gigabytes. */
struct scale_mapped {
    struct mapped map;
    int32_t factor;
};
struct scale_mapped scale_mapped(int32_t factor);

/* The arguments of a function, in its order; c->block is `block`. Of `negative`, c->n is the width,
 * and there are four rows without a gap. Outputs have c->n elements, or 4 * c->n. */
enum { MAP_MAX_ARGS = 6 };
struct map_function {
    const char *name;
    lab_case_body *body;
    size_t (*args)(struct lab *lab, const struct lab_case *c, struct call_arg args[MAP_MAX_ARGS]);
};
enum { MAP_SCALE, MAP_ON_HOST, MAP_NEGATIVE, MAP_STRIDED, MAP_FUNCTIONS };
extern const struct map_function map_functions[MAP_FUNCTIONS];

/* How many blocks of this size n need. */
static inline size_t map_blocks(size_t n, size_t block) {
    return (n + block - 1) / block;
}

/* Names the known mistake behind a failure, if it is one. */
lab_diagnoser map_diagnose;

#endif
