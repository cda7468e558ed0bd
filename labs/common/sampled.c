#include "labs/common/sampled.h"

#include <string.h>

static const size_t reached_by_int = (size_t)1 << 28;

/* Sums of fewer ones than the smallest blocks have threads say nothing. */
enum { LEAST = 256 };

/* No sweep: a case that the command line names would be run as a whole. */
void sampled_sizes(struct lab *lab, unsigned block, size_t beyond, lab_case_body *body,
                   lab_case_body *sampled_body) {
    lab_one(lab, 513, block, body);
    lab_one(lab, 5003, block, body);
    if (beyond)
        lab_one_above(lab, beyond, reached_by_int, block, sampled_body);
    else
        lab_one(lab, reached_by_int, block, sampled_body);
}

struct sampled_part sampled_quarter(size_t n, bool is_last) {
    size_t count = n / 4 / CALL_SPARSE_STEP * CALL_SPARSE_STEP;
    size_t last = (n - count) / CALL_SPARSE_STEP * CALL_SPARSE_STEP;

    return (struct sampled_part){is_last ? last : 0, count};
}

/* Whether the launch with most threads has fewer than there are elements. */
static bool has_too_few_threads(const struct lab *lab, const struct lab_case *c) {
    struct lab_launch launch = lab_launch(lab, lab_largest_launch(lab));
    uint64_t most = launch.n_blocks * launch.n_threads;

    return most > 0 && most < c->n;
}

void sampled_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    bool is_wrong = strcmp(verdict, "wrong_answer") == 0;

    if (c->n > reached_by_int &&
        (is_wrong || lab_finding(lab, "out_of_bounds") || lab_finding(lab, "endless")))
        lab_diagnose(lab, "index_overflow");
    else if (is_wrong && c->n == reached_by_int && has_too_few_threads(lab, c))
        lab_diagnose(lab, "too_few_blocks");
}

/* A number that a program may have as a limit, whatever n is. */
static bool is_round(uint64_t n) {
    return (n & (n - 1)) == 0 || n % 1000 == 0;
}

static size_t count_launches(size_t n, size_t share, enum sampled_launches launches) {
    size_t levels = 1;

    for (size_t left = (n + share - 1) / share; left > 1; left = (left + share - 1) / share)
        levels++;
    return launches == SAMPLED_ONCE ? 1 : launches == SAMPLED_UP ? levels : 2 * levels - 1;
}

/* True where the blocks of the largest launch, so many, can't have all n elements; `share`: how
 * many each would have to take. */
static bool leaves_rest(const struct lab *lab, size_t n, enum sampled_launches launches,
                        uint64_t *n_blocks, size_t *share) {
    enum { FEW_BLOCKS = 1 << 16 };
    const struct lab_launch launch = lab_launch(lab, lab_largest_launch(lab));

    *n_blocks = launch.n_blocks;
    if (*n_blocks <= FEW_BLOCKS || is_round(*n_blocks) || *n_blocks * launch.n_threads >= n)
        return false;
    *share = (n + *n_blocks - 1) / *n_blocks;
    return (n + *share - 1) / *share != *n_blocks &&
           lab_n_launches(lab) <= count_launches(n, *share - 1, launches);
}

/* Two fifths of what lies between two floats more: where n lies less than that above one, it is
 * rounded up. */
static size_t size_above(size_t n) {
    const size_t between = (size_t)1 << (63 - 23 - __builtin_clzll(n));

    return n + between * 2 / 5;
}

void sampled_expect_all(struct lab *lab, const struct lab_case *c, enum sampled_launches launches,
                        sampled_call *again, const void *context) {
    struct lab_case above = *c;
    uint64_t n_blocks, n_above;
    size_t share, share_above;

    above.n = size_above(c->n);
    if (!leaves_rest(lab, c->n, launches, &n_blocks, &share) ||
        (again && (!again(lab, &above, context) ||
                   leaves_rest(lab, above.n, launches, &n_above, &share_above))))
        return;
    lab_set_diagnoser(lab, NULL);
    lab_fail(lab, "wrong_answer",
             "%s (n = %zu): of the grid's %llu blocks each would have to take %zu elements or "
             "more, but then there would be fewer blocks. So the last elements are in none, as "
             "where their number was computed in floats: these have 24 bits.",
             lab_function(lab), c->n, (unsigned long long)n_blocks, share);
}

/* The sum of n numbers of which this part are ones; NAN where the call failed. */
static bool sum_part(struct lab *lab, const struct lab_case *c, const char *function, int type,
                     timed_sum_args *make_args, struct sampled_part part, double *sum) {
    struct call_arg args[CALL_MAX_ARGS];
    union {
        int32_t i32;
        float f32;
    } got = {.i32 = 0}, one = {.i32 = 1};

    if (type != LAB_I32)
        one.f32 = 1;
    size_t n_args = make_args(
        args, lab_in_set("in", (uint32_t)one.i32, part.first, part.count, c->n), c->block, &got);
    for (size_t i = 0; i < n_args; i++)
        args[i].sparse.is_on |= args[i].kind == CALL_ARG_SCRATCH;
    bool is_good = lab_call_sharing(lab, function, args, n_args, c->n);
    *sum = type == LAB_I32 ? got.i32 : (double)got.f32;
    return is_good;
}

/* Ends the test where a third of the first launch's blocks or more have nothing to take. */
static void skip_idle_blocks(struct lab *lab, const struct lab_case *c, size_t share) {
    uint64_t busy = (c->n + share - 1) / share, all = lab_launch(lab, 0).n_blocks;

    if (2 * all < 3 * busy)
        return;
    lab_skip(lab,
             "The simulator runs a sample of the blocks here. Of the %llu blocks of the first "
             "launch at least %llu find nothing to do, and such a sample can't stand for all. A "
             "GPU runs all.",
             (unsigned long long)all, (unsigned long long)(all - busy));
}

void sampled_sum(struct lab *lab, const struct lab_case *c, const char *function, int type,
                 timed_sum_args *make_args, size_t share) {
    struct sampled_part first = sampled_quarter(c->n, false), last = sampled_quarter(c->n, true);
    struct lab_shares shares = {.what = "the sum is", .least = LEAST};
    char of_first[96], of_last[96];

    lab_set_diagnoser(lab, sampled_diagnose);
    snprintf(of_first, sizeof of_first, "where in[0] to in[%zu] are 1", first.count - 1);
    snprintf(of_last, sizeof of_last, "where in[%zu] to in[%zu] are 1", last.first,
             last.first + last.count - 1);
    shares.of_first = of_first;
    shares.of_last = of_last;
    if (sum_part(lab, c, function, type, make_args, first, &shares.first) &&
        sum_part(lab, c, function, type, make_args, last, &shares.last)) {
        if (lab_shares_differ(&shares))
            skip_idle_blocks(lab, c, share);
        lab_expect_alike(lab, &shares);
    }
}
