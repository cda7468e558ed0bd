/* One case of each function: arguments, call, comparison. */
#include "labs/09-operators-and-locks/tests/operators.h"

#include <math.h>
#include <string.h>

#include "labs/common/many.h"

const struct sum_way by_partials = {"sum_by_partials", "partials"};
const struct sum_way by_threads = {"sum_by_threads", NULL};
const struct sum_way by_blocks = {"sum_by_blocks", NULL};
const struct sum_way by_lock = {"sum_by_lock", "lock"};

/* The arguments that all functions begin with. */
static size_t first_args(struct call_arg *args, struct call_arg in, unsigned block) {
    args[0] = in;
    args[1] = lab_size(in.count);
    args[2] = lab_u32("block", block);
    return 3;
}

size_t sum_way_args(struct call_arg *args, const struct sum_way *way, struct call_arg in,
                    unsigned block, void *sum) {
    size_t n_args = first_args(args, in, block);

    if (way == &by_partials)
        args[n_args++] = lab_scratch("partials", operator_blocks(in.count, block), sizeof(int32_t));
    else if (way->memory != NULL)
        args[n_args++] = lab_scratch(way->memory, 1, sizeof(int32_t));
    args[n_args++] = lab_out("sum", sum, 1, sizeof(int32_t));
    return n_args;
}

bool sum_way_case(struct lab *lab, const struct sum_way *way, const struct lab_case *c) {
    int32_t *in = lab_random_i32(lab, c->n), sum;
    struct call_arg args[OPERATORS_MAX_ARGS];
    uint32_t right = 0;
    size_t n_args = sum_way_args(args, way, lab_in("in", in, c->n, sizeof *in), c->block, &sum);

    for (size_t i = 0; i < c->n; i++)
        right += (uint32_t)in[i];
    lab_set_diagnoser(lab, operators_diagnose);
    sum = (int32_t)~right;
    return lab_call_args(lab, way->function, args, n_args) &&
           lab_expect_i32(lab, "sum", &sum, (int32_t *)&right, 1);
}

static void sum_case(struct lab *lab, const struct sum_way *way, const struct lab_case *c,
                     timed_sum_args *make_args) {
    if (c->n <= MANY_INTS) {
        sum_way_case(lab, way, c);
        return;
    }
    lab_set_diagnoser(lab, operators_diagnose);
    many_sum(lab, c, way->function, make_args);
}

#define WAY(name)                                                                                  \
    size_t name##_args(struct call_arg *args, struct call_arg in, unsigned block, void *sum) {     \
        return sum_way_args(args, &(name), in, block, sum);                                        \
    }                                                                                              \
    void name##_case(struct lab *lab, const struct lab_case *c) {                                  \
        sum_case(lab, &(name), c, name##_args);                                                    \
    }
WAY(by_partials)
WAY(by_threads)
WAY(by_blocks)
WAY(by_lock)

size_t extreme_args(struct call_arg *args, bool is_min, struct call_arg in, unsigned block,
                    void *extreme) {
    size_t n_args = first_args(args, in, block);

    args[n_args++] = lab_scratch("partials", operator_blocks(in.count, block), sizeof(float));
    args[n_args++] = lab_out(is_min ? "min" : "max", extreme, 1, sizeof(float));
    return n_args;
}

/* The first NaN; n where there is none. */
static size_t first_nan(const float *in, size_t n) {
    size_t i = 0;

    while (i < n && !isnan(in[i]))
        i++;
    return i;
}

bool extreme_of(struct lab *lab, const char *function, const float *in, const struct lab_case *c) {
    bool is_min = strcmp(function, "min_of") == 0;
    double right = (double)extreme_reference(is_min, in, c->n);
    struct call_arg args[OPERATORS_MAX_ARGS];
    float got = 0;
    size_t n_args = extreme_args(args, is_min, lab_in("in", in, c->n, sizeof *in), c->block, &got);

    lab_set_diagnoser(lab, operators_diagnose);
    lab_set_elements(lab, LAB_FLOATS);
    if (!lab_call_args(lab, function, args, n_args))
        return false;
    if (!isnan(right))
        return lab_expect_f32(lab, is_min ? "min" : "max", &got, &right, 0, 1);
    if (!isnan(got))
        lab_fail(lab, "wrong_answer",
                 "%s (n = %zu, block = %u) gave %.9g; in[%zu] is NaN, and so must be the result.",
                 function, c->n, c->block, (double)got, first_nan(in, c->n));
    return isnan(got);
}

/* Drawn numbers; for max they lie below 0, or above, where `sign` says so. */
bool extreme_case(struct lab *lab, const char *function, int sign, const struct lab_case *c) {
    struct lab_drawn drawn = lab_draw(lab, LAB_F32, c->n);
    float *in = lab_drawn_f32(lab, &drawn);

    for (size_t i = 0; i < c->n && sign != 0; i++)
        in[i] = (float)sign * fabsf(in[i]);
    return extreme_of(lab, function, in, c);
}

void max_case(struct lab *lab, const struct lab_case *c) {
    extreme_case(lab, "max_of", 0, c);
}

void min_case(struct lab *lab, const struct lab_case *c) {
    extreme_case(lab, "min_of", 0, c);
}

size_t argmax_args(struct call_arg *args, struct call_arg in, unsigned block, void *best) {
    size_t n_args = first_args(args, in, block);

    args[n_args++] =
        lab_scratch("partials", operator_blocks(in.count, block), sizeof(struct largest));
    args[n_args++] = lab_out("best", best, 1, sizeof(struct largest));
    return n_args;
}

/* "index 5" or "NO_INDEX". */
static const char *place(char to[32], size_t index) {
    if (index == NO_INDEX)
        return "NO_INDEX";
    snprintf(to, 32, "index %zu", index);
    return to;
}

/* Looks for it among floats of which it is `right`. */
static bool find_largest(struct lab *lab, struct call_arg in, struct largest right,
                         const struct lab_case *c) {
    struct largest got = {0, 0};
    struct call_arg args[OPERATORS_MAX_ARGS];
    char of_got[32], of_right[32];
    size_t n_args = argmax_args(args, in, c->block, &got);
    bool is_same;

    lab_set_diagnoser(lab, operators_diagnose);
    lab_set_elements(lab, LAB_FLOATS);
    if (!lab_call_args(lab, "argmax", args, n_args))
        return false;
    is_same = isnan(right.value) ? isnan(got.value) : got.value == right.value;
    if ((lab_last(lab)->untouched >> (n_args - 1) & 1) != 0)
        lab_fail(lab, "wrong_answer", "argmax (n = %zu, block = %u) wrote nothing to *best.", c->n,
                 c->block);
    else if (!is_same || got.index != right.index)
        lab_fail(lab, "wrong_answer",
                 "argmax (n = %zu, block = %u) gave value %.9g with %s; it must be %.9g with %s.",
                 c->n, c->block, got.value, place(of_got, got.index), right.value,
                 place(of_right, right.index));
    else
        return true;
    return false;
}

bool largest_of(struct lab *lab, const float *in, const struct lab_case *c) {
    return find_largest(lab, lab_in("in", in, c->n, sizeof *in), largest_reference(in, c->n), c);
}

/* All below 0, so that neither 0 nor what was there before is the largest. */
static void lower(float *floats, size_t n) {
    for (size_t i = 0; i < n; i++)
        floats[i] -= 200;
}

/* Gigabytes, made where they are needed. The last few are above all others: of more than 2^31 the
 * largest is at a place that no int has. */
enum { RAISED = 500, AT_ONCE = 1024 };

static void make_some(const struct lab_drawn *drawn, size_t first, size_t count, float *to) {
    const size_t last = drawn->n - RAISED;

    lab_drawn_make(drawn, first, count, to);
    lower(to, count);
    for (size_t i = first > last ? first : last; i < first + count; i++)
        to[i - first] += 260;
}

/* What lies at `to` is not read: a worker can write there. */
static void make_raised(const void *context, size_t first, size_t count, void *to) {
    const size_t end = first + count;
    float some[AT_ONCE], *floats = to;

    while (first < end) {
        size_t rest = end - first, n_now = rest < AT_ONCE ? rest : AT_ONCE;

        make_some(context, first, n_now, some);
        memcpy(floats, some, n_now * sizeof *some);
        floats += n_now;
        first += n_now;
    }
}

static void largest_of_many(struct lab *lab, const struct lab_case *c) {
    struct lab_drawn drawn = lab_draw(lab, LAB_F32, c->n);
    struct call_arg in = lab_in_drawn("in", &drawn);
    float last[RAISED];

    in.make = make_raised;
    make_raised(&drawn, c->n - RAISED, RAISED, last);
    struct largest right = largest_reference(last, RAISED);
    right.index += c->n - RAISED;
    find_largest(lab, in, right, c);
}

void argmax_case(struct lab *lab, const struct lab_case *c) {
    if (c->n > MANY_INTS) {
        largest_of_many(lab, c);
        return;
    }
    struct lab_drawn drawn = lab_draw(lab, LAB_F32, c->n);
    float *in = lab_drawn_f32(lab, &drawn);

    lower(in, c->n);
    largest_of(lab, in, c);
}

size_t moments_args(struct call_arg *args, struct call_arg in, unsigned block, double results[2]) {
    size_t n_args = first_args(args, in, block);

    args[n_args++] =
        lab_scratch("partials", operator_blocks(in.count, block) + 1, sizeof(struct moments));
    args[n_args++] = lab_out("mean", &results[0], 1, sizeof(double));
    args[n_args++] = lab_out("deviation", &results[1], 1, sizeof(double));
    return n_args;
}

bool moments_case_at(struct lab *lab, const struct lab_case *c, double offset) {
    struct lab_drawn drawn = lab_draw(lab, LAB_F32, c->n);
    float *numbers = lab_drawn_f32(lab, &drawn);
    double *in = lab_memory(lab, c->n * sizeof *in), right[2], got[2] = {-1, -1}, largest = 0;
    struct call_arg args[OPERATORS_MAX_ARGS];
    struct moments_bound bound;
    size_t n_args;

    for (size_t i = 0; i < c->n; i++) {
        in[i] = (double)numbers[i] + offset;
        largest = fmax(largest, fabs(in[i]));
    }
    moments_reference(in, c->n, right);
    bound = moments_bound(c->n, largest, right[1], 0x1p-53);
    n_args = moments_args(args, lab_in("in", in, c->n, sizeof *in), c->block, got);
    lab_set_diagnoser(lab, operators_diagnose);
    lab_set_elements(lab, LAB_DOUBLES);
    return lab_call_args(lab, "mean_deviation", args, n_args) &&
           lab_expect_f64(lab, "mean", &got[0], &right[0], bound.mean, 1) &&
           lab_expect_f64(lab, "deviation", &got[1], &right[1], bound.deviation, 1);
}

void moments_case(struct lab *lab, const struct lab_case *c) {
    moments_case_at(lab, c, 0);
}

void operators_each(struct lab *lab, const struct lab_case *c, unsigned block, const char *why,
                    operators_call *call) {
    static const struct sum_way *const ways[] = {&by_partials, &by_threads, &by_blocks, &by_lock};
    struct lab_drawn drawn = lab_draw(lab, LAB_F32, c->n);
    struct call_arg args[OPERATORS_MAX_ARGS], floats, doubles;
    int32_t *ints = lab_random_i32(lab, c->n), sum;
    struct largest best;
    double results[2];
    float extreme;
    size_t n_args;

    floats = lab_in("in", lab_drawn_f32(lab, &drawn), c->n, sizeof(float));
    doubles = lab_in("in", lab_memory(lab, c->n * sizeof(double)), c->n, sizeof(double));
    lab_set_diagnoser(lab, operators_diagnose);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        n_args =
            sum_way_args(args, ways[i], lab_in("in", ints, c->n, sizeof *ints), c->block, &sum);
        args[2].value.u64 = block;
        call(lab, ways[i]->function, why, args, n_args);
    }
    for (int is_min = 0; is_min < 2; is_min++) {
        n_args = extreme_args(args, is_min != 0, floats, c->block, &extreme);
        args[2].value.u64 = block;
        call(lab, is_min != 0 ? "min_of" : "max_of", why, args, n_args);
    }
    n_args = argmax_args(args, floats, c->block, &best);
    args[2].value.u64 = block;
    call(lab, "argmax", why, args, n_args);
    n_args = moments_args(args, doubles, c->block, results);
    args[2].value.u64 = block;
    call(lab, "mean_deviation", why, args, n_args);
}
