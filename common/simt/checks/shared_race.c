/*
 * The race check of shared memory: one step a word and lane. Its most common requests are looked at
 * as a whole: lane i, if it is on, reads or writes the i-th word of a row, or all read one word.
 * Where no lane needs a closer look the slots move eight at a time; what is left in the shadow is
 * what single steps would leave there.
 */
#include "common/simt/checks/race.h"

#include <string.h>

/* Lanes of a request, and the row of words that they access: lane i, if on, the i-th one. */
typedef int32_t simt_signed __attribute__((vector_size(32)));

struct row {
    int32_t cta, warp; /* slots since the last barrier, and since the warp's last sync */
    const uint32_t *lanes;
    uint64_t first; /* the first word */
    uint32_t mine;  /* the slot of the first lane; the next lane's is one more */
    uint32_t n;
};

/* The bits of the thread in which a slot differs from another thread's. */
SIMT_PART_OF_EACH uint32_t thread_bits(uint32_t slot, uint32_t mine) {
    return (slot ^ mine) & SIMT_SHARED_THREADS;
}

/* A thread's access is not ordered behind that of a slot. */
SIMT_PART_OF_EACH bool is_unordered(const struct row *row, uint32_t slot, uint32_t mine) {
    const uint32_t differs = thread_bits(slot, mine);
    return (differs != 0) & ((int32_t)slot >= (differs < SIMT_LANES ? row->warp : row->cta));
}

/* There are two readers of different warps already, which find a race with any later writer: the
 * second one, and the last one, of this thread's warp. */
SIMT_PART_OF_EACH bool stays(const struct row *row, uint32_t rival, uint32_t reader,
                             uint32_t mine) {
    return (thread_bits(reader, mine) < SIMT_LANES) & (thread_bits(rival, mine) >= SIMT_LANES) &
           is_unordered(row, rival, mine);
}

/* A request, lane by lane. */
struct steps {
    const struct simt_walk *walk;
    struct row order; /* its points in time */
    uint64_t bytes;   /* that `slot` is for */
    uint32_t slot;    /* without the thread */
};

/* Reports a conflict, if it is one, with an access that another one is not ordered behind. */
static void meet(const struct steps *steps, uint32_t other, bool other_wrote, uint32_t mine,
                 uint32_t lane, uint64_t offset) {
    const struct simt_walk *walk = steps->walk;
    uint64_t its = simt_shared_stamp(walk->sm, other), own = simt_shared_stamp(walk->sm, mine);
    if (is_unordered(&steps->order, other, mine) && simt_clash(its, own))
        simt_suspect(walk->sm, walk->request, walk->region, lane, offset, own, its, other_wrote);
}

/* What is older than the last barrier, and the thread's own, is in nobody's way. */
SIMT_PART_OF_EACH bool is_quiet(const struct row *row, uint32_t slot, uint32_t mine) {
    return ((int32_t)slot < row->cta) | (thread_bits(slot, mine) == 0);
}

/* … nor is one atomic in another's. */
SIMT_PART_OF_EACH bool is_harmless(const struct row *row, uint32_t slot, uint32_t mine) {
    return is_quiet(row, slot, mine) | ((slot & mine & SIMT_SHARED_STRONG) != 0);
}

/* One word that a lane reads or writes. */
SIMT_PART_OF_EACH void step_read(const struct steps *steps, const struct simt_cells *cells,
                                 uint64_t word, uint32_t mine, uint32_t lane, uint64_t offset) {
    const uint32_t reader = cells->readers[word];
    if (!is_harmless(&steps->order, cells->writers[word], mine))
        meet(steps, cells->writers[word], true, mine, lane, offset);
    if (is_unordered(&steps->order, reader, mine) &&
        !stays(&steps->order, cells->rivals[word], reader, mine))
        cells->rivals[word] = reader;
    cells->readers[word] = mine;
}

SIMT_PART_OF_EACH void step_write(const struct steps *steps, const struct simt_cells *cells,
                                  uint64_t word, uint32_t mine, uint32_t lane, uint64_t offset) {
    const uint32_t writer = cells->writers[word], reader = cells->readers[word],
                   rival = cells->rivals[word];
    if (!(is_harmless(&steps->order, writer, mine) & is_harmless(&steps->order, reader, mine) &
          is_harmless(&steps->order, rival, mine))) {
        meet(steps, writer, true, mine, lane, offset);
        meet(steps, reader, false, mine, lane, offset);
        meet(steps, rival, false, mine, lane, offset);
    }
    if ((int32_t)writer >= steps->order.cta && mine & ~writer & SIMT_SHARED_STRONG &&
        simt_keeps_store(simt_shared_stamp(steps->walk->sm, writer),
                         simt_shared_stamp(steps->walk->sm, reader),
                         simt_shared_stamp(steps->walk->sm, mine)))
        cells->readers[word] = writer;
    cells->writers[word] = mine;
}

/* To be called behind simt_shared_slot, which may give all slots new numbers. */
static inline void set_points(struct row *row, struct simt_sm *sm) {
    const struct simt_shared_points points =
        simt_shared_points(&sm->checker->shared_slots, &sm->order);
    row->cta = (int32_t)points.cta;
    row->warp = (int32_t)points.warp;
}

/* The slot of a lane, of which each may touch other bytes of its word. */
SIMT_PART_OF_EACH uint32_t slot_of(struct steps *steps, uint32_t lane) {
    const struct simt_walk *walk = steps->walk;
    uint64_t bytes = simt_touched(walk->request->offset[lane], walk->request->bytes);
    if (bytes != steps->bytes) {
        steps->slot =
            simt_shared_slot(walk->sm, &walk->sm->checker->shared_slots, walk->stamp | bytes);
        steps->bytes = bytes;
        set_points(&steps->order, walk->sm);
    }
    return steps->slot | (walk->sm->warp->index * SIMT_LANES + lane);
}

/* The words of these lanes. */
SIMT_PART_OF_EACH void step_lanes(struct steps *steps, uint32_t lanes, bool writes) {
    const struct simt_request *request = steps->walk->request;
    const struct simt_cells cells = steps->walk->region->cells;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest), mine = slot_of(steps, lane);
        const uint64_t offset = request->offset[lane], end = offset + request->bytes;
        for (uint64_t at = offset; at < end; at += 4) {
            if (cells.rows[at / 4 / SIMT_CELL_ROW].is_row & SIMT_ROW_SLOTS)
                simt_cells_spread(&cells, at >> 2, 1);
            if (writes)
                step_write(steps, &cells, at >> 2, mine, lane, at);
            else
                step_read(steps, &cells, at >> 2, mine, lane, at);
        }
    }
}

/* All lanes read one word: what the first and the last two leave there is what all would, unless
 * the word was written since the last barrier. */
static uint32_t telling_lanes(const struct steps *steps) {
    const struct simt_request *request = steps->walk->request;
    const struct simt_cells *cells = &steps->walk->region->cells;
    simt_cells_spread(cells, request->low >> 2, 1);
    uint32_t writer = cells->writers[request->low >> 2];
    uint32_t mask = request->mask, last = SIMT_FULL_MASK;
    if (request->low != request->high || request->bytes != 4 || (int32_t)writer >= steps->order.cta)
        return mask;
    for (unsigned n = 0; n < 2 && mask & last; n++)
        last &= ~(UINT32_C(1) << (31 - __builtin_clz(mask & last)));
    return (mask & -mask) | (mask & ~last);
}

void simt_check_shared(const struct simt_walk *walk) {
    struct steps steps = {.walk = walk};
    (void)slot_of(&steps, (uint32_t)__builtin_ctz(walk->request->mask));
    if (walk->request->touch == SIMT_READS)
        step_lanes(&steps, telling_lanes(&steps), false);
    else
        step_lanes(&steps, walk->request->mask, true);
}

/* One word of a lane, all of which was written. False, and nothing has happened, where it has to be
 * looked at closer. */
SIMT_PART_OF_EACH bool pass_word(const struct row *row, const struct simt_cells *cells,
                                 uint32_t *flags, uint64_t word, uint32_t mine,
                                 enum simt_touch touch) {
    if (cells->rows[word / SIMT_CELL_ROW].is_row & SIMT_ROW_SLOTS)
        simt_cells_spread(cells, word, 1);
    const uint32_t writer = cells->writers[word], reader = cells->readers[word],
                   rival = cells->rivals[word];
    if ((int32_t)writer >= row->cta &&
        (!is_harmless(row, writer, mine) || mine & ~writer & SIMT_SHARED_STRONG))
        return false; /* or an atomic follows a plain store, which may have to be kept */
    if (touch != SIMT_WRITES && flags[word] != SIMT_WORD_WRITTEN)
        return false;
    if (touch == SIMT_READS) {
        if ((int32_t)reader >= row->cta && is_unordered(row, reader, mine) &&
            !stays(row, rival, reader, mine))
            cells->rivals[word] = reader;
        cells->readers[word] = mine;
        return true;
    }
    if (((int32_t)reader >= row->cta && !is_harmless(row, reader, mine)) ||
        ((int32_t)rival >= row->cta && !is_harmless(row, rival, mine)))
        return false;
    cells->writers[word] = mine;
    if (touch == SIMT_WRITES)
        flags[word] = SIMT_WORD_WRITTEN;
    return true;
}

SIMT_PART_OF_EACH bool pass_words(const struct steps *steps, enum simt_touch touch) {
    const struct simt_request *request = steps->walk->request;
    const struct simt_cells cells = steps->walk->region->cells;
    const struct row row = steps->order;
    const uint32_t mine = steps->slot | steps->walk->sm->warp->index * SIMT_LANES;
    uint32_t *flags = (uint32_t *)steps->walk->region->defined;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (!pass_word(&row, &cells, flags, request->offset[lane] >> 2, mine + lane, touch))
            return false;
    }
    return true;
}

bool simt_pass_shared(const struct simt_walk *walk) {
    struct steps steps = {.walk = walk};
    const enum simt_touch touch = walk->request->touch;
    if (walk->request->bytes != 4 || walk->sm->warp->n_undefined ||
        walk->sm->checker->bulk_reads.n || simt_is_copy(walk->request->insn))
        return false;
    (void)slot_of(&steps, (uint32_t)__builtin_ctz(walk->request->mask));
    return touch == SIMT_READS    ? pass_words(&steps, SIMT_READS)
           : touch == SIMT_WRITES ? pass_words(&steps, SIMT_WRITES)
                                  : pass_words(&steps, SIMT_UPDATES);
}

/* So many lanes are quicker one by one. */
enum { FEW = 4 };

/* Lanes of a row, one by one. False where one has to be looked at closer; none of those before it
 * will change if looked at once more. */
SIMT_PART_OF_EACH bool pass_lanes(const struct row *row, struct simt_sm *sm, uint32_t mask,
                                  uint32_t step, bool writes) {
    const struct simt_cells cells = sm->shared_cells;
    uint32_t *flags = (uint32_t *)sm->shared_defined;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        if (!pass_word(row, &cells, flags, row->first + (uint64_t)i * step / 4, row->mine + i,
                       writes ? SIMT_WRITES : SIMT_READS))
            return false;
    }
    return true;
}

/* Eight lanes of a row: which are on, their slots, and what their words have. */
struct part {
    simt_eight on, own, writers, readers, rivals;
};

SIMT_PART_OF_EACH void get_part(const struct row *row, const struct simt_cells *cells, uint32_t i,
                                struct part *part) {
    static const simt_eight places = {0, 1, 2, 3, 4, 5, 6, 7};
    memcpy(&part->on, row->lanes + i, sizeof part->on);
    part->own = row->mine + i + places;
    memcpy(&part->writers, cells->writers + row->first + i, sizeof part->writers);
    memcpy(&part->readers, cells->readers + row->first + i, sizeof part->readers);
    memcpy(&part->rivals, cells->rivals + row->first + i, sizeof part->rivals);
}

/* Slots of lanes that are on take the place of what is there. */
SIMT_PART_OF_EACH void put_part(const struct row *row, uint32_t *slots, uint32_t i,
                                const simt_eight *on, const simt_eight *before,
                                const simt_eight *after) {
    const simt_eight all = (*after & *on) | (*before & ~*on);
    memcpy(slots + row->first + i, &all, sizeof all);
}

/* All ones where a slot is from a point in time on. */
#define SINCE(slots, point) ((simt_eight)((simt_signed)(slots) >= (point)))
#define THREADS(slots, own) (((slots) ^ (own)) & SIMT_SHARED_THREADS)
/* … where is_unordered says so. */
#define UNORDERED(row, slots, own)                                                                 \
    (SINCE(slots, (row)->cta) & (simt_eight)(THREADS(slots, own) != 0) &                           \
     (SINCE(slots, (row)->warp) | (simt_eight)(THREADS(slots, own) >= SIMT_LANES)))
/* … where a slot is not quiet. */
#define LOUD(row, slots, own) (SINCE(slots, (row)->cta) & (simt_eight)(THREADS(slots, own) != 0))

/* Flags that say that a word was not written, or not all of it. */
SIMT_PART_OF_EACH bool all_written(const struct row *row, const uint32_t *flags) {
    simt_eight missing = {0};
    for (uint32_t i = 0; i < row->n; i += 8) {
        simt_eight on, found;
        memcpy(&on, row->lanes + i, sizeof on);
        memcpy(&found, flags + row->first + i, sizeof found);
        missing |= (found ^ SIMT_WORD_WRITTEN) & on;
    }
    if (!simt_any_bits(&missing))
        return true;
    for (uint32_t i = 0; i < row->n; i++)
        if (row->lanes[i] && !simt_is_written(flags[row->first + i]))
            return false;
    return true;
}

/* Lanes that read words of which some were read by others since the last barrier: keeps the second
 * readers that step_read would. False, and nothing has happened, where one is not ordered behind
 * the word's writer. */
SIMT_PART_OF_EACH bool keep_rivals(const struct row *row, const struct simt_cells *cells) {
    simt_eight met = {0};
    struct part part;
    for (uint32_t i = 0; i < row->n; i += 8) {
        get_part(row, cells, i, &part);
        met |= UNORDERED(row, part.writers, part.own) & part.on;
    }
    if (simt_any_bits(&met))
        return false;
    for (uint32_t i = 0; i < row->n; i += 8) {
        get_part(row, cells, i, &part);
        simt_eight stay = (simt_eight)(THREADS(part.readers, part.own) < SIMT_LANES) &
                          (simt_eight)(THREADS(part.rivals, part.own) >= SIMT_LANES) &
                          UNORDERED(row, part.rivals, part.own);
        simt_eight moves = UNORDERED(row, part.readers, part.own) & ~stay & part.on;
        put_part(row, cells->rivals, i, &moves, &part.rivals, &part.readers);
        put_part(row, cells->readers, i, &part.on, &part.readers, &part.own);
    }
    return true;
}

/* One word that each lane reads. False, and nothing has happened, where lanes have to be looked at
 * one by one. */
SIMT_PART_OF_EACH bool read_row(const struct row *row, const struct simt_cells *cells,
                                const uint32_t *flags) {
    simt_eight loud = {0}, written = {0}, near = {0};
    struct part part;
    if (!all_written(row, flags))
        return false;
    for (uint32_t i = 0; i < row->n; i += 8) {
        get_part(row, cells, i, &part);
        written |= LOUD(row, part.writers, part.own) & part.on;
        loud |= LOUD(row, part.readers, part.own) & part.on;
        near |= ((simt_eight)(THREADS(part.readers, part.own) < SIMT_LANES) |
                 ~SINCE(part.readers, row->cta)) &
                part.on;
    }
    const bool is_loud = simt_any_bits(&loud);
    if (simt_any_bits(&written) || (is_loud && simt_any_bits(&near)))
        return keep_rivals(row, cells);
    /* All were last read before the barrier, or all by other warps since, as a tile is that all
     * warps read. */
    for (uint32_t i = 0; i < row->n; i += 8) {
        get_part(row, cells, i, &part);
        if (is_loud)
            put_part(row, cells->rivals, i, &part.on, &part.rivals, &part.readers);
        put_part(row, cells->readers, i, &part.on, &part.readers, &part.own);
    }
    return true;
}

/* One word that each lane writes; likewise. */
SIMT_PART_OF_EACH bool write_row(const struct row *row, const struct simt_cells *cells,
                                 uint32_t *flags) {
    simt_eight met = {0};
    struct part part;
    for (uint32_t i = 0; i < row->n; i += 8) {
        get_part(row, cells, i, &part);
        met |= (UNORDERED(row, part.writers, part.own) | UNORDERED(row, part.readers, part.own) |
                UNORDERED(row, part.rivals, part.own)) &
               part.on;
    }
    if (simt_any_bits(&met))
        return false;
    for (uint32_t i = 0; i < row->n; i += 8) {
        const simt_eight all = SIMT_WORD_WRITTEN - (simt_eight){0};
        simt_eight found;
        get_part(row, cells, i, &part);
        memcpy(&found, flags + row->first + i, sizeof found);
        put_part(row, cells->writers, i, &part.on, &part.writers, &part.own);
        put_part(row, flags, i, &part.on, &found, &all);
    }
    return true;
}

/* All lanes read one word, which nobody wrote since the last barrier. Only the first lane and the
 * last two matter for what stays in the shadow: the last lane is the last reader. The rival (the
 * second reader that is kept) is the reader that the first lane found, where that one is not
 * ordered with it and no better rival is there; or else the last lane but one. */
SIMT_PART_OF_EACH bool check_same(struct simt_sm *sm, const struct row *row, uint32_t lanes) {
    const struct simt_cells *cells = &sm->shared_cells;
    struct simt_cell_row *group = &cells->rows[row->first / SIMT_CELL_ROW];
    const uint32_t writer = group->is_row & SIMT_ROW_WRITER
                                ? group->writer + row->first % SIMT_CELL_ROW
                                : cells->writers[row->first];
    if ((int32_t)writer >= row->cta ||
        (!(group->is_row & SIMT_ROW_WRITTEN) &&
         !simt_is_written(((uint32_t *)sm->shared_defined)[row->first])))
        return false;
    if (group->is_row & (SIMT_ROW_READER | SIMT_ROW_RIVAL))
        simt_cells_spread(cells, row->first, 1);
    const uint32_t reader = cells->readers[row->first];
    const uint32_t first = row->mine + (uint32_t)__builtin_ctz(lanes),
                   last = 31 - (uint32_t)__builtin_clz(lanes);
    const uint32_t others = lanes & ~(UINT32_C(1) << last);
    uint32_t rival = cells->rivals[row->first];
    if (is_unordered(row, reader, first) && !stays(row, rival, reader, first))
        rival = reader;
    if (others && !stays(row, rival, row->mine, row->mine + last))
        rival = row->mine + 31 - (uint32_t)__builtin_clz(others);
    cells->rivals[row->first] = rival;
    cells->readers[row->first] = row->mine + last;
    return true;
}

/* Sixteen lanes and the words of a row of cells, whose slots count as a whole: as threads and words
 * both are multiples of sixteen, all lanes stand to their words' slots as the first one does.
 * False, and nothing has happened, where they have to be looked at one by one. */
SIMT_PART_OF_EACH bool check_whole(const struct row *row, struct simt_cell_row *cells,
                                   uint32_t mine, bool reads) {
    const uint32_t wanted = SIMT_ROW_SLOTS | (reads ? SIMT_ROW_WRITTEN : 0);
    if ((cells->is_row & wanted) != wanted ||
        ((int32_t)cells->writer >= row->cta && is_unordered(row, cells->writer, mine)))
        return false;
    const bool is_read =
        (int32_t)cells->reader >= row->cta && is_unordered(row, cells->reader, mine);
    if (reads) {
        if (is_read && !stays(row, cells->rival, cells->reader, mine))
            cells->rival = cells->reader;
        cells->reader = mine;
        return true;
    }
    if (is_read || ((int32_t)cells->rival >= row->cta && is_unordered(row, cells->rival, mine)))
        return false;
    cells->writer = mine;
    return true;
}

/* True where none of sixteen slots is from the last barrier on: then it does not matter which they
 * are. */
SIMT_PART_OF_EACH bool are_past(const struct row *row, const uint32_t *slots) {
    simt_eight found[2], recent;
    memcpy(found, slots, sizeof found);
    recent = SINCE(found[0], row->cta) | SINCE(found[1], row->cta);
    return !simt_any_bits(&recent);
}

SIMT_PART_OF_EACH bool are_complete(const uint32_t *flags) {
    simt_eight found[2], missing;
    memcpy(found, flags, sizeof found);
    missing = (found[0] ^ SIMT_WORD_WRITTEN) | (found[1] ^ SIMT_WORD_WRITTEN);
    return !simt_any_bits(&missing);
}

/* All lanes of whole rows were looked at one by one: from here on the rows' slots may count again.
 */
SIMT_PART_OF_EACH void join_cells(const struct row *row, const struct simt_cells *cells,
                                  const uint32_t *flags, bool reads) {
    for (uint32_t i = 0; i < row->n; i += SIMT_CELL_ROW) {
        const uint64_t at = row->first + i;
        struct simt_cell_row *group = &cells->rows[at / SIMT_CELL_ROW];
        group->is_row = are_complete(flags + at) ? SIMT_ROW_WRITTEN : 0;
        if (!are_past(row, cells->rivals + at) ||
            !are_past(row, (reads ? cells->writers : cells->readers) + at))
            continue;
        *group = (struct simt_cell_row){.is_row = group->is_row | SIMT_ROW_SLOTS};
        *(reads ? &group->reader : &group->writer) = row->mine + i;
    }
}

/* Says that whole rows were written. */
SIMT_PART_OF_EACH void complete(const struct row *row, struct simt_cell_row *rows,
                                uint32_t *flags) {
    for (uint32_t i = 0; i < row->n; i += SIMT_CELL_ROW) {
        if (rows[i / SIMT_CELL_ROW].is_row & SIMT_ROW_WRITTEN)
            continue;
        memset(flags + row->first + i, SIMT_WRITTEN, SIMT_CELL_ROW * sizeof *flags);
        rows[i / SIMT_CELL_ROW].is_row |= SIMT_ROW_WRITTEN;
    }
}

/* One word a lane, of rows of which not all lanes are on, or whose slots don't count as a whole. */
SIMT_FOR_EACH_CPU static __attribute__((noinline)) bool
check_dense(struct simt_sm *sm, struct row *row, uint32_t mask, bool is_whole, bool reads) {
    const struct simt_cells *cells = &sm->shared_cells;
    uint32_t *flags = (uint32_t *)sm->shared_defined;
    bool done;
    simt_cells_spread(cells, row->first, row->n);
    if (sm->x.n_lanes <= FEW && pass_lanes(row, sm, mask, 4, !reads))
        return true;
    if (row->n == SIMT_LANES) {
        row->n = SIMT_LANES; /* for the compiler: a constant */
        done = reads ? read_row(row, cells, flags) : write_row(row, cells, flags);
    } else {
        done = reads ? read_row(row, cells, flags) : write_row(row, cells, flags);
    }
    if (done && is_whole)
        join_cells(row, cells, flags, reads);
    return done;
}

static inline bool check_row(struct simt_sm *sm, struct row *row, const struct simt_row *group,
                             bool reads) {
    struct simt_cell_row *cells = &sm->shared_cells.rows[group->offset / (4 * SIMT_CELL_ROW)];
    const uint32_t mask = group->mask >> group->first;
    row->first = group->offset >> 2;
    row->n = group->n;
    if (!group->step)
        return reads && check_same(sm, row, mask);
    if (group->step != 4)
        return group->step % 4 == 0 && pass_lanes(row, sm, mask, group->step, !reads);
    const bool is_whole = row->first % SIMT_CELL_ROW == 0 && row->n >= SIMT_CELL_ROW &&
                          mask == (uint32_t)((UINT64_C(1) << row->n) - 1);
    if (!is_whole || !check_whole(row, cells, row->mine, reads) ||
        (row->n != SIMT_CELL_ROW &&
         !check_whole(row, cells + 1, row->mine + SIMT_CELL_ROW, reads))) {
        row->lanes = sm->x.lanes + group->first;
        return check_dense(sm, row, mask, is_whole, reads);
    }
    if (!reads)
        complete(row, cells, (uint32_t *)sm->shared_defined);
    return true;
}

uint32_t simt_check_shared_rows(struct simt_sm *sm, const struct simt_insn *insn,
                                enum simt_touch touch, const struct simt_row *rows, uint32_t n) {
    const bool reads = touch == SIMT_READS;
    struct row row;
    uint32_t left = 0;
    if (!reads && sm->checker->bulk_reads.n)
        return sm->x.mask;
    const uint32_t slot =
        simt_shared_slot(sm, &sm->checker->shared_slots, simt_stamp(sm, insn) | SIMT_STAMP_BYTES);
    set_points(&row, sm);
    sm->touched = true;
    for (uint32_t i = 0; i < n; i++) {
        row.mine = slot | (sm->warp->index * SIMT_LANES + rows[i].first);
        bool done = !left && (reads ? check_row(sm, &row, &rows[i], true)
                                    : check_row(sm, &row, &rows[i], false));
        left |= done ? 0 : rows[i].mask;
    }
    return left;
}
