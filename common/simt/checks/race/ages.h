/*
 * How old the accesses are that slots of global memory tell of, by the slots alone: contexts get
 * their numbers in the order of time, so a slot is of this launch, of this cta's turn, since its
 * last barrier or since the warp's last sync where it is no less than the first slot that can be.
 * With that, what the commonest accesses do to their words' shadow is found for eight words at a
 * time. All else is left to the verdict (verdict.h).
 */
#pragma once

#include "common/simt/access/region/region.h"
#include "common/simt/checks/checker.h"

/* The first slots since the points in time of the slot's order; NULL where slots don't tell. To be
 * called behind simt_batch_start, which may give contexts new numbers. */
const struct simt_ages *simt_ages_find(struct simt_sm *sm);
static inline const struct simt_ages *simt_ages(struct simt_sm *sm) {
    const struct simt_ages *ages = &sm->checker->ages;
    const struct simt_order *of = &ages->order, *now = &sm->order;
    if ((of->warp ^ now->warp) | (of->cta ^ now->cta) | (of->start ^ now->start) |
        (of->launch ^ now->launch) | (ages->generation ^ sm->space->contexts.generation))
        return simt_ages_find(sm);
    return ages->are_known ? ages : NULL;
}

/* All ones for each of eight slots that is of a point in time or later. */
#define SIMT_SINCE(slots, point) ((simt_eight)((slots) >= (point)))

/* All ones where an access of a thread in `own` is not ordered behind that of a slot. */
SIMT_PART_OF_EACH void simt_find_open(const struct simt_ages *ages, const simt_eight *slots,
                                      const simt_eight *far, const simt_eight *self,
                                      const simt_eight *here, simt_eight *open) {
    *open = (SIMT_SINCE(*slots, ages->launch) & ~*here) | (SIMT_SINCE(*slots, ages->cta) & *far) |
            (SIMT_SINCE(*slots, ages->warp) & ~*self);
}

/* The same for the words of a block that are `on`. `left` gets bits where it is not quick, and
 * where nothing has happened. `written` are flags of the bytes that a write writes. */
SIMT_PART_OF_EACH void simt_quick_block(const struct simt_ages *ages, struct simt_block *block,
                                        const simt_eight *on, const simt_eight *own, bool writes,
                                        bool is_strong, uint32_t written, simt_eight *left) {
    const simt_eight all_written = SIMT_SLOT_WRITTEN - (simt_eight){0};
    simt_eight w, r, w_open, r_open, fails, writer, reader;
    memcpy(&w, block->writers, sizeof w);
    memcpy(&r, block->readers, sizeof r);
    const simt_eight w_threads = (w ^ *own) & SIMT_SLOT_THREADS,
                     r_threads = (r ^ *own) & SIMT_SLOT_THREADS;
    const simt_eight w_far = (simt_eight)((simt_signed)w_threads >
                                          (SIMT_LANES << SIMT_SLOT_THREAD) - 1),
                     r_far = (simt_eight)((simt_signed)r_threads >
                                          (SIMT_LANES << SIMT_SLOT_THREAD) - 1);
    const simt_eight w_self = (simt_eight)(w_threads == 0), r_self = (simt_eight)(r_threads == 0);
    const simt_eight w_here = SIMT_SINCE(w, ages->start), r_here = SIMT_SINCE(r, ages->start),
                     w_launch = SIMT_SINCE(w, ages->launch), r_launch = SIMT_SINCE(r, ages->launch);
    simt_find_open(ages, &w, &w_far, &w_self, &w_here, &w_open);
    simt_find_open(ages, &r, &r_far, &r_self, &r_here, &r_open);
    if (writes) {
        fails = w_open | r_open | (r_launch & (simt_eight)((r & SIMT_SLOT_RIVAL) != 0));
        if (is_strong)
            fails |= w_launch;
        fails &= *on;
        writer = *own | (w & SIMT_SLOT_WRITTEN) | (written & SIMT_SLOT_WRITTEN);
        reader = (r & ~SIMT_SLOT_RIVAL) | written >> 2;
    } else {
        const simt_eight rival = (simt_eight)((w & SIMT_SLOT_RIVAL) != 0);
        fails = w_launch & (w_open | r_open) & ~rival & *on;
        const simt_eight stays = w_open & rival & (~w_here | w_far) & r_here & (~r_far | ~w_here);
        const simt_eight moves = r_open & ~stays;
        writer =
            (((r & ~all_written) | SIMT_SLOT_RIVAL | (w & all_written)) & moves) | (w & ~moves);
        reader = (r & (all_written | (r_launch & SIMT_SLOT_RIVAL))) | *own;
    }
    const simt_eight takes = *on & ~fails;
    writer = (writer & takes) | (w & ~takes);
    reader = (reader & takes) | (r & ~takes);
    *left |= fails;
    memcpy(block->writers, &writer, sizeof writer);
    memcpy(block->readers, &reader, sizeof reader);
}
