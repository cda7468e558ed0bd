/*
 * Known mistakes, recognised by what they do, as the simulator saw it. A mistake is named only
 * where all that its text says was seen; where that is true of none, none is. The ids are the
 * manifest's `diagnoses`; those that a kind of finding tells alone are named there, not here.
 */
#include <string.h>

#include "labs/00-first-kernel/tests/map_case.h"

/* The failing call. */
struct scene {
    const struct lab *lab;
    bool is_on_host, is_picture, is_strided;
    size_t n;                  /* of a picture, its pixels */
    size_t width, height, row; /* of a picture; its rows are so many ints apart */
};

/* The thread's number along an axis of the whole grid; -1: not known. */
static int64_t number_of(const struct scene *s, const json_t *finding, const char *side,
                         size_t axis) {
    int64_t block = lab_finding_place(finding, side, "block", axis);
    int64_t thread = lab_finding_place(finding, side, "thread", axis);

    return block < 0 || thread < 0 ? -1
                                   : block * (int64_t)lab_launch(s->lab, 0).block[axis] + thread;
}

/* The thread has no number, or no pixel: it lies behind the last one. */
static bool has_none(const struct scene *s, const json_t *finding) {
    int64_t x = number_of(s, finding, "here", 0), y = number_of(s, finding, "here", 1);

    if (s->is_picture)
        return x >= (int64_t)s->width || y >= (int64_t)s->height;
    return x >= (int64_t)s->n;
}

static bool is_at_array(const json_t *finding) {
    return lab_finding_is_at(finding, "in") || lab_finding_is_at(finding, "out");
}

/* An access that stopped the launch. */
static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    int64_t index = lab_finding_index(finding);
    int64_t x = number_of(s, finding, "here", 0), y = number_of(s, finding, "here", 1);

    if (x < 0 || y < 0 || (!is_at_array(finding) && !s->is_on_host))
        return NULL;
    if (s->is_picture) {
        if (has_none(s, finding))
            return "no_bounds_check";
        if (index == (int64_t)(s->row * sizeof(int32_t)) * y + x && y > 0)
            return "pitch_in_ints";
        return index == x * (int64_t)s->row + y && x != y ? "x_and_y_swapped" : NULL;
    }
    return has_none(s, finding) && (index == x || s->is_on_host) ? "no_bounds_check" : NULL;
}

static const char *found(const struct scene *s) {
    const json_t *finding = lab_finding(s->lab, "out_of_bounds");

    return finding != NULL ? out_of_bounds(s, finding) : NULL;
}

/* The last argument is the output. */
static bool is_untouched(const struct lab *lab) {
    unsigned output = lab_argument(lab, "blocks") != NULL  ? 5
                      : lab_argument(lab, "block") != NULL ? 4
                                                           : 3;

    return (lab_last(lab)->untouched >> output & 1) != 0;
}

/* Nothing was written to `out`. */
static const char *unwritten(const struct scene *s) {
    if (lab_report(s->lab) == NULL)
        return NULL;
    if (lab_n_launches(s->lab) == 0)
        return "nothing_launched";
    if (lab_counter_total(s->lab, "global_stores") == 0)
        return "kernel_not_written";
    return s->is_on_host && lab_last(s->lab)->memory.is_known &&
                   lab_last(s->lab)->memory.to_host == 0
               ? "not_copied_back"
               : NULL;
}

/* No warp of the one launch has loaded more than once: its threads took one number at most. */
static bool took_one_at_most(const struct scene *s, const struct lab_launch *launch) {
    uint64_t n_warps = launch->n_blocks * ((launch->n_threads + 31) / 32);

    return lab_n_launches(s->lab) == 1 && lab_counter_total(s->lab, "global_loads") <= n_warps;
}

/* Smaller sizes are right, and here all numbers are that an int can count. */
static bool is_right_below_2_31(const struct scene *s) {
    return lab_fails_only_beyond(s->lab, s->n, INT32_MAX) && lab_mismatch_index(s->lab) > INT32_MAX;
}

/* What lies between two rows of the picture was changed. */
static bool is_in_gap(const struct scene *s) {
    return s->is_picture && s->row > 0 && lab_mismatch_index(s->lab) % s->row >= s->width;
}

/* All copies to the host together have as many bytes as the output has numbers. */
static bool copied_a_byte_a_number(const struct scene *s) {
    const struct call_memory *memory = &lab_last(s->lab)->memory;

    return memory->is_known && memory->to_host == s->n;
}

/* Numbers from some place on were left out, or those changed that are none. */
static const char *wrong_answer(const struct scene *s) {
    struct lab_launch launch = lab_launch(s->lab, 0);
    uint64_t n_threads = launch.n_blocks * launch.n_threads;

    if (is_untouched(s->lab))
        return unwritten(s);
    if (is_in_gap(s))
        return "gap_written";
    if (s->is_on_host && copied_a_byte_a_number(s))
        return "too_few_bytes_copied";
    if (is_right_below_2_31(s))
        return "index_overflow";
    if (lab_report(s->lab) == NULL || s->is_picture || !took_one_at_most(s, &launch) ||
        n_threads >= s->n || lab_mismatch_index(s->lab) < n_threads)
        return NULL;
    return s->is_strided ? "one_number_a_thread" : "too_few_blocks";
}

static const char *refused(const struct scene *s) {
    const struct call_arg *block = lab_argument(s->lab, "block");
    unsigned n_threads = block != NULL ? (unsigned)block->value.u64 : 256;

    if (n_threads > 1024)
        return lab_swallowed_error(s->lab) ? "launch_error_swallowed" : NULL;
    if (!lab_grid_was_empty(s->lab, n_threads))
        return NULL;
    return s->n == 0 ? "empty_input_not_handled" : !s->is_strided ? "too_few_blocks" : NULL;
}

static size_t number(const struct lab *lab, const char *name) {
    const struct call_arg *arg = lab_argument(lab, name);

    return arg != NULL ? arg->value.u64 : 0;
}

void map_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    struct scene s = {.lab = lab,
                      .is_on_host = strcmp(lab_function(lab), "scale_on_host") == 0,
                      .is_picture = strcmp(lab_function(lab), "negative") == 0,
                      .is_strided = strcmp(lab_function(lab), "scale_strided") == 0,
                      .n = number(lab, "n"),
                      .width = number(lab, "width"),
                      .height = number(lab, "height"),
                      .row = number(lab, "pitch") / sizeof(int32_t)};
    const char *id = NULL;

    (void)c;
    if (s.is_picture)
        s.n = s.width * s.height;
    if (strcmp(verdict, "wrong_answer") == 0)
        id = wrong_answer(&s);
    else if (strcmp(verdict, "finding") == 0)
        id = found(&s);
    else if (lab_finding(lab, "endless") != NULL)
        id = "endless_loop";
    else if (strcmp(verdict, "cuda_error") == 0)
        id = refused(&s);
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
