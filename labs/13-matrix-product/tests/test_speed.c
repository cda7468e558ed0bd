/*
 * Times on a GPU with cold caches. Of a cube of 2,048 all five are timed: they do the same
 * multiply-adds, and the report sets their times beside each other. Where k is small, the product
 * is limited by what must be moved: each float of a and b once, each of c once; there the share of
 * a copy's bandwidth says how far from the end a product is.
 *
 * The matrices hold whole numbers from -32 to 32. Sums of up to 2^14 products of such are below
 * 2^24, so each result is exact, in any order. Each run is checked by a vector x of random
 * integers: c · x must be a · (b · x), modulo 2^64, which a wrong c is by chance alone.
 */
#include "common/base/splitmix.h"
#include "labs/13-matrix-product/tests/product.h"

struct timed {
    const struct product *product;
    struct shape s;
    struct lab_drawn drawn; /* of `a`, then of `b` */
    float *a, *b, *c;       /* `b` as the function takes it */
    uint64_t *x, *bx;
    uint64_t seed;
};

static void refresh(void *data, uint64_t seed) {
    struct timed *t = data;

    t->seed = seed;
    t->drawn.seed = splitmix_next(&seed);
    t->drawn.n = (size_t)t->s.m * t->s.k;
    lab_drawn_make(&t->drawn, 0, t->drawn.n, t->a);
    t->drawn.seed = splitmix_next(&seed);
    t->drawn.n = (size_t)t->s.k * t->s.n;
    lab_drawn_make(&t->drawn, 0, t->drawn.n, t->b);
}

static uint64_t whole(float value) {
    return value >= -0x1p24F && value <= 0x1p24F ? (uint64_t)(int64_t)value : 1;
}

static bool is_right(const void *data) {
    const struct timed *t = data;
    uint64_t seed = ~t->seed;

    for (size_t j = 0; j < t->s.n; j++)
        t->x[j] = splitmix_next(&seed);
    for (size_t l = 0; l < t->s.k; l++)
        t->bx[l] = 0;
    for (size_t i = 0; i < (size_t)t->s.k * t->s.n; i++) {
        size_t l = t->product->is_transposed ? i % t->s.k : i / t->s.n;
        size_t j = t->product->is_transposed ? i / t->s.k : i % t->s.n;

        t->bx[l] += whole(t->b[i]) * t->x[j];
    }
    for (size_t i = 0; i < t->s.m; i++) {
        uint64_t got = 0, right = 0;

        for (size_t j = 0; j < t->s.n; j++)
            got += whole(t->c[i * t->s.n + j]) * t->x[j];
        for (size_t l = 0; l < t->s.k; l++)
            right += whole(t->a[i * t->s.k + l]) * t->bx[l];
        if (got != right)
            return false;
    }
    return true;
}

static void take_time(struct lab *lab, enum product_name which, struct shape s, unsigned edge) {
    const struct product *p = &products[which];
    size_t of_a = (size_t)s.m * s.k, of_b = (size_t)s.k * s.n, of_c = (size_t)s.m * s.n, n = 0;
    struct call_arg args[PRODUCT_MAX_ARGS];
    struct timed timed = {.product = p, .s = s, .drawn = {.type = LAB_F32_WHOLE}};
    struct lab_bench bench = {
        .function = p->function,
        .n = s.m,
        .block = edge,
        .bytes = (of_a + of_b + of_c) * sizeof(float),
        .args = args,
        .refresh = refresh,
        .is_right = is_right,
        .state = &timed,
    };

    lab_need_gpu(lab, 2 * bench.bytes);
    lab_allow_ms(lab, 20000);
    lab_set_diagnoser(lab, product_diagnose);
    timed.a = lab_memory(lab, of_a * sizeof *timed.a);
    timed.b = lab_memory(lab, of_b * sizeof *timed.b);
    timed.c = lab_memory(lab, of_c * sizeof *timed.c);
    timed.x = lab_memory(lab, s.n * sizeof *timed.x);
    timed.bx = lab_memory(lab, s.k * sizeof *timed.bx);
    args[n++] = lab_in("a", timed.a, of_a, sizeof(float));
    args[n++] = lab_in(p->is_transposed ? "bt" : "b", timed.b, of_b, sizeof(float));
    args[n++] = lab_u32("m", s.m);
    args[n++] = lab_u32("n", s.n);
    args[n++] = lab_u32("k", s.k);
    if (p->has_edge)
        args[n++] = lab_u32("edge", edge);
    args[n++] = lab_out("c", timed.c, of_c, sizeof(float));
    args[0].is_round = args[1].is_round = args[n - 1].is_round = true;
    bench.n_args = n;
    lab_time(lab, &bench);
}

static const struct shape cube = {2048, 2048, 2048}, flat = {8192, 8192, 16};

LAB_TEST(speed, naive_cube) {
    take_time(lab, NAIVE, cube, 16);
}

LAB_TEST(speed, tiled_cube) {
    take_time(lab, TILED, cube, 16);
}

LAB_TEST(speed, transposed_cube) {
    take_time(lab, TRANSPOSED, cube, 16);
}

LAB_TEST(speed, padded_cube) {
    take_time(lab, PADDED, cube, 16);
}

LAB_TEST(speed, blocked_cube) {
    take_time(lab, BLOCKED, cube, 16);
}

LAB_TEST(speed, blocked_flat) {
    take_time(lab, BLOCKED, flat, 16);
}
