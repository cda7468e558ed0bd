/*
 * A case with inputs that are changed a little, and one element of its result.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/base/splitmix.h"
#include "common/harness/experiment/experiment.h"

static struct lab_probe *probe_of(const struct lab *lab) {
    return lab->settings->trial ? lab->settings->trial->probe : NULL;
}

void lab_probe_draw(const struct lab *lab, struct lab_drawn *drawn) {
    struct lab_probe *probe = probe_of(lab);

    if (probe && probe->comparison == 0 && drawn->array < LAB_PROBE_ARRAYS) {
        probe->arrays[drawn->array] = (struct lab_probe_array){.drawn = *drawn};
        probe->n_arrays = drawn->array + 1;
    }
    drawn->probe = probe;
}

/* What is added to an element. */
static int32_t change_of(const struct lab_drawn *drawn, size_t i) {
    const struct lab_probe *probe = drawn->probe;
    const bool has_name =
        drawn->array < LAB_PROBE_ARRAYS && probe->arrays[drawn->array].name[0] != '\0';

    if (probe->salt != 0 && has_name) {
        uint64_t state = probe->salt + drawn->array * (uint64_t)LAB_PROBE_MOST + i;
        return (int32_t)(splitmix_next(&state) % 256) + 1;
    }
    if (probe->array != drawn->array || i < probe->first || i - probe->first >= probe->n_changed)
        return 0;
    return 1 << (LAB_PROBE_BITS * (i - probe->first));
}

void lab_probe_change(const struct lab_drawn *drawn, size_t first, size_t count, void *to) {
    const bool is_of_floats = drawn->type == LAB_F32 || drawn->type == LAB_F32_WHOLE;
    uint32_t *words = to;
    float *floats = to;

    for (size_t i = 0; i < count && first + i < LAB_PROBE_MOST; i++) {
        const int32_t change = change_of(drawn, first + i);
        if (is_of_floats)
            floats[i] += (float)change;
        else
            words[i] += (uint32_t)change;
    }
}

/* An element as a whole number; false where it is none. */
static bool read_whole(const void *data, enum lab_elements type, size_t i, int64_t *whole) {
    double value;

    if (type == LAB_INTS || type == LAB_UNSIGNED) {
        *whole = (int64_t)((const uint32_t *)data)[i];
        return true;
    }
    value = type == LAB_FLOATS ? (double)((const float *)data)[i] : ((const double *)data)[i];
    if (!(fabs(value) < 0x1p53))
        return false;
    *whole = (int64_t)value;
    return (double)*whole == value;
}

static void look(struct lab_probe *probe, const struct lab_compared *compared, size_t index) {
    probe->wraps = compared->got_type == LAB_INTS || compared->got_type == LAB_UNSIGNED;
    probe->is_seen =
        read_whole(compared->got, compared->got_type, index, &probe->got) &&
        read_whole(compared->expected, compared->expected_type, index, &probe->expected);
}

void lab_probe_look(const struct lab *lab, const struct lab_compared *compared) {
    struct lab_probe *probe = probe_of(lab);

    if (probe && probe->comparison == lab->n_compared && probe->index < compared->count)
        look(probe, compared, probe->index);
}

/* True for the input that was drawn as this array. */
static bool is_argument(const struct call_arg *arg, const struct lab_drawn *drawn) {
    int32_t made[LAB_PROBE_MOST];

    if ((arg->kind != CALL_ARG_IN && arg->kind != CALL_ARG_HOST_IN) || arg->count != drawn->n ||
        arg->element_bytes != sizeof *made)
        return false;
    if (!arg->data)
        return arg->make == lab_drawn_make &&
               ((const struct lab_drawn *)arg->context)->array == drawn->array;
    lab_drawn_make(drawn, 0, drawn->n, made);
    return memcmp(made, arg->data, drawn->n * sizeof *made) == 0;
}

static void find_name(const struct lab *lab, struct lab_probe_array *array) {
    const size_t n = array->drawn.n;

    for (size_t i = 0; i < lab->n_args && n > 0 && n <= LAB_PROBE_MOST; i++)
        if (is_argument(&lab->args[i], &array->drawn))
            snprintf(array->name, sizeof array->name, "%s", lab->args[i].name);
}

void lab_probe_find(const struct lab *lab, const struct lab_compared *compared) {
    struct lab_probe *probe = probe_of(lab);

    if (!probe || probe->comparison != 0)
        return;
    probe->comparison = lab->n_compared;
    probe->index = compared->index;
    snprintf(probe->what, sizeof probe->what, "%s", compared->what);
    look(probe, compared, compared->index);
    for (unsigned i = 0; i < probe->n_arrays; i++)
        find_name(lab, &probe->arrays[i]);
}
