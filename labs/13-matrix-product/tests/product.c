/* One case of a product: arguments, call, comparison. */
#include "labs/13-matrix-product/tests/product.h"

#include <math.h>

const struct product products[N_PRODUCTS] = {
    [NAIVE] = {"product_naive", false, true},          [TILED] = {"product_tiled", false, true},
    [TRANSPOSED] = {"product_transposed", true, true}, [PADDED] = {"product_padded", true, true},
    [BLOCKED] = {"product_blocked", false, false},
};

static size_t size_of(unsigned rows, unsigned columns) {
    return (size_t)rows * columns;
}

size_t product_args(struct lab *lab, const struct product *p, struct shape s, const float *a,
                    const float *b, unsigned edge, struct call_arg args[PRODUCT_MAX_ARGS]) {
    const float *second = b;
    size_t n = 0;

    if (p->is_transposed) {
        float *bt = lab_memory(lab, size_of(s.k, s.n) * sizeof *bt);

        for (size_t l = 0; l < s.k; l++)
            for (size_t j = 0; j < s.n; j++)
                bt[j * s.k + l] = b[l * s.n + j];
        second = bt;
    }
    args[n++] = lab_in("a", a, size_of(s.m, s.k), sizeof *a);
    args[n++] = lab_in(p->is_transposed ? "bt" : "b", second, size_of(s.k, s.n), sizeof *b);
    args[n++] = lab_u32("m", s.m);
    args[n++] = lab_u32("n", s.n);
    args[n++] = lab_u32("k", s.k);
    if (p->has_edge)
        args[n++] = lab_u32("edge", edge);
    args[n++] = lab_out("c", lab_memory(lab, size_of(s.m, s.n) * sizeof(float)), size_of(s.m, s.n),
                        sizeof(float));
    args[0].is_round = args[1].is_round = args[n - 1].is_round = true;
    return n;
}

static float *draw(struct lab *lab, size_t n, bool is_small) {
    const struct lab_drawn drawn = lab_draw(lab, is_small ? LAB_F32_FEW : LAB_F32, n);

    return lab_drawn_f32(lab, &drawn);
}

static void draw_both(struct lab *lab, struct shape s, float **a, float **b) {
    enum { FEW = 64 };
    bool is_small = size_of(s.m, s.k) <= FEW && size_of(s.k, s.n) <= FEW;

    *a = draw(lab, size_of(s.m, s.k), is_small);
    *b = draw(lab, size_of(s.k, s.n), is_small);
}

size_t product_drawn(struct lab *lab, const struct product *p, struct shape s, unsigned edge,
                     struct call_arg args[PRODUCT_MAX_ARGS]) {
    float *a, *b;

    draw_both(lab, s, &a, &b);
    return product_args(lab, p, s, a, b, edge, args);
}

/* A product of two floats is exact in a double; what a sum of them loses is 2^-29 of the bound. */
void product_reference(struct shape s, const float *a, const float *b, unsigned from, unsigned to,
                       double *c) {
    for (size_t i = 0; i < s.m; i++) {
        for (size_t j = 0; j < s.n; j++)
            c[i * s.n + j] = 0;
        for (size_t l = from; l < to; l++)
            for (size_t j = 0; j < s.n; j++)
                c[i * s.n + j] += (double)a[i * s.k + l] * (double)b[l * s.n + j];
    }
}

const double *product_bounds(struct lab *lab, struct shape s, const float *a, const float *b) {
    double *bounds = lab_memory(lab, size_of(s.m, s.n) * sizeof *bounds), ku = s.k * 0x1p-24;

    for (size_t i = 0; i < s.m; i++) {
        double *row = bounds + i * s.n;

        for (size_t j = 0; j < s.n; j++)
            row[j] = 0;
        for (size_t l = 0; l < s.k; l++)
            for (size_t j = 0; j < s.n; j++)
                row[j] += fabs((double)a[i * s.k + l] * (double)b[l * s.n + j]);
        for (size_t j = 0; j < s.n; j++)
            row[j] *= ku / (1 - ku);
    }
    return bounds;
}

bool product_of(struct lab *lab, const struct product *p, struct shape s, const float *a,
                const float *b, unsigned edge) {
    double *right = lab_memory(lab, size_of(s.m, s.n) * sizeof *right);
    struct call_arg args[PRODUCT_MAX_ARGS];
    size_t n_args = product_args(lab, p, s, a, b, edge, args);

    lab_set_diagnoser(lab, product_diagnose);
    lab_set_elements(lab, LAB_FLOATS);
    if (p->has_edge)
        lab_describe(lab, "m = %u, n = %u, k = %u, edge = %u", s.m, s.n, s.k, edge);
    else
        lab_describe(lab, "m = %u, n = %u, k = %u", s.m, s.n, s.k);
    product_reference(s, a, b, 0, s.k, right);
    return lab_call_args(lab, p->function, args, n_args) &&
           lab_expect_f32_within(lab, "c", args[n_args - 1].data, right,
                                 product_bounds(lab, s, a, b), size_of(s.m, s.n));
}

bool product_case(struct lab *lab, const struct product *p, struct shape s, unsigned edge) {
    float *a, *b;

    draw_both(lab, s, &a, &b);
    return product_of(lab, p, s, a, b, edge);
}

struct shape product_shape(size_t n) {
    if (n == 0)
        return (struct shape){0, 5, 3};
    return (struct shape){.m = (unsigned)n,
                          .n = 1 + (unsigned)(5 * (n - 1) % (n + 4)),
                          .k = 1 + (unsigned)(3 * (n - 1) % (n + 2))};
}
