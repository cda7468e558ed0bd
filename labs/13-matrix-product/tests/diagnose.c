/*
 * Known mistakes, recognised by what they do: by the simulator's findings, or by a result that is
 * just what the mistake makes of these matrices. A mistake is named only where all that its text
 * says was seen; where that is true of none, none is. The ids are the manifest's `diagnoses`.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "labs/13-matrix-product/tests/product.h"

/* The failing call. */
struct scene {
    struct lab *lab;
    struct shape s;
    unsigned edge; /* 0: the function chooses */
    const float *a, *second, *c;
    bool is_transposed; /* `second` is bt */
};

/* `second` as b has it: k rows of n. */
static float *b_of(const struct scene *s) {
    float *b = lab_memory(s->lab, (size_t)s->s.k * s->s.n * sizeof *b);

    for (size_t l = 0; l < s->s.k; l++)
        for (size_t j = 0; j < s->s.n; j++)
            b[l * s->s.n + j] =
                s->is_transposed ? s->second[j * s->s.k + l] : s->second[l * s->s.n + j];
    return b;
}

/* c is a · b as if only from <= l < to were added up. */
static bool is_part(const struct scene *s, const float *b, unsigned from, unsigned to) {
    size_t n = (size_t)s->s.m * s->s.n;
    const double *bounds = product_bounds(s->lab, s->s, s->a, b);
    double *sums = lab_memory(s->lab, n * sizeof *sums);

    product_reference(s->s, s->a, b, from, to, sums);
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)s->c[i] - sums[i]) <= bounds[i]))
            return false;
    return true;
}

/* bt was read as if it were b. Where both have the same shape, all elements are in bounds. */
static bool is_unturned(const struct scene *s) {
    return s->is_transposed && s->s.k == s->s.n && s->s.k > 1 && is_part(s, s->second, 0, s->s.k);
}

static const char *wrong_sums(const struct scene *s) {
    unsigned k = s->s.k, edge = s->edge;
    const float *b = b_of(s);

    if (is_unturned(s))
        return "bt_not_turned";
    if (edge == 0 || k <= edge)
        return NULL;
    if (k % edge > 0 && is_part(s, b, 0, k - k % edge))
        return "last_tile_left_out";
    if (is_part(s, b, 0, edge))
        return "first_tile_only";
    return is_part(s, b, k - (k % edge > 0 ? k % edge : edge), k) ? "last_tile_only" : NULL;
}

static const char *wrong_answer(const struct scene *s, size_t out_index) {
    if (s->s.m > 0 && s->s.n > 0 && lab_launched_nothing(s->lab))
        return "nothing_launched";
    if ((lab_last(s->lab)->untouched >> out_index & 1) != 0)
        return lab_report(s->lab) != NULL && lab_counter_total(s->lab, "atomics") == 0 &&
                       lab_counter_total(s->lab, "global_stores") == 0
                   ? "kernel_not_written"
                   : NULL;
    return s->a != NULL && s->second != NULL && s->c != NULL ? wrong_sums(s) : NULL;
}

/* Beyond the end of a matrix: each text says no more. */
static const char *out_of_bounds(const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");

    if (lab_finding_index(finding) < 0 && !lab_finding_is_in_bytes(finding))
        return NULL; /* before the matrix */
    if (here.reads && (lab_finding_is_at(finding, "a") || lab_finding_is_at(finding, "b") ||
                       lab_finding_is_at(finding, "bt")))
        return "reads_past_the_end";
    return here.writes && lab_finding_is_at(finding, "c") ? "writes_past_the_end" : NULL;
}

/* A finding of the failing call, in the order in which the result names them. */
static const char *found(const struct scene *s) {
    const json_t *finding;

    if ((finding = lab_finding(s->lab, "out_of_bounds")) != NULL)
        return out_of_bounds(finding);
    if (lab_finding(s->lab, "divergent_barrier") != NULL)
        return NULL; /* the manifest knows */
    if (lab_finding(s->lab, "shared_race") != NULL)
        return lab_counter_total(s->lab, "barriers") == 0 ? "no_barrier" : NULL;
    finding = lab_finding(s->lab, "uninitialised");
    if (finding == NULL || lab_finding(s->lab, "deadlock") != NULL)
        return NULL;
    return lab_finding_is_at(finding, "c") ? "result_not_cleared" : NULL;
}

static unsigned number(const struct lab *lab, const char *name) {
    const struct call_arg *arg = lab_argument(lab, name);

    return arg != NULL ? (unsigned)arg->value.u64 : 0;
}

void product_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const struct call_arg *a = lab_argument(lab, "a"), *b = lab_argument(lab, "b");
    const struct call_arg *bt = lab_argument(lab, "bt"), *out = lab_argument(lab, "c");
    const char *id = NULL;
    struct scene s;

    (void)c;
    if (a == NULL || (b == NULL && bt == NULL) || out == NULL)
        return;
    s = (struct scene){
        .lab = lab,
        .s = {number(lab, "m"), number(lab, "n"), number(lab, "k")},
        .edge = number(lab, "edge"),
        .a = a->data,
        .second = bt != NULL ? bt->data : b->data,
        .c = out->data,
        .is_transposed = bt != NULL,
    };
    if (strcmp(verdict, "wrong_answer") == 0)
        id = wrong_answer(&s, (size_t)(out - a));
    else if (strcmp(verdict, "finding") == 0)
        id = found(&s);
    else if (lab_finding(lab, "endless") != NULL)
        id = "endless_loop";
    else if (strcmp(verdict, "cuda_error") == 0)
        id = (s.s.m == 0 || s.s.n == 0) && lab_grid_was_empty(lab, s.edge * s.edge)
                 ? "empty_product_not_handled"
                 : NULL;
    else if (strcmp(verdict, "damage") == 0 && lab_last(lab)->damage.kind == CALL_INPUT_CHANGED)
        id = "input_modified";
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
