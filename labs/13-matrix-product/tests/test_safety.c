/* What a correct product never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/13-matrix-product/tests/product.h"

/* Three tiles along k, so that each is loaded behind the use of another. */
static void multiply_full(struct lab *lab, enum product_name which, const struct lab_case *c) {
    unsigned n = (unsigned)c->n;

    product_case(lab, &products[which], (struct shape){n, n, 3 * n}, c->block);
}

static void multiply_any(struct lab *lab, enum product_name which, const struct lab_case *c) {
    product_case(lab, &products[which], product_shape(c->n), c->block);
}

#define BODIES(NAME, name)                                                                         \
    static void name##_full(struct lab *lab, const struct lab_case *c) {                           \
        multiply_full(lab, NAME, c);                                                               \
    }                                                                                              \
    static void name##_any(struct lab *lab, const struct lab_case *c) {                            \
        multiply_any(lab, NAME, c);                                                                \
    }

PRODUCTS(BODIES)

#define FULL(NAME, name) name##_full,
#define ANY(NAME, name)  name##_any,
static lab_case_body *const full[N_PRODUCTS] = {PRODUCTS(FULL)};
static lab_case_body *const any[N_PRODUCTS] = {PRODUCTS(ANY)};

/* Full blocks first, so that nothing but the order of accesses can be wrong. */
static void keep_in_order(struct lab *lab, enum product_name which) {
    lab_any_order(lab, 8, 8, full[which]);
    lab_any_order(lab, 16, 16, full[which]);
    lab_any_order(lab, 32, 32, full[which]);
    lab_any_order(lab, 5, 8, any[which]);
    lab_any_order(lab, 50, 16, any[which]);
}

LAB_TEST(safety, tiled_has_no_race) {
    keep_in_order(lab, TILED);
}

LAB_TEST(safety, transposed_has_no_race) {
    keep_in_order(lab, TRANSPOSED);
    keep_in_order(lab, PADDED);
}

LAB_TEST(safety, blocked_has_no_race) {
    keep_in_order(lab, BLOCKED);
}

/* Rows and columns that are no whole number of blocks: whoever has no element. */
LAB_TEST(safety, stays_inside_its_matrices) {
    static const size_t sizes[] = {1, 2, 3, 5, 9, 30, 33, 66, 101};
    static const unsigned edges[] = {8, 16, 32};

    for (size_t i = 0; i < N_PRODUCTS; i++)
        LAB_SWEEP(lab, sizes, edges, any[i]);
}

/* The same size, a smaller one and a larger one after the first: results that were kept are wrong
 * for other numbers at the same addresses, buffers are stale, or too large, or too small. */
LAB_TEST(safety, keeps_no_state) {
    static const size_t sizes[] = {40, 40, 13, 40, 70, 0};

    for (size_t i = 0; i < N_PRODUCTS; i++)
        lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 16, any[i]);
}

static void lose_a_launch_of(struct lab *lab, const struct product *p, struct shape s,
                             unsigned edge) {
    struct call_arg args[PRODUCT_MAX_ARGS];
    size_t n_args = product_drawn(lab, p, s, edge, args);

    lab_set_diagnoser(lab, product_diagnose);
    lab_returns_refusals_args(lab, p->function, args, n_args);
}

/* Also of long sums, which may be made in parts. */
static void lose_a_launch(struct lab *lab, const struct lab_case *c) {
    for (size_t i = 0; i < N_PRODUCTS; i++) {
        lose_a_launch_of(lab, &products[i], product_shape(c->n), c->block);
        lose_a_launch_of(lab, &products[i], (struct shape){5, 3, 10007}, c->block);
    }
}

static void multiply_in_other_blocks(struct lab *lab, const struct lab_case *c) {
    static const unsigned edges[] = {0, 1, 12, 24, 33, 64};

    for (size_t i = 0; i < N_PRODUCTS; i++)
        for (size_t e = 0; products[i].has_edge && e < sizeof edges / sizeof *edges; e++) {
            struct call_arg args[PRODUCT_MAX_ARGS];
            size_t n_args = product_drawn(lab, &products[i], product_shape(c->n), edges[e], args);
            char why[64];

            lab_set_diagnoser(lab, product_diagnose);
            snprintf(why, sizeof why, "edge = %u", edges[e]);
            lab_call_invalid_args(lab, products[i].function, why, args, n_args);
        }
}

/* Each launch refused for no reason that the function could know; blocks that the header refuses.
 */
LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 40, 16, lose_a_launch);
    lab_one(lab, 40, 16, multiply_in_other_blocks);
}
