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

    if (probe && probe->comparison == 0) {
        probe->n_drawn = drawn->array + 1;
        probe->n_arrays = probe->n_drawn < LAB_PROBE_ARRAYS ? probe->n_drawn : LAB_PROBE_ARRAYS;
        if (drawn->array < LAB_PROBE_ARRAYS)
            probe->arrays[drawn->array] = (struct lab_probe_array){.drawn = *drawn};
    }
    drawn->probe = probe;
}

int32_t lab_probe_added(const struct lab_probe *probe, unsigned array, size_t i) {
    uint64_t state = i;

    if (probe->array != array || i < probe->first || i >= probe->end)
        return 0;
    return probe->is_mixed ? probe->by * ((int32_t)(splitmix_next(&state) % 256) + 1) : probe->by;
}

void lab_probe_change(const struct lab_drawn *drawn, size_t first, size_t count, void *to) {
    const bool is_of_floats = lab_drawn_is_float(drawn);
    uint32_t *words = to;
    float *floats = to;

    for (size_t i = 0; i < count && first + i < LAB_PROBE_MOST; i++) {
        const int32_t change = lab_probe_added(drawn->probe, drawn->array, first + i);
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

void lab_probe_place(const struct lab *lab, unsigned array, const void *data) {
    struct lab_probe *probe = probe_of(lab);

    if (probe && array < probe->n_arrays)
        probe->arrays[array].data = data;
}

void lab_probe_name(const struct lab *lab, unsigned array, const char *name) {
    struct lab_probe *probe = probe_of(lab);

    if (probe && array < probe->n_arrays && probe->arrays[array].drawn.n <= LAB_PROBE_MOST)
        snprintf(probe->arrays[array].name, sizeof probe->arrays[array].name, "%s", name);
}

/* True for the input that was drawn as this array. */
static bool is_argument(const struct call_arg *arg, const struct lab_probe_array *array) {
    const struct lab_drawn *drawn = &array->drawn;

    if ((arg->kind != CALL_ARG_IN && arg->kind != CALL_ARG_HOST_IN) || arg->count != drawn->n ||
        arg->element_bytes != sizeof(int32_t))
        return false;
    if (arg->data)
        return arg->data == array->data;
    return arg->make == lab_drawn_make &&
           ((const struct lab_drawn *)arg->context)->array == drawn->array;
}

static void find_name(const struct lab *lab, struct lab_probe_array *array) {
    const size_t n = array->drawn.n;

    for (size_t i = 0; i < lab->n_args && n > 0 && n <= LAB_PROBE_MOST; i++)
        if (is_argument(&lab->args[i], array))
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
