/*
 * Known mistakes, recognised by what they do: by the simulator's findings and counters, or by a
 * result that is just what the mistake makes of these elements. A mistake is named only where all
 * that its text says was seen; where that is true of none, none is. The ids are the manifest's
 * `diagnoses`; those that a kind of finding tells alone are named there, not here.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "labs/09-operators-and-locks/tests/operators.h"

/* The failing call. */
struct scene {
    const struct lab *lab;
    const char *function;
    const struct call_arg *in;
    size_t n;
};

static bool is_call_of(const struct scene *s, const char *function) {
    return strcmp(s->function, function) == 0;
}

/* True where this output is as it was before the call. */
static bool is_untouched(const struct scene *s, const char *output) {
    const struct call_result *last = lab_last(s->lab);
    const struct call_arg *arg = lab_argument(s->lab, output), *first = s->in;

    return arg != NULL && (last->untouched >> (arg - first) & 1) != 0;
}

/* What of the elements is left where NaN is passed over, and where 0 or the smallest normal float
 * takes part, as it does where it is taken for the identity. */
static const char *wrong_extreme(const struct scene *s, bool is_min) {
    const float *in = s->in->data,
                got = *(float *)lab_argument(s->lab, is_min ? "min" : "max")->data;
    float of_numbers = is_min ? INFINITY : -INFINITY;
    bool has_nan = false, is_element = false;

    for (size_t i = 0; i < s->n; i++) {
        has_nan |= (bool)isnan(in[i]);
        is_element |= in[i] == got;
        if (is_min ? in[i] < of_numbers : in[i] > of_numbers)
            of_numbers = in[i];
    }
    if (has_nan)
        return got == of_numbers ? "nan_passed_over" : NULL;
    if (is_element)
        return NULL;
    if (got == 0 || fabsf(got) == FLT_MIN || fabsf(got) == FLT_MAX || isinf(got))
        return "other_identity";
    return NULL;
}

static const char *wrong_index(const struct scene *s) {
    const float *in = s->in->data;
    const struct largest *got = lab_argument(s->lab, "best")->data;
    struct largest right = largest_reference(in, s->n);

    if (s->n == 0)
        return "best_of_nothing";
    if (isnan(right.value) && isnan(got->value))
        return got->index < s->n && got->index > right.index && isnan(in[got->index])
                   ? "nan_not_first"
                   : NULL;
    if (isnan(right.value))
        return got->index < s->n || got->index == NO_INDEX ? "nan_passed_over" : NULL;
    if (got->index < s->n && got->index > right.index && (double)in[got->index] == right.value)
        return "tie_to_the_larger_index";
    return got->value > right.value ? "other_identity" : NULL;
}

static bool is_near(double a, double b, double bound) {
    return fabs(a - b) <= bound;
}

/* More numbers than that may look right to a float's digits when one of them is missing. */
enum { FEW = 1024 };

static const char *wrong_moments(const struct scene *s) {
    const double *in = s->in->data;
    double got[2] = {*(double *)lab_argument(s->lab, "mean")->data,
                     *(double *)lab_argument(s->lab, "deviation")->data};
    double right[2], largest = 0, ratio = sqrt((double)s->n / ((double)s->n - 1));
    struct moments_bound bound;

    moments_reference(in, s->n, right);
    for (size_t i = 0; i < s->n; i++)
        largest = fmax(largest, fabs(in[i]));
    bound = moments_bound(s->n, largest, right[1], 0x1p-53);
    if (isnan(got[0]))
        return "not_a_number";
    if (s->n == 0)
        return got[0] == 0 && isnan(got[1]) ? "deviation_of_nothing" : NULL;
    if (is_near(got[0], right[0], bound.mean)) {
        if (is_near(got[1], right[1] * ratio, bound.deviation))
            return "divides_by_n_minus_1";
        if (is_near(got[1], right[1] * right[1], bound.deviation * (2 * right[1] + 1)))
            return "no_root";
        /* Of the same numbers around 0 it was right: the test calls with those first. */
        if (largest >= 0x1p29)
            return "cancellation";
    }
    return s->n <= FEW && largest < 0x1p20 && is_near(got[0], right[0], 0x1p-21 * largest) &&
                   is_near(got[1], right[1], 0x1p-19 * largest)
               ? "float_precision"
               : NULL;
}

/* True where *sum is the right sum, times the threads of a block. */
static bool is_sum_of_every_thread(const struct scene *s) {
    const struct call_arg *block = lab_argument(s->lab, "block");
    const int32_t *in = s->in->data, *got = lab_argument(s->lab, "sum")->data;
    uint32_t right = 0;

    for (size_t i = 0; i < s->n; i++)
        right += (uint32_t)in[i];
    return right != 0 && (uint32_t)*got == right * (uint32_t)block->value.u64;
}

/* *sum was never stored to, or is that of all threads; `s` has the ints, or not. */
static const char *wrong_sum(const struct scene *s) {
    if (s->n > 0 && lab_launched_nothing(s->lab))
        return "nothing_launched";
    return s->in->data != NULL && is_sum_of_every_thread(s) ? "every_thread_adds" : NULL;
}

static const char *wrong_answer(const struct scene *s) {
    static const char *const outputs[] = {"sum", "max", "min", "best", "mean", "deviation"};

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (is_untouched(s, outputs[i])) {
            if (lab_launched_nothing(s->lab))
                return s->n == 0 ? "empty_input_not_stored" : "nothing_launched";
            return lab_report(s->lab) != NULL && lab_counter_total(s->lab, "atomics") == 0 &&
                           lab_counter_total(s->lab, "global_stores") == 0
                       ? "kernel_not_written"
                       : NULL;
        }
    if (is_call_of(s, "max_of") || is_call_of(s, "min_of"))
        return wrong_extreme(s, is_call_of(s, "min_of"));
    if (is_call_of(s, "argmax"))
        return wrong_index(s);
    return is_call_of(s, "mean_deviation") ? wrong_moments(s) : wrong_sum(s);
}

/* Who reads and writes *sum while another block does. */
static const char *race_at_sum(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");

    if (here.block == other.block)
        return is_call_of(s, "sum_by_partials") && here.writes && other.writes
                   ? "every_thread_writes"
                   : NULL;
    if (is_call_of(s, "sum_by_lock"))
        return lab_counter_total(s->lab, "atomics") == 0 ? "no_lock" : "no_fence";
    return lab_counter_total(s->lab, "atomics") == 0 ? "no_atomic" : NULL;
}

static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_launch launch = lab_launch(s->lab, lab_n_launches(s->lab) - 1);

    if (lab_n_launches(s->lab) == 0)
        return NULL;
    if (lab_finding_is_at(finding, "in"))
        return here.reads && lab_finding_index(finding) >= (int64_t)s->n ? "reads_past_the_end"
                                                                         : NULL;
    if (!lab_finding_is_in_shared(finding))
        return NULL;
    if (launch.shared_bytes == 0)
        return "no_dynamic_shared";
    return launch.dynamic_bytes < launch.n_threads * sizeof(int32_t) ? "little_dynamic_shared"
                                                                     : NULL;
}

/* The lock was read before anybody had stored to it. */
static bool begins_unwritten(const struct scene *s) {
    const json_t *finding = lab_finding(s->lab, "uninitialised");

    return finding != NULL && lab_finding_is_at(finding, "lock");
}

static const char *found(const struct scene *s) {
    const json_t *finding;

    if ((finding = lab_finding(s->lab, "out_of_bounds")) != NULL)
        return out_of_bounds(s, finding);
    if ((finding = lab_finding(s->lab, "shared_race")) != NULL)
        return lab_counter_total(s->lab, "barriers") == 0 ? "no_barrier" : NULL;
    if ((finding = lab_finding(s->lab, "global_race")) != NULL)
        return lab_finding_is_at(finding, "sum") ? race_at_sum(s, finding) : NULL;
    if (begins_unwritten(s))
        return "lock_not_free";
    finding = lab_finding(s->lab, "uninitialised");
    return finding != NULL && lab_finding_is_at(finding, "sum") ? "sum_not_zeroed" : NULL;
}

/* Threads that wait for ever, or nearly, in the function that has the lock. */
static const char *stopped(const struct scene *s) {
    size_t last = lab_n_launches(s->lab) - (lab_n_launches(s->lab) > 0);

    if (!is_call_of(s, "sum_by_lock") || lab_counter(s->lab, last, "atomics") == 0)
        return lab_finding(s->lab, "endless") != NULL ? "endless_loop" : NULL;
    return lab_counter(s->lab, last, "global_stores") == 0 ? "lock_never_had" : "lock_not_released";
}

void operators_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const struct call_arg *in = lab_argument(lab, "in");
    const char *id = NULL;
    struct scene s = {.lab = lab, .function = lab_function(lab), .in = in};

    (void)c;
    if (in == NULL || s.function == NULL)
        return;
    s.n = in->count;
    if (lab_finding(lab, "deadlock") != NULL || lab_finding(lab, "endless") != NULL)
        id = begins_unwritten(&s) ? "lock_not_free" : stopped(&s);
    else if (strcmp(verdict, "wrong_answer") == 0)
        id = in->data != NULL ? wrong_answer(&s) : wrong_sum(&s);
    else if (strcmp(verdict, "finding") == 0)
        id = found(&s);
    else if (strcmp(verdict, "cuda_error") == 0)
        id = lab_swallowed_error(lab) ? "launch_error_swallowed" : NULL;
    else if (strcmp(verdict, "damage") == 0 && lab_last(lab)->damage.kind == CALL_INPUT_CHANGED)
        id = "input_modified";
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
