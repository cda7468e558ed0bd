/*
 * Data handed from thread to thread, with a fence and without.
 */
#include "common/simt/checks/handover.h"

void simt_handover_note(struct simt_sm *sm, const struct simt_request *request) {
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        struct simt_handover *handover = &sm->handovers[sm->warp->index * SIMT_LANES + lane];
        if (request->touch != SIMT_WRITES)
            handover->acquired = sm->acquired = *sm->now;
        uint64_t fenced = handover->fenced > sm->published ? handover->fenced : sm->published;
        if (request->touch == SIMT_READS || !fenced)
            continue;
        handover->released = fenced;
        if (sm->cta_released[sm->cta_index] < fenced)
            sm->cta_released[sm->cta_index] = fenced;
    }
}

void simt_handover_see(const struct simt_walk *walk) {
    struct simt_sm *sm = walk->sm;
    const struct simt_request *request = walk->request;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), thread = sm->warp->index * SIMT_LANES + lane;
        uint32_t slot = walk->region->words[request->offset[lane] >> 2].writer;
        uint64_t writer = simt_slot_stamp(sm->contexts, slot);
        if ((slot & SIMT_SLOT_RIVAL) || !(writer & SIMT_STAMP_STRONG) ||
            writer - sm->order.launch >= sm->order.span)
            continue;
        struct simt_sight sight = {.writer = writer, .reader = request->insn->index};
        if (request->touch == SIMT_UPDATES)
            sm->sights[thread].atomic = sm->seen.atomic = sight;
        else
            sm->sights[thread].load = sm->seen.load = sight;
    }
}

/* The last fence in the warp of a thread of this cta that a strong write followed: what one lane
 * releases after a sync is of all lanes. */
static uint64_t released_by_warp(const struct simt_sm *sm, uint32_t thread) {
    const struct simt_handover *lanes = &sm->handovers[thread / SIMT_LANES * SIMT_LANES];
    uint64_t released = 0;
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        if (lanes[i].released > released)
            released = lanes[i].released;
    return released;
}

bool simt_is_handed_over(const struct simt_sm *sm, uint64_t mine, uint64_t other, uint64_t cta) {
    if (!sm->cta_released)
        return false;
    uint64_t acquired = sm->handovers[simt_stamp_thread(mine)].acquired;
    if (acquired < sm->acquired_before)
        acquired = sm->acquired_before;
    uint64_t released = cta == sm->cta_index ? released_by_warp(sm, simt_stamp_thread(other))
                                             : sm->cta_released[cta];
    return other < released && other < acquired;
}

uint64_t simt_cta_at(const struct simt_sm *sm, uint64_t stamp) {
    return stamp < sm->order.start ? simt_turns_find(sm->turns, stamp, sm->cta_index)
                                   : sm->cta_index;
}

/* Of two accesses of one cta: between two ticks, where their stamps are the same time, the later
 * one is taken to be the one that the program has later. */
static bool is_later(uint64_t p, uint64_t q) {
    uint64_t at = p / SIMT_STAMP_TICK, then = q / SIMT_STAMP_TICK;
    return at > then || (at == then && (p & SIMT_STAMP_INDEX) > (q & SIMT_STAMP_INDEX));
}

bool simt_is_same_line(const struct simt_sm *sm, uint64_t index, uint64_t other) {
    if (index == other)
        return true;
    if (index >= sm->program->n_insns || other >= sm->program->n_insns)
        return false;
    const struct ptx_insn *p = simt_source(sm, (uint32_t)index);
    const struct ptx_insn *q = simt_source(sm, (uint32_t)other);
    return p->line && p->line == q->line && p->file == q->file;
}

uint64_t simt_told_by(const struct simt_sm *sm, uint64_t mine, uint64_t other, uint64_t cta) {
    if (!sm->sights)
        return 0;
    const struct simt_sights *own = &sm->sights[simt_stamp_thread(mine)], *all = &sm->seen_before;
    const struct simt_sight *sights[] = {&own->load, &own->atomic, &all->load, &all->atomic};
    for (unsigned i = 0; i < sizeof sights / sizeof sights[0]; i++) {
        uint64_t writer = sights[i]->writer;
        if (writer && is_later(writer, other) && simt_cta_at(sm, writer) == cta &&
            !simt_is_same_line(sm, sights[i]->reader, mine & SIMT_STAMP_INDEX))
            return writer;
    }
    return 0;
}
