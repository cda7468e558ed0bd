/*
 * Known mistakes, recognised by what they do: by the simulator's findings, or by a result that is
 * just what the mistake makes of these inputs (labs/common/scan has those that any scan knows). A
 * mistake is named only where all that its text says was seen; where that is true of none, none is.
 * The ids are the manifest's `diagnoses`.
 */
#include <string.h>

#include "labs/10-warp-shuffle-scan/tests/parts.h"

/* Whole warps; one of them no power of two. */
const unsigned scan_small_blocks[SCAN_SMALL_BLOCKS] = {32, 64, 96, 128};

enum { LANES = 32 };

/* The failing call. */
struct scene {
    const struct lab *lab;
    const int32_t *in, *out;
    size_t n;
    unsigned block;
    const struct parts *parts; /* NULL: one of the scans of all */
    size_t out_index;          /* of the argument */
};

/* What the warp that begins at `in` holds after five steps in which each lane adds what the lane d
 * further up or down has. At the edge it adds its own value once more, or nothing. */
static void make_steps(const int32_t *in, size_t n, bool is_up, bool adds_own,
                       uint32_t held[LANES]) {
    uint32_t next[LANES];

    for (size_t lane = 0; lane < LANES; lane++)
        held[lane] = lane < n ? (uint32_t)in[lane] : 0;
    for (size_t d = 1; d < LANES; d *= 2) {
        for (size_t lane = 0; lane < LANES; lane++) {
            bool is_there = is_up ? lane >= d : lane + d < LANES;
            size_t from = is_up ? lane - d : lane + d;

            next[lane] = held[lane] + (is_there ? held[from] : adds_own ? held[lane] : 0);
        }
        memcpy(held, next, sizeof next);
    }
}

/* True where all warps hold what such steps leave. */
static bool are_steps(const struct scene *s, bool is_up, bool adds_own) {
    for (size_t first = 0; first < s->n; first += LANES) {
        size_t n = s->n - first < LANES ? s->n - first : LANES;
        uint32_t held[LANES];

        make_steps(s->in + first, n, is_up, adds_own, held);
        for (size_t lane = 0; lane < n; lane++)
            if ((uint32_t)s->out[first + lane] != held[lane])
                return false;
    }
    return true;
}

/* The mistake that makes just this of each part, by the list of scans in tiles of 32; NULL where
 * the parts differ in it, or none does. A part that is right has none. */
static const char *in_each_part(const struct scene *s, size_t size) {
    const char *id = NULL;

    for (size_t first = 0; first < s->n; first += size) {
        size_t n = s->n - first < size ? s->n - first : size;
        const char *of_part;
        uint32_t sum = 0;
        size_t i = 0;

        while (i < n && (uint32_t)s->out[first + i] == sum + (uint32_t)s->in[first + i])
            sum += (uint32_t)s->in[first + i++];
        if (i == n)
            continue;
        of_part = scan_known_in_tiles(s->in + first, n, LANES, false, s->out + first);
        if (of_part == NULL || (id != NULL && strcmp(id, of_part) != 0))
            return NULL;
        id = of_part;
    }
    return id;
}

static const char *wrong_parts(const struct scene *s) {
    static const struct {
        const char *scan, *id;
    } words[] = {
        {"totals_not_added", "warps_alone"},
        {"totals_inclusive", "own_total_added"},
        {"totals_not_scanned", "last_total_only"},
    };
    const char *id;

    if (!s->parts->is_block && s->n > 1) {
        if (are_steps(s, true, true))
            return "own_value_added";
        if (are_steps(s, false, false) || are_steps(s, false, true))
            return "wrong_direction";
    }
    id = in_each_part(s, parts_size(s->parts, s->block));
    if (id == NULL || strcmp(id, "exclusive_for_inclusive") == 0)
        return id;
    for (size_t i = 0; s->parts->is_block && i < sizeof words / sizeof *words; i++)
        if (strcmp(id, words[i].scan) == 0)
            return words[i].id;
    return NULL;
}

/* Of the lists' mistakes those that this lab's three phases, which are given, leave possible. */
static const char *wrong_scan(const struct scene *s) {
    static const char *const possible[] = {"inclusive_for_exclusive", "exclusive_for_inclusive",
                                           "exclusive_totals"};
    const char *id = scan_known_result(s->lab, s->in, s->n, s->block, s->out);

    for (size_t i = 0; id != NULL && i < sizeof possible / sizeof *possible; i++)
        if (strcmp(id, possible[i]) == 0)
            return possible[i];
    return NULL;
}

static const char *wrong_answer(const struct scene *s) {
    if (s->n > 0 && lab_launched_nothing(s->lab))
        return "nothing_launched";
    if ((lab_last(s->lab)->untouched >> s->out_index & 1) != 0)
        return lab_report(s->lab) != NULL && lab_counter_total(s->lab, "atomics") == 0 &&
                       lab_counter_total(s->lab, "global_stores") == 0
                   ? "kernel_not_written"
                   : NULL;
    if (s->in == NULL || s->out == NULL)
        return NULL; /* gigabytes that lie nowhere */
    return s->parts != NULL ? wrong_parts(s) : wrong_scan(s);
}

/* A read behind the input, or a store behind the output, of a place in the last block's part. */
static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    int64_t index = lab_finding_index(finding);
    struct lab_launch launch;

    if (lab_n_launches(s->lab) == 0)
        return NULL;
    launch = lab_launch(s->lab, lab_n_launches(s->lab) - 1);
    if (here.block + 1 == (int64_t)launch.n_blocks && index >= (int64_t)s->n) {
        if (lab_finding_is_at(finding, "in") && here.reads)
            return "reads_past_the_end";
        if (lab_finding_is_at(finding, "out") && here.writes)
            return "writes_past_the_end";
    }
    if (lab_finding_is_at(finding, "in") || lab_finding_is_at(finding, "out") ||
        lab_finding_is_at(finding, "scratch"))
        return NULL;
    /* Words of shared memory, fewer than the block has warps. */
    return here.writes && index >= 0 && index < LANES &&
                   launch.shared_bytes / sizeof(int32_t) < launch.n_threads / LANES
               ? "too_few_words"
               : NULL;
}

/* The totals go from all warps to the first one, and back: word w of shared memory is stored by
 * the last lane of warp w, then by lane w of warp 0. A block of one warp shows no barrier that
 * others have. */
static const char *shared_race(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");
    const struct lab_side *reader = here.reads ? &here : &other;
    const struct lab_side *writer = here.reads ? &other : &here;
    int64_t word = lab_finding_index(finding);

    if (s->block <= LANES || word < 0 || word >= LANES)
        return NULL;
    if (lab_counter_total(s->lab, "barriers") == 0)
        return "no_barrier";
    if (!reader->reads || !writer->writes)
        return NULL;
    if (writer->thread == word * LANES + LANES - 1 && reader->thread < LANES)
        return "no_barrier_before_totals";
    return writer->thread == word && reader->line > writer->line ? "no_barrier_behind_totals"
                                                                 : NULL;
}

/* A word of a warp that the block does not have; or totals that nobody stored. */
static const char *uninitialised(const struct scene *s, const json_t *finding) {
    int64_t index = lab_finding_index(finding);
    uint64_t n_warps = lab_launch(s->lab, 0).n_threads / LANES;

    if (lab_finding_is_at(finding, "scratch"))
        return s->parts == NULL ? "total_not_stored" : NULL;
    if (lab_finding_is_at(finding, "out") || lab_finding_is_at(finding, "in"))
        return NULL;
    return index >= (int64_t)n_warps && n_warps > 0 && n_warps < LANES ? "absent_warps" : NULL;
}

/* True when this side of the finding waits at the block's barrier. */
static bool is_at_barrier(const json_t *finding, const char *side) {
    return strstr(lab_finding_what(finding, side), "barrier") != NULL;
}

/* A shuffle that waits for lanes which don't come: they have left, or wait elsewhere. */
static const char *absent_lanes(const struct scene *s) {
    const json_t *finding = lab_finding(s->lab, "deadlock");

    if (lab_launch(s->lab, 0).n_threads % LANES != 0)
        return NULL;
    if (finding != NULL)
        return !is_at_barrier(finding, "here")   ? "lanes_missing"
               : is_at_barrier(finding, "other") ? "barrier_in_branch"
                                                 : NULL;
    if ((finding = lab_finding(s->lab, "invalid_sync")) != NULL)
        return lab_finding_side(finding, "other").leaves ? "lanes_missing" : NULL;
    return lab_finding(s->lab, "shuffle_inactive") != NULL ? "lanes_missing" : NULL;
}

/* A finding of the failing call, in the order in which the result names them. */
static const char *found(const struct scene *s) {
    const json_t *finding;

    if ((finding = lab_finding(s->lab, "out_of_bounds")) != NULL)
        return out_of_bounds(s, finding);
    if (lab_finding(s->lab, "divergent_barrier") != NULL)
        return NULL; /* the manifest knows */
    if ((finding = lab_finding(s->lab, "shared_race")) != NULL)
        return shared_race(s, finding);
    if (lab_finding(s->lab, "global_race") != NULL)
        return NULL;
    finding = lab_finding(s->lab, "uninitialised");
    if (finding != NULL && lab_finding(s->lab, "deadlock") == NULL)
        return uninitialised(s, finding);
    return absent_lanes(s);
}

static const struct parts *parts_of(const char *function) {
    return strcmp(function, of_warps.function) == 0    ? &of_warps
           : strcmp(function, of_blocks.function) == 0 ? &of_blocks
                                                       : NULL;
}

void scan_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const struct call_arg *in = lab_argument(lab, "in"), *out = lab_argument(lab, "out");
    const struct call_arg *block = lab_argument(lab, "block");
    const char *id = NULL;
    struct scene s;

    (void)c;
    if (in == NULL || out == NULL || block == NULL || lab_function(lab) == NULL)
        return;
    s = (struct scene){.lab = lab,
                       .in = in->data,
                       .out = out->data,
                       .n = in->count,
                       .block = (unsigned)block->value.u64,
                       .parts = parts_of(lab_function(lab)),
                       .out_index = (size_t)(out - in)};
    if (strcmp(verdict, "wrong_answer") == 0)
        id = wrong_answer(&s);
    else if (strcmp(verdict, "finding") == 0)
        id = found(&s);
    else if (lab_finding(lab, "endless") != NULL)
        id = "endless_loop";
    else if (strcmp(verdict, "cuda_error") == 0)
        id = s.n == 0 && lab_grid_was_empty(lab, s.block) ? "empty_input_not_handled" : NULL;
    else if (strcmp(verdict, "damage") == 0 && lab_last(lab)->damage.kind == CALL_INPUT_CHANGED)
        id = "input_modified";
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
