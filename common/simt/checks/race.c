/*
 * The race check of shared memory: one step a word and lane.
 */
#include "common/simt/checks/race.h"

static inline void step_read(const struct simt_walk *walk, struct simt_cell *cell, uint64_t mine,
                             uint32_t lane, uint64_t offset) {
    const struct simt_order *order = &walk->order;
    uint64_t writer = cell->writer, reader = cell->reader;
    if (simt_unordered(order, writer, mine) && simt_clash(writer, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, writer, true);
    /* Two readers of different warps find a race with any later writer, so such a pair is kept. */
    if (simt_unordered(order, reader, mine) &&
        !(simt_same_warp(reader, mine, order->start) && simt_unordered(order, cell->rival, mine) &&
          !simt_same_warp(cell->rival, mine, order->start)))
        cell->rival = reader;
    cell->reader = mine;
}

static inline void step_write(const struct simt_walk *walk, struct simt_cell *cell, uint64_t mine,
                              uint32_t lane, uint64_t offset) {
    const struct simt_order *order = &walk->order;
    uint64_t writer = cell->writer, reader = cell->reader, rival = cell->rival;
    if (simt_unordered(order, writer, mine) && simt_clash(writer, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, writer, true);
    if (simt_unordered(order, reader, mine) && simt_clash(reader, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, reader, false);
    if (simt_unordered(order, rival, mine) && simt_clash(rival, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, rival, false);
    cell->writer = mine;
}

/* The words of one lane. */
static inline void step_lane(const struct simt_walk *walk, uint32_t lane, bool writes) {
    uint64_t offset = walk->request->offset[lane];
    uint32_t bytes = walk->request->bytes;
    uint64_t thread = walk->sm->warp->index * SIMT_LANES + lane;
    uint64_t mine = walk->stamp | thread << SIMT_STAMP_THREAD | simt_touched(offset, bytes);
    struct simt_cell *cell = &walk->region->cells[offset >> 2];
    for (uint32_t at = 0; at < bytes; at += 4, cell++) {
        if (writes)
            step_write(walk, cell, mine, lane, offset + at);
        else
            step_read(walk, cell, mine, lane, offset + at);
    }
}

SIMT_FOR_EACH_CPU
void simt_check_shared(const struct simt_walk *walk) {
    if (walk->request->touch == SIMT_READS) {
        for (uint32_t rest = walk->request->mask; rest; rest &= rest - 1)
            step_lane(walk, (uint32_t)__builtin_ctz(rest), false);
    } else {
        for (uint32_t rest = walk->request->mask; rest; rest &= rest - 1)
            step_lane(walk, (uint32_t)__builtin_ctz(rest), true);
    }
}
