/*
 * The race check of shared memory: one step a word and lane. For its most common requests, as a
 * whole: lane i, if it is on, reads or writes the i-th word of a row, or all read one word. Where
 * no lane needs a closer look the stamps move 32 at a time; what is left in the shadow is what
 * single steps would leave there.
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
    if (writer >= order->cta && simt_keeps_store(writer, reader, mine))
        cells->readers[word] = writer;
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

/* Lane i of the row, if on, stamps the word with `mine` and i threads. */
struct row {
    uint64_t warp, cta; /* see simt_order */
    const uint32_t *lanes;
    uint64_t first, mine; /* the first word; the stamp of the first lane */
    uint32_t n;
};

SIMT_PART_OF_EACH uint64_t all_of(const struct row *row, uint64_t i) {
    return (uint64_t)(int64_t)(int32_t)row->lanes[i];
}

/* The bits of the thread in which a stamp differs from lane i's. */
SIMT_PART_OF_EACH uint64_t thread_bits(const struct row *row, uint64_t stamp, uint64_t i) {
    return (stamp ^ (row->mine + (i << SIMT_STAMP_THREAD))) & SIMT_STAMP_THREADS
                                                                  << SIMT_STAMP_THREAD;
}

/* So many lanes are quicker one by one. */
enum { FEW = 4 };

SIMT_PART_OF_EACH bool all_written(const struct row *row, const uint32_t *flags) {
    uint32_t missing = 0;
    for (unsigned i = 0; i < row->n; i++)
        missing |= simt_is_written(flags[row->first + i]) ? 0 : row->lanes[i];
    return !missing;
}

SIMT_PART_OF_EACH void set_written(const struct row *row, uint32_t *flags) {
    for (unsigned i = 0; i < row->n; i++) {
        uint32_t *word = &flags[row->first + i];
        *word = row->lanes[i] ? SIMT_WORD_WRITTEN : *word;
    }
}

/* The stamp is of lane i itself, or older than the last barrier. */
SIMT_PART_OF_EACH bool is_quiet(const struct row *row, uint64_t stamp, uint64_t i) {
    return ((int64_t)stamp < (int64_t)row->cta) | (thread_bits(row, stamp, i) == 0);
}

/* All that lane i finds in its word is quiet. */
SIMT_PART_OF_EACH bool finds_quiet(const struct row *row, const struct simt_cells *cells,
                                   uint64_t i, bool writes) {
    uint64_t at = row->first + i;
    bool quiet = is_quiet(row, cells->writers[at], i) & is_quiet(row, cells->readers[at], i);
    return writes ? quiet & is_quiet(row, cells->rivals[at], i) : quiet;
}

/* The common case: so do all lanes. */
SIMT_PART_OF_EACH bool all_quiet(const struct row *row, const struct simt_cells *cells,
                                 bool writes) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < row->n; i++)
        found |= ~-(uint64_t)finds_quiet(row, cells, i, writes) & all_of(row, i);
    return found == 0;
}

/* The common case of a few lanes, one by one. False, and nothing has happened, where it is none. */
SIMT_PART_OF_EACH bool pass_few(const struct row *row, const struct simt_cells *cells,
                                uint32_t *flags, uint32_t mask, bool writes) {
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t i = (uint32_t)__builtin_ctz(rest), at = row->first + i;
        if (!is_quiet(row, cells->writers[at], i) || !is_quiet(row, cells->readers[at], i) ||
            !(writes ? is_quiet(row, cells->rivals[at], i) : simt_is_written(flags[at])))
            return false;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t i = (uint32_t)__builtin_ctz(rest), at = row->first + i;
        (writes ? cells->writers : cells->readers)[at] = row->mine + (i << SIMT_STAMP_THREAD);
        if (writes)
            flags[at] = SIMT_WORD_WRITTEN;
    }
    return true;
}

/* All ones where the stamp is not ordered before that of another thread, lane i's, which differs
 * in these bits; like simt_unordered_in_cta. */
SIMT_PART_OF_EACH uint64_t is_row_unordered(const struct row *row, uint64_t stamp,
                                            uint64_t differs) {
    bool same_warp = (int64_t)differs < (int64_t)SIMT_LANES << SIMT_STAMP_THREAD;
    uint64_t from = same_warp ? row->warp : row->cta;
    return -(uint64_t)((differs != 0) & !((int64_t)stamp < (int64_t)from));
}

/* True where no lane's access is in conflict with its word's stamp. */
SIMT_PART_OF_EACH bool all_ordered(const struct row *row, const uint64_t *stamps) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < row->n; i++) {
        uint64_t stamp = stamps[row->first + i];
        found |= is_row_unordered(row, stamp, thread_bits(row, stamp, i)) & all_of(row, i);
    }
    return found == 0;
}

SIMT_PART_OF_EACH void put_stamps(const struct row *row, uint64_t *stamps) {
    for (uint64_t i = 0; i < row->n; i++) {
        uint64_t on = all_of(row, i), mine = row->mine + (i << SIMT_STAMP_THREAD);
        stamps[row->first + i] = (mine & on) | (stamps[row->first + i] & ~on);
    }
}

/* All ones where two readers of different warps, which find a race with any later writer, are there
 * already: the second one, and the last one, of lane i's warp; these are the bits in which their
 * threads differ from lane i's. */
SIMT_PART_OF_EACH uint64_t stays(const struct row *row, uint64_t rival, uint64_t differs,
                                 uint64_t rival_differs) {
    const uint64_t warp = (uint64_t)SIMT_LANES << SIMT_STAMP_THREAD;
    return is_row_unordered(row, rival, rival_differs) &
           -(uint64_t)((differs < warp) & (rival_differs >= warp));
}

/* Keeps the readers that step_read would. */
SIMT_PART_OF_EACH void put_rivals(const struct row *row, const uint64_t *readers,
                                  uint64_t *rivals) {
    for (uint64_t i = 0; i < row->n; i++) {
        uint64_t reader = readers[row->first + i], rival = rivals[row->first + i];
        uint64_t differs = thread_bits(row, reader, i), rival_differs = thread_bits(row, rival, i);
        uint64_t gives = is_row_unordered(row, reader, differs) &
                         ~stays(row, rival, differs, rival_differs) & all_of(row, i);
        rivals[row->first + i] = (reader & gives) | (rival & ~gives);
    }
}

/* All words were written before the last barrier, and read since by other warps, as a tile is that
 * all warps read. */
SIMT_PART_OF_EACH bool all_shared_reads(const struct row *row, const struct simt_cells *cells) {
    const uint64_t warps = SIMT_STAMP_THREADS / SIMT_LANES * SIMT_LANES << SIMT_STAMP_THREAD;
    uint64_t found = 0;
    for (uint64_t i = 0; i < row->n; i++) {
        uint64_t writer = cells->writers[row->first + i], reader = cells->readers[row->first + i];
        bool is_usual = ((int64_t)writer < (int64_t)row->cta) &
                        ((int64_t)reader >= (int64_t)row->cta) &
                        (((reader ^ row->mine) & warps) != 0);
        found |= ~-(uint64_t)is_usual & all_of(row, i);
    }
    return found == 0;
}

/* The last readers become the second ones. */
SIMT_PART_OF_EACH void move_readers(const struct row *row, const struct simt_cells *cells) {
    for (uint64_t i = 0; i < row->n; i++) {
        uint64_t on = all_of(row, i), at = row->first + i, reader = cells->readers[at];
        cells->rivals[at] = (reader & on) | (cells->rivals[at] & ~on);
        cells->readers[at] = ((row->mine + (i << SIMT_STAMP_THREAD)) & on) | (reader & ~on);
    }
}

/* One word a lane. False, and nothing has happened, where lanes have to be looked at one by one. */
SIMT_PART_OF_EACH bool check(struct simt_sm *sm, struct row *row, uint32_t n, uint32_t mask,
                             bool reads) {
    const struct simt_cells *cells = &sm->shared_cells;
    uint32_t *flags = (uint32_t *)sm->shared_defined;
    row->n = n;
    if (reads && !all_written(row, flags))
        return false;
    /* One lane tells which of the common cases it can be. */
    const bool may_be_quiet = finds_quiet(row, cells, (uint32_t)__builtin_ctz(mask), !reads);
    if (reads && !may_be_quiet && all_shared_reads(row, cells)) {
        move_readers(row, cells);
        return true;
    }
    if (!may_be_quiet || !all_quiet(row, cells, !reads)) {
        if (!all_ordered(row, cells->writers))
            return false;
        if (!reads && (!all_ordered(row, cells->readers) || !all_ordered(row, cells->rivals)))
            return false;
        if (reads)
            put_rivals(row, cells->readers, cells->rivals);
    }
    put_stamps(row, reads ? cells->readers : cells->writers);
    if (!reads)
        set_written(row, flags);
    return true;
}

/* All lanes read one word, which nobody wrote since the last barrier. Only the first lane and the
 * last two matter for what stays in the shadow: the last lane is the last reader. The rival (the
 * second reader that is kept) is the reader that the first lane found, where that one is not
 * ordered with it and no better rival is there; or else the last lane but one. */
SIMT_PART_OF_EACH bool check_same(struct simt_sm *sm, struct row *row, uint32_t lanes) {
    const struct simt_cells *cells = &sm->shared_cells;
    uint64_t reader = cells->readers[row->first], rival = cells->rivals[row->first];
    const uint64_t first = (uint32_t)__builtin_ctz(lanes),
                   last = 31 - (uint32_t)__builtin_clz(lanes);
    const uint32_t others = lanes & ~(UINT32_C(1) << last);
    if (cells->writers[row->first] >= row->cta ||
        !simt_is_written(((uint32_t *)sm->shared_defined)[row->first]))
        return false;
    uint64_t differs = thread_bits(row, reader, first);
    if (is_row_unordered(row, reader, differs) &
        ~stays(row, rival, differs, thread_bits(row, rival, first)))
        rival = reader;
    if (others && !stays(row, rival, 0, thread_bits(row, rival, last)))
        rival = row->mine + ((31 - (uint64_t)(uint32_t)__builtin_clz(others)) << SIMT_STAMP_THREAD);
    cells->rivals[row->first] = rival;
    cells->readers[row->first] = row->mine + (last << SIMT_STAMP_THREAD);
    return true;
}

SIMT_FOR_EACH_CPU
uint32_t simt_check_shared_row(struct simt_sm *sm, const struct simt_insn *insn,
                               enum simt_touch touch, const struct simt_row *group) {
    const uint64_t thread = sm->warp->index * SIMT_LANES + group->first;
    const bool reads = touch == SIMT_READS;
    const uint32_t mask = group->mask >> group->first;
    struct row row = {
        .warp = sm->order.warp,
        .cta = sm->order.cta,
        .lanes = sm->x.lanes + group->first,
        .first = group->offset >> 2,
        .mine = simt_stamp(sm, insn) | SIMT_STAMP_BYTES | thread << SIMT_STAMP_THREAD,
    };
    bool done;
    if (!reads && sm->checker->bulk_reads.n)
        return group->mask;
    if (!group->step)
        done = reads && check_same(sm, &row, mask);
    else if (sm->x.n_lanes <= FEW &&
             pass_few(&row, &sm->shared_cells, (uint32_t *)sm->shared_defined, mask, !reads))
        done = true;
    else if (group->n == 8)
        done = reads ? check(sm, &row, 8, mask, true) : check(sm, &row, 8, mask, false);
    else if (group->n == 16)
        done = reads ? check(sm, &row, 16, mask, true) : check(sm, &row, 16, mask, false);
    else
        done = reads ? check(sm, &row, SIMT_LANES, mask, true)
                     : check(sm, &row, SIMT_LANES, mask, false);
    sm->touched |= done;
    return done ? 0 : group->mask;
}
