/*
 * What is asked of each of the five products alike: a product that the handout works out, full
 * blocks, all sizes in all shapes of blocks, matrices that are tall or flat or have nothing to add
 * up. Each has tests of its own, so that each can be written and tested alone.
 */
#include <math.h>

#include "labs/13-matrix-product/tests/product.h"

/* As the handout has them. */
static const float by_hand_a[] = {1, 2, -1, 3, 0, 4, 2, -2, 5, -3, 1, 1};
static const float by_hand_b[] = {2, 0, 1, -1, 3, 1, 4, 0, 2, -2, 3, 1, -2, 5, 1, 0, -1, 2, 1, 4};

static void multiply_by_hand(struct lab *lab, const struct product *p, const struct lab_case *c) {
    product_of(lab, p, (struct shape){3, 5, 4}, by_hand_a, by_hand_b, c->block);
}

/* Nothing is left over at any edge. */
static void multiply_full(struct lab *lab, const struct product *p, const struct lab_case *c) {
    unsigned n = (unsigned)c->n;

    product_case(lab, p, (struct shape){n, n, n}, c->block);
}

static void multiply_any(struct lab *lab, const struct product *p, const struct lab_case *c) {
    product_case(lab, p, product_shape(c->n), c->block);
}

/* Where a function has no edge, one of these says all. */
static const unsigned edges[] = {8, 16, 32};

/* c has one column, one row, one element; a sum is long. The last two have a k of more than 15 bits
 * and an m of more than 16. In large blocks most threads have no element there, which takes the
 * simulator long: it tries these two in the smallest alone. */
static void multiply_thin(struct lab *lab, const struct product *p, const struct lab_case *c) {
    static const struct shape shapes[] = {
        {70, 1, 5},   {1, 70, 5},    {2, 3, 300},    {1, 1, 33},    {300, 2, 1},   {3, 700, 2},
        {17, 130, 9}, {130, 33, 65}, {33, 31, 1000}, {5, 3, 10007}, {2, 3, 40001}, {65600, 1, 2}};
    const bool has_all = lab_on_gpu(lab) || c->block == edges[0];
    const size_t n = sizeof shapes / sizeof *shapes - (has_all ? 0 : 2);

    for (size_t i = 0; i < n; i++)
        if (!product_case(lab, p, shapes[i], c->block))
            return;
    if (!p->has_edge)
        product_case(lab, p, (struct shape){450, 450, 9}, c->block); // more than a few blocks
}

/* A row of c that needs more blocks than a grid can have in y or z. */
enum { WIDE = 8 * 65536 + 3 };

/* Two rows of c: floats hold no number so large with an odd one of its neighbours, and 24 bits hold
 * none. Three rows of b, of which the last one begins 2^32 bytes from the first. Sizes whose
 * product is 2^32. And one row, of as many elements as a matrix may have. */
enum { WIDER = (1 << 27) + 3, WIDE_ROWS = 1 << 29, WHOLE = 1 << 27 };
#define WIDEST (((size_t)1 << 31) - 64)

/* Elements of c that are looked at behind a place, of the 8 that a block has. */
enum { WINDOW = 8 };

static void multiply_wide(struct lab *lab, const struct product *p, const struct lab_case *c) {
    product_case(lab, p, (struct shape){1, (unsigned)c->n, 1}, c->block);
}

static bool are_products(const float *c, float product) {
    for (size_t i = 0; i < WINDOW; i++)
        if (c[i] != product)
            return false;
    return true;
}

/* Rows of c by a sample of its blocks, of which two are looked at: threes times a matrix whose last
 * row is of ones, and else of zeros. */
static void multiply_sampled(struct lab *lab, const struct product *p, struct shape shape,
                             unsigned edge) {
    static const uint32_t one = 0x3f800000;
    float *a = lab_memory(lab, (size_t)shape.m * shape.k * sizeof *a);
    const size_t width = shape.n, zeros = (shape.k - 1) * width;
    const size_t n_ones = width / CALL_SPARSE_STEP * CALL_SPARSE_STEP;
    const bool has_rows = shape.m > 1, is_long = shape.k > 1 && !has_rows;
    struct lab_shares shares = {.what = "a times the ones of b is right at",
                                .of_first = has_rows ? "places of the first row of c"
                                                     : "places of the lower half of c",
                                .of_last = has_rows ? "of the second" : "of the upper half",
                                .least = LAB_PLACES / 8};
    struct call_arg args[PRODUCT_MAX_ARGS];
    size_t n = 0, places[LAB_PLACES];

    /* Rows that lie upon each other are right but for those that are nowhere. */
    for (size_t i = 0; i < (size_t)shape.m * shape.k; i++)
        a[i] = 3;
    args[n++] = lab_in("a", a, (size_t)shape.m * shape.k, sizeof *a);
    args[n++] = lab_in_set(p->is_transposed ? "bt" : "b", one, zeros, n_ones, zeros + width);
    args[n++] = lab_u32("m", shape.m);
    args[n++] = lab_u32("n", shape.n);
    args[n++] = lab_u32("k", shape.k);
    if (p->has_edge)
        args[n++] = lab_u32("edge", edge);
    args[n++] = lab_out_sparse("c", shape.m * width, sizeof(float));
    args[0].is_round = args[1].is_round = args[n - 1].is_round = true;
    lab_set_diagnoser(lab, product_diagnose);
    lab_describe(lab, "m = %u, n = %u, k = %u", shape.m, shape.n, shape.k);
    if (!lab_call_sampled(lab, p->function, args, n) ||
        (p->has_edge && !lab_expect_grid(lab, (uint64_t)edge * edge, (width + edge - 1) / edge)))
        return;
    lab_sampled_places(lab, width, places);
    for (size_t i = 0; i < LAB_PLACES; i++) {
        const float *got = (const float *)args[n - 1].data + places[i];
        const bool is_there = places[i] + WINDOW <= n_ones;
        const bool is_right = is_there && are_products(got, a[0]);

        shares.first += is_right && (has_rows || is_long || i % 2 == 0);
        shares.last += has_rows ? is_there && are_products(got + width, a[0])
                                : is_right && (is_long || i % 2 != 0);
    }
    /* A sample of such a grid has reached the result before. */
    if (shape.k > 1 && fmax(shares.first, shares.last) < shares.least)
        lab_fail(lab, "wrong_answer",
                 "%s (m = %u, n = %u, k = %u), of which a sample of the blocks was run: c is not "
                 "the last row of b times 3, where the rows before are zeros.",
                 p->function, shape.m, shape.n, shape.k);
    else
        lab_expect_alike(lab, &shares);
}

static void multiply_widest(struct lab *lab, const struct product *p, const struct lab_case *c) {
    struct shape shape = {1, (unsigned)c->n, 1};

    if (c->n == WIDER)
        shape.m = 2;
    else if (c->n == WIDE_ROWS)
        shape.k = 3;
    else if (c->n == WHOLE)
        shape = (struct shape){8, WHOLE, 4};
    if (shape.k == 1 || !p->is_transposed)
        multiply_sampled(lab, p, shape, c->block);
}

/* The sum of nothing is 0; and no elements at all. */
static void multiply_nothing(struct lab *lab, const struct product *p, const struct lab_case *c) {
    static const struct shape shapes[] = {{3, 5, 0}, {40, 33, 0}, {0, 5, 3}, {5, 0, 3}, {0, 0, 0}};

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!product_case(lab, p, shapes[i], c->block))
            return;
}

/* One block, whole; then several. What a function chooses itself has blocks of any size. */
static void multiply(struct lab *lab, lab_case_body *by_hand, lab_case_body *full) {
    lab_one(lab, 3, 8, by_hand);
    lab_one(lab, 8, 8, full);
    lab_one(lab, 16, 16, full);
    lab_one(lab, 32, 32, full);
    lab_one(lab, 64, 16, full);
    lab_one(lab, 128, 32, full);
}

static void take_any_size(struct lab *lab, lab_case_body *body) {
    static const size_t sizes[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,  10,  15,  16,
                                   17, 23, 31, 32, 33, 47, 63, 64, 65, 100, 129, 150};

    LAB_SWEEP(lab, sizes, edges, body);
}

static void take_any_form(struct lab *lab, bool has_edge, lab_case_body *thin,
                          lab_case_body *nothing, lab_case_body *wide, lab_case_body *widest) {
    for (size_t i = 0; i < (has_edge ? sizeof edges / sizeof *edges : 1); i++) {
        lab_one(lab, 0, edges[i], nothing);
        lab_one(lab, 1, edges[i], thin);
    }
    if (lab_on_gpu(lab)) {
        lab_one(lab, WIDE, 8, wide);
        return;
    }
    lab_allow_ms(lab, LAB_SAMPLED_MS);
    lab_one(lab, WIDER, 8, widest);
    lab_one(lab, WIDE_ROWS, 8, widest);
    lab_one(lab, WHOLE, 8, widest);
    lab_one(lab, WIDEST, 8, widest);
}

#define PRODUCT_CASE(name, what, NAME)                                                             \
    static void name##_##what(struct lab *lab, const struct lab_case *c) {                         \
        multiply_##what(lab, &products[NAME], c);                                                  \
    }

#define PRODUCT_TESTS(NAME, name)                                                                  \
    PRODUCT_CASE(name, by_hand, NAME)                                                              \
    PRODUCT_CASE(name, full, NAME)                                                                 \
    PRODUCT_CASE(name, any, NAME)                                                                  \
    PRODUCT_CASE(name, thin, NAME)                                                                 \
    PRODUCT_CASE(name, nothing, NAME)                                                              \
    PRODUCT_CASE(name, wide, NAME)                                                                 \
    PRODUCT_CASE(name, widest, NAME)                                                               \
    LAB_TEST(example, name##_multiplies) {                                                         \
        multiply(lab, name##_by_hand, name##_full);                                                \
    }                                                                                              \
    LAB_TEST(edge, name##_takes_any_size) {                                                        \
        take_any_size(lab, name##_any);                                                            \
    }                                                                                              \
    LAB_TEST(edge, name##_takes_any_form) {                                                        \
        take_any_form(lab, products[NAME].has_edge, name##_thin, name##_nothing, name##_wide,      \
                      name##_widest);                                                              \
    }

PRODUCTS(PRODUCT_TESTS)
