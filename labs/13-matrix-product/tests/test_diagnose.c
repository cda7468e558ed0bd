/* The diagnoses: which one is told of which result or report. Each answer here makes one mistake,
 * in plain C, in place of a worker. */
#include "common/harness/tests/fake_call.h"
#include "labs/13-matrix-product/tests/product.h"

static enum product_name which;
static struct shape shape = {5, 6, 20};

static void one_product(struct lab *lab, const struct lab_case *c) {
    product_case(lab, &products[which], shape, c->block);
}

static void one_case(struct lab *lab) {
    lab_one(lab, shape.m, 8, one_product);
}

static void expect_diagnosis(const char *report, fake_answer *answer, const char *id) {
    fake.report = report;
    fake.answer = answer;
    fake_expect(fake_perform("edge", one_case), "diagnosis", id);
}

/* c = a · b, of from <= l < to alone; `second` is b even where bt was passed. */
static void add_up(struct call_arg *args, size_t n_args, unsigned from, unsigned to) {
    const float *a = args[0].data, *b = args[1].data;
    float *c = args[n_args - 1].data;

    for (size_t i = 0; i < shape.m; i++)
        for (size_t j = 0; j < shape.n; j++) {
            double sum = 0;

            for (size_t l = from; l < to; l++)
                sum += (double)a[i * shape.k + l] * (double)b[l * shape.n + j];
            c[i * shape.n + j] = (float)sum;
        }
}

FAKE_ANSWER(whole_tiles) {
    add_up(args, n_args, 0, 16);
}

FAKE_ANSWER(one_tile) {
    add_up(args, n_args, 0, 8);
}

FAKE_ANSWER(rest) {
    add_up(args, n_args, 16, 20);
}

FAKE_ANSWER(all) {
    add_up(args, n_args, 0, shape.k);
}

FAKE_ANSWER(all_but_one) {
    add_up(args, n_args, 1, shape.k);
}

FAKE_ANSWER(nothing) {
}

Test(diagnosis, tells_tiles_that_are_left_out) {
    expect_diagnosis(NULL, whole_tiles, "last_tile_left_out");
    expect_diagnosis(NULL, one_tile, "first_tile_only");
    expect_diagnosis(NULL, rest, "last_tile_only");
    expect_diagnosis(NULL, all_but_one, NULL);
}

/* Where nothing is left over behind the whole tiles, that can't be it. */
Test(diagnosis, takes_no_whole_tile_for_the_last) {
    shape.k = 16;
    expect_diagnosis(NULL, one_tile, "first_tile_only");
}

/* What a function chooses itself has tiles that nobody knows. */
Test(diagnosis, knows_no_tiles_of_other_functions) {
    which = BLOCKED;
    expect_diagnosis(NULL, one_tile, NULL);
}

Test(diagnosis, tells_bt_taken_for_b) {
    which = TRANSPOSED;
    shape.k = shape.n;
    expect_diagnosis(NULL, all, "bt_not_turned");
    expect_diagnosis(NULL, all_but_one, NULL);
}

#define FOUND(kind, place, what, barriers)                                                         \
    "{\"launches\":[{\"grid\":[1,1,1],\"block\":[8,8,1],\"counters\":{\"barriers\":" barriers      \
    "}}],\"findings\":[{\"kind\":\"" kind "\",\"place\":\"" place "\",\"here\":{\"what\":\"" what  \
    "\",\"line\":5,\"block\":[0,0,0],\"thread\":[1,0,0]},\"other\":null}]}"

Test(diagnosis, tells_the_end_of_a_matrix) {
    expect_diagnosis(FOUND("out_of_bounds", "a[100]", "reads", "0"), nothing, "reads_past_the_end");
    expect_diagnosis(FOUND("out_of_bounds", "c[30]", "writes", "0"), nothing,
                     "writes_past_the_end");
    expect_diagnosis(FOUND("out_of_bounds", "c[30]", "reads", "0"), nothing, NULL);
}

Test(diagnosis, blames_barriers_only_where_there_are_none) {
    expect_diagnosis(FOUND("shared_race", "tile_a[3]", "reads", "0"), nothing, "no_barrier");
    expect_diagnosis(FOUND("shared_race", "tile_a[3]", "reads", "4"), nothing, NULL);
}

Test(diagnosis, tells_a_result_that_was_never_cleared) {
    expect_diagnosis(FOUND("uninitialised", "c[0]", "reads", "0"), nothing, "result_not_cleared");
    expect_diagnosis(FOUND("uninitialised", "tile_a[0]", "reads", "0"), nothing, NULL);
}

Test(diagnosis, knows_who_launches_nothing) {
    expect_diagnosis("{\"launches\":[],\"findings\":[]}", nothing, "nothing_launched");
}
