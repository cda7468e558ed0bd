/* The diagnoses that need no simulator: what comes out wrong is known by what it comes to. Each
 * answer here makes one mistake, in plain C, in place of a worker. */
#include "common/harness/tests/fake_call.h"
#include "labs/14-capstone/tests/fast.h"

enum { TILE = 1024, N = 4 * TILE + 5 };

static size_t case_n;
static lab_case_body *case_body;

static void one_case(struct lab *lab) {
    lab_one(lab, case_n, ANY_BLOCK, case_body);
}

static void expect_diagnosis(lab_case_body *body, size_t n, fake_answer *answer, const char *id) {
    case_n = n;
    case_body = body;
    fake.answer = answer;
    json_t *document = fake_perform("edge", one_case);
    fake_expect(document, "diagnosis", id);
}

/* Adds up the first ints, so many fewer than n. */
static void sum_all_but(struct call_arg *args, size_t n_left_out) {
    uint32_t sum = 0;

    for (size_t i = 0; i < args[0].count - n_left_out; i++)
        sum += ((const uint32_t *)args[0].data)[i];
    *(uint32_t *)args[3].data = sum;
}

FAKE_ANSWER(whole_quads) {
    (void)function;
    sum_all_but(args, N % 4);
}

FAKE_ANSWER(two_too_few) {
    (void)function;
    sum_all_but(args, 2);
}

Test(diagnosis, knows_a_sum_of_whole_groups) {
    expect_diagnosis(fast_sum_case, N, whole_quads, "rest_left_out");
    expect_diagnosis(fast_sum_case, N, two_too_few, NULL);
}

/* Each tile by itself; and one int off, in the second case. */
static void scan_tiles(struct call_arg *args, int off) {
    uint32_t sum = 0, *out = args[3].data;

    for (size_t i = 0; i < args[0].count; i++) {
        sum = (i % TILE == 0 ? 0 : sum) + ((const uint32_t *)args[0].data)[i];
        out[i] = sum;
    }
    out[args[0].count / 2] += (uint32_t)off;
}

FAKE_ANSWER(tiles_by_themselves) {
    (void)function;
    scan_tiles(args, 0);
}

FAKE_ANSWER(one_off) {
    (void)function;
    scan_tiles(args, 1);
}

Test(diagnosis, knows_tiles_of_any_usual_size) {
    expect_diagnosis(fast_scan_case, N, tiles_by_themselves, "tiles_alone");
    expect_diagnosis(fast_scan_case, N, one_off, NULL);
}

/* Without the int itself, and for `n_right` from the first on with it. */
static void scan_exclusively(struct call_arg *args, size_t n_right) {
    const uint32_t *in = args[0].data;
    uint32_t sum = 0, *out = args[3].data;

    for (size_t i = 0; i < args[0].count; i++) {
        out[i] = i < n_right ? sum + in[i] : sum;
        sum += in[i];
    }
}

FAKE_ANSWER(exclusive) {
    (void)function;
    scan_exclusively(args, 0);
}

FAKE_ANSWER(exclusive_but_the_first) {
    (void)function;
    scan_exclusively(args, 1);
}

Test(diagnosis, knows_an_exclusive_scan_of_any_length) {
    expect_diagnosis(fast_scan_case, 20, exclusive, "exclusive_for_inclusive");
    expect_diagnosis(fast_scan_case, N, exclusive, "exclusive_for_inclusive");
    expect_diagnosis(fast_scan_case, 20, exclusive_but_the_first, NULL);
    expect_diagnosis(fast_scan_zeros, N, exclusive, NULL);
}
