/*
 * What a launch did: counts per instruction, per source line and in total, and the events of chosen
 * ctas.
 */
#pragma once

#include "common/simt/state/sm.h"

struct simt_trace {
    uint64_t first, n_ctas; /* the ctas that are traced */
    struct simt_event *events;
    size_t n, room, n_dropped;
    bool keeps_shared; /* of the first ctas, whether traced or not */
    struct simt_picture *pictures;
    size_t n_pictures, pictures_room;
};

/* The running warp is to issue `n` instructions from `pc` on for these lanes. */
void simt_trace_note(struct simt_sm *sm, uint32_t pc, uint32_t n, uint32_t mask);

/* Keeps what the cta's shared memory holds now, where that is asked for: the barrier at `pc` opens,
 * or, where that is UINT32_MAX, the cta has come to its end. */
void simt_picture_take(struct simt_sm *sm, uint32_t pc);

/* Counts a special instruction of `lanes`. */
static inline void simt_count(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    struct simt_step *step = &sm->steps[insn->index];
    step->warps++;
    step->threads += lanes == sm->x.mask ? sm->x.n_lanes : simt_popcount(lanes);
}

/* Adds the counts of another slot that has its own. */
void simt_counts_add(struct simt_sm *sum, const struct simt_sm *other);

/* The counters of all instructions, per line and in total. */
enum simt_status simt_collect(const struct simt_sm *sm, struct simt_launch_report *report);
