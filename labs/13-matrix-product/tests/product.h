/* What the tests of lab 13 have in common: a product, its arguments, what is right, and by how much
 * a sum in floats may be off. */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "common/harness/lab.h"

/* PRODUCT(its place, its name, the function's name without "product_") */
#define PRODUCTS(PRODUCT)                                                                          \
    PRODUCT(NAIVE, naive)                                                                          \
    PRODUCT(TILED, tiled)                                                                          \
    PRODUCT(TRANSPOSED, transposed)                                                                \
    PRODUCT(PADDED, padded)                                                                        \
    PRODUCT(BLOCKED, blocked)

enum product_name {
#define PRODUCT_NAME(NAME, name) NAME,
    PRODUCTS(PRODUCT_NAME)
#undef PRODUCT_NAME
        N_PRODUCTS
};

struct product {
    const char *function;
    bool is_transposed; /* takes bt in place of b */
    bool has_edge;      /* takes the shape of its blocks */
};
extern const struct product products[N_PRODUCTS];

/* a has m rows of k floats, b k rows of n. */
struct shape {
    unsigned m, n, k;
};

/* The function's arguments in order; returns their number. `b` is turned for those that take bt. */
enum { PRODUCT_MAX_ARGS = 7 };
size_t product_args(struct lab *lab, const struct product *p, struct shape s, const float *a,
                    const float *b, unsigned edge, struct call_arg args[PRODUCT_MAX_ARGS]);
/* The same of drawn matrices. */
size_t product_drawn(struct lab *lab, const struct product *p, struct shape s, unsigned edge,
                     struct call_arg args[PRODUCT_MAX_ARGS]);

/* The sum over from <= l < to of a[i][l] * b[l][j], for all i and j, in doubles. */
void product_reference(struct shape s, const float *a, const float *b, unsigned from, unsigned to,
                       double *c);
/* By how much each element of c, a sum of k products in floats, may be off: k * u / (1 - k * u)
 * times the sum of their absolute values, u = 2^-24. */
const double *product_bounds(struct lab *lab, struct shape s, const float *a, const float *b);

/* Multiplies these matrices, and compares; true when the call went well and is right. */
bool product_of(struct lab *lab, const struct product *p, struct shape s, const float *a,
                const float *b, unsigned edge);
/* The same of drawn matrices: small whole numbers where they are few, so that a reader can follow;
 * else numbers between -128 and 128 whose sum depends on the order of additions. */
bool product_case(struct lab *lab, const struct product *p, struct shape s, unsigned edge);

/* The shape of a case: n rows of a, and other numbers for the others; 1 × 1 × 1 for n = 1. */
struct shape product_shape(size_t n);

/* Names the known mistake behind a failure, if it is one. */
lab_diagnoser product_diagnose;

#endif
