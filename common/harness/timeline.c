/*
 * The time line of a call, from the simulator's report of its works: what each comes after, and
 * what it did. The simulator has run them one after the other.
 */
#include <string.h>

#include "common/harness/context.h"

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t number(const json_t *holder, const char *name) {
    return lab_number(json_object_get(holder, name));
}

/* Which engine does a work, and for how long; false where none does. */
static bool weigh(const struct lab *lab, const json_t *work, enum lab_engine *engine,
                  uint64_t *ns) {
    const json_int_t launch = json_integer_value(json_object_get(work, "launch"));
    const uint64_t in = number(work, "to_device"), out = number(work, "from_device");

    *engine = launch >= 0 ? LAB_KERNELS : in >= out ? LAB_COPY_IN : LAB_COPY_OUT;
    if (launch >= 0)
        *ns = lab_counter(lab, (size_t)launch, "warp_instructions") / LAB_WARPS_A_NS;
    else
        *ns = later(in, out) / LAB_COPY_BYTES_A_NS;
    return launch >= 0 || in > 0 || out > 0;
}

/* When all is done that comes before a work. */
static uint64_t ready_ns(const json_t *work, const uint64_t *ends, size_t n) {
    const json_t *after;
    uint64_t ns = 0;
    size_t index;

    json_array_foreach(json_object_get(work, "after"), index, after) {
        const json_int_t at = json_integer_value(after);
        if (at >= 0 && (size_t)at < n)
            ns = later(ns, ends[at]);
    }
    return ns;
}

bool lab_timeline(const struct lab *lab, struct lab_timeline *timeline) {
    const json_t *works = json_object_get(lab_report(lab), "works"), *work;
    uint64_t ends[LAB_MOST_PIECES], free_ns[LAB_N_ENGINES] = {0}, seen = 0;
    size_t index;

    memset(timeline, 0, sizeof *timeline);
    timeline->n_dropped = number(lab_report(lab), "works_dropped");
    if (json_array_size(works) > LAB_MOST_PIECES)
        return false;
    json_array_foreach(works, index, work) {
        struct lab_piece piece = {.waits = number(work, "waits")};
        uint64_t ns, start = ready_ns(work, ends, index);

        ends[index] = start;
        if (!weigh(lab, work, &piece.engine, &ns))
            continue;
        piece.start_ns = later(start, free_ns[piece.engine]);
        piece.end_ns = piece.start_ns + ns;
        ends[index] = free_ns[piece.engine] = piece.end_ns;
        timeline->busy_ns[piece.engine] += ns;
        timeline->ns = later(timeline->ns, piece.end_ns);
        timeline->pieces[timeline->n_pieces++] = piece;
        seen |= UINT64_C(1) << number(work, "queue") % 64;
    }
    timeline->n_queues = (size_t)__builtin_popcountll(seen);
    return timeline->n_pieces > 0;
}

void lab_show_timeline(struct lab *lab, const struct lab_timeline *timeline) {
    static const char *const words[LAB_N_ENGINES] = {
        [LAB_COPY_IN] = "copy_in", [LAB_KERNELS] = "kernel", [LAB_COPY_OUT] = "copy_out"};

    json_array_clear(lab->timeline);
    for (size_t i = 0; i < timeline->n_pieces && timeline->n_pieces <= LAB_SHOWN_PIECES; i++) {
        const struct lab_piece *piece = &timeline->pieces[i];
        json_array_append_new(lab->timeline,
                              json_pack("{s:s, s:I, s:I}", "engine", words[piece->engine],
                                        "start_ns", (json_int_t)piece->start_ns, "end_ns",
                                        (json_int_t)piece->end_ns));
    }
}

uint64_t lab_overlap_percent(const struct lab_timeline *timeline) {
    uint64_t longest = 0;

    for (size_t i = 0; i < LAB_N_ENGINES; i++)
        longest = later(longest, timeline->busy_ns[i]);
    return timeline->ns ? 100 * longest / timeline->ns : 0;
}
