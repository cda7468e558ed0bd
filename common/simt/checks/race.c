/*
 * The race check of shared memory: one step a word and lane. Stripes, the most common requests, are
 * looked at as a whole: where no lane is in conflict, the stamps move 32 at a time.
 */
#include "common/simt/checks/race.h"

/* One word that a lane reads or writes. */
static inline void step_read(const struct simt_walk *walk, uint64_t word, uint64_t mine,
                             uint32_t lane, uint64_t offset) {
    const struct simt_order *order = &walk->order;
    const struct simt_cells *cells = &walk->region->cells;
    uint64_t writer = cells->writers[word], reader = cells->readers[word];
    uint64_t rival = cells->rivals[word];
    if (simt_unordered(order, writer, mine) && simt_clash(writer, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, writer, true);
    /* Two readers of different warps find a race with any later writer, so such a pair is kept. */
    if (simt_unordered(order, reader, mine) &&
        !(simt_same_warp(reader, mine, order->start) && simt_unordered(order, rival, mine) &&
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
    if (simt_unordered(order, writer, mine) && simt_clash(writer, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, writer, true);
    if (simt_unordered(order, reader, mine) && simt_clash(reader, mine))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, reader, false);
    if (simt_unordered(order, rival, mine) && simt_clash(rival, mine))
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

/* Fewer lanes are looked at one by one. */
enum { ROW_LANES = 6 };

/* A stripe of words: lane i, if on, stamps word `first + i` with `mine` and i threads. */
struct row {
    const struct simt_walk *walk;
    uint64_t first, mine;
};

/* All ones where the stamp is not ordered before that of another thread, lane i's, which differs
 * in these bits; like simt_unordered_in_cta. */
SIMT_PART_OF_EACH uint64_t is_unordered(const struct simt_order *order, uint64_t stamp,
                                        uint64_t differs) {
    bool same_warp = (int64_t)differs < (int64_t)SIMT_LANES << SIMT_STAMP_THREAD;
    uint64_t from = same_warp ? order->warp : order->cta;
    return -(uint64_t)((differs != 0) & !((int64_t)stamp < (int64_t)from));
}

/* The bits of the thread in which a stamp differs from lane i's. */
SIMT_PART_OF_EACH uint64_t thread_bits(const struct row *row, uint64_t stamp, uint64_t i) {
    return (stamp ^ (row->mine + (i << SIMT_STAMP_THREAD))) & SIMT_STAMP_THREADS
                                                                  << SIMT_STAMP_THREAD;
}

SIMT_PART_OF_EACH uint64_t all_of(const struct row *row, uint64_t i) {
    return (uint64_t)(int64_t)(int32_t)row->walk->sm->x.lanes[i];
}

/* True where all stamps are older than the last barrier. */
SIMT_PART_OF_EACH bool all_past(const struct row *row, const uint64_t *stamps) {
    const int64_t cta = (int64_t)row->walk->order.cta;
    uint64_t found = 0;
    for (uint64_t i = 0; i < SIMT_LANES; i++)
        found |= ~-(uint64_t)((int64_t)stamps[row->first + i] < cta) & all_of(row, i);
    return found == 0;
}

/* True where no lane's access is in conflict with its word's stamp. */
SIMT_PART_OF_EACH bool all_ordered(const struct row *row, const uint64_t *stamps) {
    const struct simt_order order = row->walk->order;
    uint64_t found = 0;
    if (all_past(row, stamps))
        return true;
    for (uint64_t i = 0; i < SIMT_LANES; i++) {
        uint64_t stamp = stamps[row->first + i];
        found |= is_unordered(&order, stamp, thread_bits(row, stamp, i)) & all_of(row, i);
    }
    return found == 0;
}

SIMT_PART_OF_EACH void put_stamps(const struct row *row, uint64_t *stamps) {
    for (uint64_t i = 0; i < SIMT_LANES; i++) {
        uint64_t on = all_of(row, i), mine = row->mine + (i << SIMT_STAMP_THREAD);
        stamps[row->first + i] = (mine & on) | (stamps[row->first + i] & ~on);
    }
}

/* Keeps the readers that step_read would. */
SIMT_PART_OF_EACH void put_rivals(const struct row *row, const uint64_t *readers,
                                  uint64_t *rivals) {
    const struct simt_order order = row->walk->order;
    for (uint64_t i = 0; i < SIMT_LANES; i++) {
        uint64_t reader = readers[row->first + i], rival = rivals[row->first + i];
        uint64_t differs = thread_bits(row, reader, i), rival_differs = thread_bits(row, rival, i);
        const uint64_t warp = (uint64_t)SIMT_LANES << SIMT_STAMP_THREAD;
        uint64_t stays = is_unordered(&order, rival, rival_differs) &
                         -(uint64_t)((differs < warp) & (rival_differs >= warp));
        uint64_t gives = is_unordered(&order, reader, differs) & ~stays & all_of(row, i);
        rivals[row->first + i] = (reader & gives) | (rival & ~gives);
    }
}

/* Looks at a stripe as a whole. False where lanes have to be looked at one by one. */
SIMT_PART_OF_EACH bool check_row(const struct simt_walk *walk) {
    const struct simt_cells *cells = &walk->region->cells;
    uint64_t thread = walk->sm->warp->index * SIMT_LANES;
    const struct row row = {
        .walk = walk,
        .first = walk->request->offset[0] >> 2,
        .mine = walk->stamp | thread << SIMT_STAMP_THREAD | SIMT_STAMP_BYTES,
    };
    if (!all_ordered(&row, cells->writers))
        return false;
    if (walk->request->touch == SIMT_READS) {
        if (!all_ordered(&row, cells->readers))
            put_rivals(&row, cells->readers, cells->rivals);
        put_stamps(&row, cells->readers);
        return true;
    }
    if (!all_ordered(&row, cells->readers) || !all_ordered(&row, cells->rivals))
        return false;
    put_stamps(&row, cells->writers);
    return true;
}

/* All lanes read one word: what the first and the last two leave there is what all would, unless
 * the word was written since the last barrier. */
SIMT_PART_OF_EACH uint32_t telling_lanes(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    uint64_t writer = walk->region->cells.writers[request->low >> 2];
    uint32_t mask = request->mask, last = SIMT_FULL_MASK;
    if (request->low != request->high || request->bytes != 4 || writer >= walk->order.cta)
        return mask;
    for (unsigned n = 0; n < 2 && mask & last; n++)
        last &= ~(UINT32_C(1) << (31 - __builtin_clz(mask & last)));
    return (mask & -mask) | (mask & ~last);
}

SIMT_FOR_EACH_CPU
void simt_check_shared(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    if (request->is_stripe && request->bytes == 4 && walk->sm->x.n_lanes >= ROW_LANES &&
        check_row(walk))
        return;
    if (request->touch == SIMT_READS)
        step_lanes(walk, telling_lanes(walk), false);
    else
        step_lanes(walk, request->mask, true);
}
