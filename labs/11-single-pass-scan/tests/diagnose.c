/*
 * Known mistakes, recognised by what they do: by the simulator's findings, or by a result that is
 * just what the mistake makes of these inputs. A mistake is named only where all that its text says
 * was seen; where that is true of none, none is. The ids are the manifest's `diagnoses`.
 */
#include <string.h>

#include "labs/11-single-pass-scan/tests/single.h"

/* The result of a scan whose blocks know the wrong sum before theirs. */
static const char *wrong_scan(const struct lab *lab) {
    static const struct {
        const char *scan, *id;
    } words[] = {
        {"totals_not_added", "tiles_alone"},
        {"totals_inclusive", "own_total_added"},
        {"totals_not_scanned", "last_total_only"},
        {"dropped_partial_tile", "dropped_partial_tile"},
        {"exclusive_for_inclusive", "exclusive_for_inclusive"},
    };
    const struct call_arg *in = lab_argument(lab, "in"), *out = lab_argument(lab, "out");
    const struct call_arg *block = lab_argument(lab, "block");
    const char *id;
    size_t tile;

    if (in == NULL || out == NULL || block == NULL || in->data == NULL || out->data == NULL)
        return NULL;
    tile = strcmp(lab_function(lab), of_ints.function) == 0 ? 1 : block->value.u64 * ITEMS;
    if ((lab_last(lab)->untouched >> (out - in) & 1) != 0)
        return NULL;
    id = scan_known_in_tiles(in->data, in->count, tile, false, out->data);
    for (size_t i = 0; id != NULL && i < sizeof words / sizeof *words; i++)
        if (strcmp(id, words[i].scan) == 0)
            return words[i].id;
    return NULL;
}

static bool is_at_state(const json_t *finding) {
    return lab_finding_is_at(finding, "state") || lab_finding_is_at(finding, "ticket") ||
           lab_finding_is_at(finding, "words");
}

/* What one block writes and another one reads: the ticket, which comes first, or a word. */
static const char *global_race(const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");

    if (!is_at_state(finding) || here.block == other.block ||
        !((here.reads && other.writes) || (here.writes && other.reads)))
        return NULL;
    return lab_finding_index(finding) == 0 ? "ticket_not_atomic" : "no_fence";
}

static const char *shared_race(const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");

    return (here.reads && other.writes) || (here.writes && other.reads) ? "no_barrier" : NULL;
}

static const char *found(const struct lab *lab) {
    const json_t *finding;

    if ((finding = lab_finding(lab, "uninitialised")) != NULL && is_at_state(finding))
        return "state_not_cleared";
    if (lab_finding(lab, "out_of_bounds") != NULL || lab_finding(lab, "divergent_barrier") != NULL)
        return NULL;
    if ((finding = lab_finding(lab, "shared_race")) != NULL)
        return shared_race(finding);
    if ((finding = lab_finding(lab, "global_race")) != NULL)
        return global_race(finding);
    finding = lab_finding(lab, "deadlock");
    return finding != NULL && is_at_state(finding) ? "nobody_tells" : NULL;
}

void scan_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const char *id = NULL;

    if (c == NULL || lab_function(lab) == NULL)
        return;
    if (strcmp(verdict, "wrong_answer") == 0)
        id = c->n > 0 && lab_launched_nothing(lab) ? "nothing_launched" : wrong_scan(lab);
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
