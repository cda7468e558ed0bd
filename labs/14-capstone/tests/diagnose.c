/*
 * Known mistakes, recognised by what they do: by the simulator's findings, or by a result that is
 * just what the mistake makes of these inputs. A mistake is named only where all that its text says
 * was seen; where that is true of none, none is. The ids are the manifest's `diagnoses`.
 */
#include <string.h>

#include "labs/14-capstone/tests/fast.h"

/* Larger tiles than a block of 1,024 threads has with 64 ints each are not looked for. */
enum { LEAST_TILE = 32, MOST_TILE = 1 << 16, MOST_LOOKED_AT = 1 << 17 };

/* Each element is the sum of those before it, without itself; there need be no tile. Of zeros both
 * forms begin alike. */
static bool is_exclusive(const struct call_arg *in, const struct call_arg *out) {
    const uint32_t *ints = in->data, *got = out->data;
    uint32_t before = 0;

    for (size_t i = 0; i < in->count; i++) {
        if (got[i] != before)
            return false;
        before += ints[i];
    }
    return in->count > 0 && ints[0] != 0;
}

/* The result of a scan whose tiles know the wrong sum before theirs. */
static const char *wrong_scan(const struct call_arg *in, const struct call_arg *out) {
    static const struct {
        const char *scan, *id;
    } words[] = {
        {"totals_not_added", "tiles_alone"},
        {"totals_inclusive", "own_total_added"},
        {"totals_not_scanned", "last_total_only"},
        {"dropped_partial_tile", "dropped_partial_tile"},
    };

    if (is_exclusive(in, out))
        return "exclusive_for_inclusive";
    if (in->count > MOST_LOOKED_AT)
        return NULL;
    for (size_t tile = LEAST_TILE; tile <= MOST_TILE && tile < in->count; tile *= 2) {
        const char *id = scan_known_in_tiles(in->data, in->count, tile, false, out->data);

        for (size_t i = 0; id != NULL && i < sizeof words / sizeof *words; i++)
            if (strcmp(id, words[i].scan) == 0)
                return words[i].id;
    }
    return NULL;
}

/* A sum without what lies behind the last whole group of 4, 8, 16 … ints: three groups at least. */
static const char *wrong_sum(const struct call_arg *in, int32_t got) {
    const int32_t *ints = in->data;
    uint32_t sum = 0;
    size_t first = 0;

    for (size_t group = MOST_TILE; group >= 4; group /= 2) {
        size_t end = in->count / group * group;

        for (; first < end; first++)
            sum += (uint32_t)ints[first];
        if (end >= 3 * group && end < in->count && (uint32_t)got == sum)
            return "rest_left_out";
    }
    return NULL;
}

static const char *wrong_answer(const struct lab *lab) {
    const struct call_arg *in = lab_argument(lab, "in"), *out = lab_argument(lab, "out");
    const struct call_arg *sum = lab_argument(lab, "sum");

    if (in == NULL || in->data == NULL)
        return NULL;
    if (out != NULL && out->data != NULL)
        return (lab_last(lab)->untouched >> (out - in) & 1) == 0 ? wrong_scan(in, out) : NULL;
    return sum != NULL && sum->data != NULL && in->count <= MOST_LOOKED_AT
               ? wrong_sum(in, *(const int32_t *)sum->data)
               : NULL;
}

/* Both sides are of one array; one reads, the other one writes. */
static bool reads_what_is_written(const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");

    return (here.reads && other.writes) || (here.writes && other.reads);
}

static const char *found(const struct lab *lab) {
    const json_t *finding;

    if ((finding = lab_finding(lab, "uninitialised")) != NULL)
        return lab_finding_is_at(finding, "scratch") ? "scratch_not_cleared"
               : lab_finding_is_at(finding, "sum")   ? "sum_not_cleared"
                                                     : NULL;
    if (lab_finding(lab, "out_of_bounds") != NULL || lab_finding(lab, "divergent_barrier") != NULL)
        return NULL;
    if ((finding = lab_finding(lab, "shared_race")) != NULL)
        return reads_what_is_written(finding) ? "no_barrier" : NULL;
    if ((finding = lab_finding(lab, "global_race")) != NULL)
        return !reads_what_is_written(finding) || lab_finding_side(finding, "here").block ==
                                                      lab_finding_side(finding, "other").block
                   ? NULL
               : lab_finding_is_at(finding, "scratch") ? "no_fence"
               : lab_finding_is_at(finding, "sum")     ? "sum_not_atomic"
                                                       : NULL;
    finding = lab_finding(lab, "deadlock");
    return finding != NULL && lab_finding_is_at(finding, "scratch") ? "nobody_tells" : NULL;
}

void scan_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const char *id = NULL;

    if (c == NULL || lab_function(lab) == NULL)
        return;
    if (strcmp(verdict, "wrong_answer") == 0)
        id = c->n > 0 && lab_launched_nothing(lab) ? "nothing_launched" : wrong_answer(lab);
    else if (strcmp(verdict, "finding") == 0)
        id = found(lab);
    else if (lab_finding(lab, "endless") != NULL)
        id = "endless_loop";
    else if (strcmp(verdict, "cuda_error") == 0)
        id = c->n == 0 && lab_grid_was_empty(lab, c->block) ? "empty_input_not_handled" : NULL;
    else if (strcmp(verdict, "damage") == 0 && lab_last(lab)->damage.kind == CALL_INPUT_CHANGED)
        id = "input_modified";
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
