/*
 * The slow half of the race check: two accesses that the shadow finds unordered. Here fences, syncs
 * of a part of a warp and equal values are looked at, and the rest is put into words.
 */
#include "common/simt/checks/race.h"
#include "common/simt/checks/works.h"

#include <stdio.h>
#include <string.h>

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

/* A fence after the other's access, a strong write after it, a strong read of mine, or of another
 * thread before the last barrier: the data was handed over. */
static bool is_handed_over(const struct simt_sm *sm, uint64_t mine, uint64_t other, uint64_t cta) {
    if (!sm->handovers)
        return false;
    uint64_t acquired = sm->handovers[simt_stamp_thread(mine)].acquired;
    if (acquired < sm->acquired_before)
        acquired = sm->acquired_before;
    uint64_t released = cta == sm->cta_index ? released_by_warp(sm, simt_stamp_thread(other))
                                             : sm->cta_released[cta];
    return other < released && other < acquired;
}

/* Syncs of a part of the warp order its lanes pair by pair. */
static bool is_synced(const struct simt_sm *sm, uint64_t mine, uint64_t other) {
    uint32_t me = simt_stamp_thread(mine), it = simt_stamp_thread(other);
    return sm->warp->met && me / SIMT_LANES == it / SIMT_LANES &&
           other < sm->warp->met[me % SIMT_LANES][it % SIMT_LANES];
}

/* A store that leaves the word as the other one made it. */
static bool writes_the_same(const struct simt_sm *sm, const struct simt_request *request,
                            const struct simt_region *region, uint32_t lane, uint64_t offset,
                            uint64_t mine, uint64_t other) {
    const struct simt_insn *insn = request->insn;
    if (request->touch != SIMT_WRITES)
        return false;
    uint32_t bytes = ptx_type_bytes(insn->type);
    unsigned element = (unsigned)((offset - request->offset[lane]) / bytes);
    uint64_t value = simt_stored_value(sm, insn, element, lane), old = 0;
    uint32_t same = SIMT_STAMP_INDEX & other;
    bool is_this_store = (other ^ mine) >> 31 == 0 && same == (mine & SIMT_STAMP_INDEX) &&
                         simt_stamp_thread(other ^ mine) < SIMT_LANES;
    if (is_this_store) /* another lane of it: its value is not in memory yet */
        old = simt_stored_value(sm, insn, element, simt_stamp_thread(other) % SIMT_LANES);
    else
        memcpy(&old, region->host + request->offset[lane] + element * bytes, bytes);
    return value == old;
}

/* A flag in shared memory: one side changes it atomically, or both say that they know of each
 * other. Of two volatile accesses nothing but lockstep would be the order. */
static bool is_flag(const struct simt_sm *sm, uint32_t mine, uint32_t other) {
    const struct simt_program *program = sm->program;
    return other < program->n_insns && program->insns[mine].is_strong &&
           program->insns[other].is_strong &&
           !(ptx_has(simt_source(sm, mine), "volatile") &&
             ptx_has(simt_source(sm, other), "volatile"));
}

const char *simt_verb(const struct simt_program *program, uint32_t index, bool writes) {
    const char *opcode = program->insns[index].source->opcode;
    if (strcmp(opcode, "atom") == 0 || strcmp(opcode, "red") == 0)
        return "atomically updates";
    return writes ? "writes" : "reads";
}

static void report(struct simt_sm *sm, const struct simt_request *request,
                   const struct simt_region *region, uint64_t offset, const struct simt_side *here,
                   const struct simt_side *other, bool same_cta) {
    bool is_shared = region->space == PTX_SHARED;
    struct simt_text place =
        simt_place_text(sm, region, offset, ptx_type_bytes(request->insn->type));
    struct simt_text mine = simt_thread_text(sm->grid, sm->block, here),
                     its = simt_thread_text(sm->grid, sm->block, other);
    its.text[0] = 't';
    char message[384];
    snprintf(message, sizeof message,
             "%.60s %s %.60s (%.30s) and %.60s %s it (%.30s), in no fixed order: %s.", mine.text,
             here->what, place.text, simt_line_text(sm, here->index).text, its.text, other->what,
             simt_line_text(sm, other->index).text,
             same_cta ? "no barrier lies between" : "blocks run in any order");
    simt_findings_add(sm, is_shared ? SIMT_FINDING_SHARED_RACE : SIMT_FINDING_GLOBAL_RACE, here,
                      other, place.text, message,
                      same_cta ? "Put a __syncthreads() that all threads reach between the two "
                                 "accesses (within a warp, __syncwarp())."
                               : "Let each block write its own elements, use atomics, or split the "
                                 "work into two launches.");
}

void simt_suspect(struct simt_sm *sm, const struct simt_request *request,
                  const struct simt_region *region, uint32_t lane, uint64_t offset, uint64_t mine,
                  uint64_t other, bool other_wrote) {
    bool is_shared = region->space == PTX_SHARED;
    uint64_t cta = sm->cta_index;
    if (other < sm->order.launch && other >= sm->order.foreign && !is_shared) {
        if (!(other_wrote && request->touch == SIMT_WRITES &&
              writes_the_same(sm, request, region, lane, offset, mine, other)))
            simt_suspect_work(sm, request, region, lane, offset, mine, other, other_wrote);
        return;
    }
    if (!is_shared && other < sm->order.start)
        cta = simt_turns_find(sm->turns, other, cta);
    bool same_cta = cta == sm->cta_index;
    if (same_cta && !is_shared && other < sm->order.start && other >= sm->order.born &&
        !simt_unordered_in_cta(&sm->order, other, mine))
        return;
    if (is_handed_over(sm, mine, other, cta) || (same_cta && is_synced(sm, mine, other)))
        return;
    if (other_wrote && request->touch == SIMT_WRITES && !(other & SIMT_STAMP_STRONG) &&
        writes_the_same(sm, request, region, lane, offset, mine, other))
        return;
    uint32_t index = request->insn->index, other_index = other & SIMT_STAMP_INDEX;
    if (is_shared && is_flag(sm, index, other_index))
        return;
    enum simt_finding_kind kind = is_shared ? SIMT_FINDING_SHARED_RACE : SIMT_FINDING_GLOBAL_RACE;
    if (simt_findings_again(sm->findings, kind, index, other_index))
        return;
    struct simt_side here = simt_side_here(
        sm, index, lane, simt_verb(sm->program, index, request->touch != SIMT_READS));
    struct simt_side there = {
        .index = other_index < sm->program->n_insns ? other_index : index,
        .cta = simt_cta_of(sm->grid, cta),
        .thread = simt_stamp_thread(other),
        .what = simt_verb(sm->program, other_index, other_wrote),
    };
    report(sm, request, region, offset, &here, &there, same_cta);
}
