/*
 * The shadow's side of the race check: one step a word and lane.
 */
#include "common/simt/checks/race.h"

/* What the lanes of a request have in common. */
struct walk {
    struct simt_sm *sm;
    const struct simt_request *request;
    const struct simt_region *region;
    struct simt_order order;
    uint64_t stamp; /* without thread and bytes */
};

static bool same_warp(uint64_t p, uint64_t q, uint64_t start) {
    return simt_stamp_thread(p ^ q) < SIMT_LANES && p >= start && q >= start;
}

/* A conflict: bytes in common, and not both strong. */
static bool clash(uint64_t p, uint64_t q) {
    uint64_t both = p & q;
    return (both & SIMT_STAMP_BYTES) && !(both & SIMT_STAMP_STRONG);
}

static inline void step_read(const struct walk *walk, struct simt_cell *cell, uint64_t mine,
                             uint32_t lane, uint64_t offset) {
    const struct simt_order *order = &walk->order;
    uint64_t writer = cell->writer, reader = cell->reader;
    if (simt_unordered(order, writer, mine) && clash(writer, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, writer, true);
    /* Two readers of different warps find a race with any later writer, so such a pair is kept. */
    if (simt_unordered(order, reader, mine) &&
        !(same_warp(reader, mine, order->start) && simt_unordered(order, cell->rival, mine) &&
          !same_warp(cell->rival, mine, order->start)))
        cell->rival = reader;
    cell->reader = mine;
}

static inline void step_write(const struct walk *walk, struct simt_cell *cell, uint64_t mine,
                              uint32_t lane, uint64_t offset) {
    const struct simt_order *order = &walk->order;
    uint64_t writer = cell->writer, reader = cell->reader, rival = cell->rival;
    if (simt_unordered(order, writer, mine) && clash(writer, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, writer, true);
    if (simt_unordered(order, reader, mine) && clash(reader, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, reader, false);
    if (simt_unordered(order, rival, mine) && clash(rival, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, rival, false);
    cell->writer = mine;
}

/* The words of one lane. */
static inline void step_lane(const struct walk *walk, uint32_t lane, bool writes) {
    uint64_t offset = walk->request->offset[lane];
    uint32_t bytes = walk->request->bytes;
    uint64_t touched = bytes >= 4 ? 15 : ((UINT64_C(1) << bytes) - 1) << (offset & 3);
    uint64_t thread = walk->sm->warp->index * SIMT_LANES + lane;
    uint64_t mine = walk->stamp | thread << SIMT_STAMP_THREAD | touched << SIMT_STAMP_BYTE;
    struct simt_cell *cell = &walk->region->cells[offset >> 2];
    for (uint32_t at = 0; at < bytes; at += 4, cell++) {
        if (writes)
            step_write(walk, cell, mine, lane, offset + at);
        else
            step_read(walk, cell, mine, lane, offset + at);
    }
}

/* Threads hand over data through strong accesses and fences: remember who released and who
 * acquired. */
static void note_handover(struct simt_sm *sm, const struct simt_request *request) {
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

SIMT_FOR_EACH_CPU
void simt_check_races(struct simt_sm *sm, const struct simt_request *request,
                      const struct simt_region *region) {
    const struct simt_insn *insn = request->insn;
    /* volatile orders nothing between threads; in shared memory it is the sign of code that
     * relies on lockstep, in global memory that of a flag. */
    bool is_strong =
        request->touch == SIMT_UPDATES || (insn->is_strong && region->space != PTX_SHARED);
    struct walk walk = {
        .sm = sm,
        .request = request,
        .region = region,
        .order = sm->order,
        .stamp = *sm->now | (is_strong ? SIMT_STAMP_STRONG : 0) |
                 (insn->index < SIMT_STAMP_INDEX ? insn->index : SIMT_STAMP_INDEX),
    };
    if (region->space == PTX_SHARED)
        walk.order.launch = walk.order.start = walk.order.born;
    if (sm->handovers && (is_strong || insn->is_strong))
        note_handover(sm, request);
    sm->touched = true;
    if (request->touch == SIMT_READS) {
        for (uint32_t rest = request->mask; rest; rest &= rest - 1)
            step_lane(&walk, (uint32_t)__builtin_ctz(rest), false);
    } else {
        for (uint32_t rest = request->mask; rest; rest &= rest - 1)
            step_lane(&walk, (uint32_t)__builtin_ctz(rest), true);
    }
}
