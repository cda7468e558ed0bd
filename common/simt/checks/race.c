/*
 * The race check of shared memory: one step a word and lane. row.c does the same for many requests.
 */
#include "common/simt/checks/race.h"

/* Whether an access to shared memory is not ordered before that of a lane; as simt_unordered, but
 * what is there was done by this cta, or by one that has ended. */
static inline bool is_unordered(const struct simt_order *order, uint64_t other, uint64_t mine) {
    return other >= order->cta && simt_unordered_in_cta(order, other, mine);
}

/* One word that a lane reads or writes. */
static inline void step_read(const struct simt_walk *walk, uint64_t word, uint64_t mine,
                             uint32_t lane, uint64_t offset) {
    const struct simt_order *order = &walk->order;
    const struct simt_cells *cells = &walk->region->cells;
    uint64_t writer = cells->writers[word], reader = cells->readers[word];
    uint64_t rival = cells->rivals[word];
    if (is_unordered(order, writer, mine) && simt_clash(writer, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, writer, true);
    /* Two readers of different warps find a race with any later writer, so such a pair is kept. */
    if (is_unordered(order, reader, mine) &&
        !(simt_same_warp(reader, mine, order->start) && is_unordered(order, rival, mine) &&
          !simt_same_warp(rival, mine, order->start)))
        cells->rivals[word] = reader;
    cells->readers[word] = mine;
}

static inline void step_write(const struct simt_walk *walk, uint64_t word, uint64_t mine,
                              uint32_t lane, uint64_t offset) {
    const struct simt_order *order = &walk->order;
    const struct simt_cells *cells = &walk->region->cells;
    uint64_t writer = cells->writers[word], reader = cells->readers[word];
    uint64_t rival = cells->rivals[word];
    if (is_unordered(order, writer, mine) && simt_clash(writer, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, writer, true);
    if (is_unordered(order, reader, mine) && simt_clash(reader, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, reader, false);
    if (is_unordered(order, rival, mine) && simt_clash(rival, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, rival, false);
    cells->writers[word] = mine;
}

/* The lane's stamp. */
static inline uint64_t stamp_of(const struct simt_walk *walk, uint32_t lane) {
    uint64_t thread = walk->sm->warp->index * SIMT_LANES + lane;
    return walk->stamp | thread << SIMT_STAMP_THREAD |
           simt_touched(walk->request->offset[lane], walk->request->bytes);
}

/* The words of one lane. */
static inline void step_lane(const struct simt_walk *walk, uint32_t lane, bool writes) {
    uint64_t offset = walk->request->offset[lane], mine = stamp_of(walk, lane);
    for (uint32_t at = 0; at < walk->request->bytes; at += 4) {
        uint64_t word = (offset + at) >> 2;
        if (writes)
            step_write(walk, word, mine, lane, offset + at);
        else
            step_read(walk, word, mine, lane, offset + at);
    }
}

static inline void step_lanes(const struct simt_walk *walk, uint32_t lanes, bool writes) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        step_lane(walk, (uint32_t)__builtin_ctz(rest), writes);
}

/* All lanes read one word: what the first and the last two leave there is what all would, unless
 * the word was written since the last barrier. */
static uint32_t telling_lanes(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    uint64_t writer = walk->region->cells.writers[request->low >> 2];
    uint32_t mask = request->mask, last = SIMT_FULL_MASK;
    if (request->low != request->high || request->bytes != 4 || writer >= walk->order.cta)
        return mask;
    for (unsigned n = 0; n < 2 && mask & last; n++)
        last &= ~(UINT32_C(1) << (31 - __builtin_clz(mask & last)));
    return (mask & -mask) | (mask & ~last);
}

void simt_check_shared(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    if (request->touch == SIMT_READS)
        step_lanes(walk, telling_lanes(walk), false);
    else
        step_lanes(walk, request->mask, true);
}
