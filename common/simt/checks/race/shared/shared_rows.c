/*
 * Rows of words of shared memory, the most common requests, as a whole: lane i, if it is on, reads
 * or writes the i-th word, or all read one. Where no lane needs a closer look the slots move
 * sixteen or eight at a time; what is left in the shadow is what single steps would leave there.
 */
#include <string.h>

#include "common/simt/checks/race/shared/shared_word.h"

/* So many lanes are quicker one by one. */
enum { FEW = 4 };

/* Checks a row's words lane by lane. Returns false at the first lane that needs a closer look. The
 * lanes before it are done; to check them once more changes nothing. */
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

static const simt_eight places = {0, 1, 2, 3, 4, 5, 6, 7};

SIMT_PART_OF_EACH void get_part(const struct row *row, const struct simt_cells *cells, uint32_t i,
                                struct part *part) {
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
#define SINCE(slots, point) ((simt_eight)((simt_signed)(slots) > (point)-1))
#define THREADS(slots, own) (((slots) ^ (own)) & SIMT_SHARED_THREADS)
/* … where is_unordered says so. */
#define UNORDERED(row, slots, own)                                                                 \
    (SINCE(slots, (row)->cta) & (simt_eight)(THREADS(slots, own) != 0) &                           \
     (SINCE(slots, (row)->warp) | (simt_eight)(THREADS(slots, own) >= SIMT_LANES)))
/* … where a slot is not quiet. */
#define LOUD(row, slots, own) (SINCE(slots, (row)->cta) & ~(simt_eight)(THREADS(slots, own) == 0))

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
        if (group->is_row >= SIMT_ROW_STAYS || !are_past(row, cells->rivals + at) ||
            !are_past(row, (reads ? cells->writers : cells->readers) + at))
            continue;
        group->writer = group->reader = group->rival = 0;
        group->is_row = SIMT_ROW_SLOTS | (group->is_row & ~(uint32_t)SIMT_ROW_WRITTEN) |
                        (are_complete(flags + at) ? SIMT_ROW_WRITTEN : 0);
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

/* True where no word was accessed by another thread since the last barrier, and all that lanes read
 * was written: the commonest case. */
SIMT_PART_OF_EACH bool all_quiet(const struct row *row, const struct simt_cells *cells,
                                 const uint32_t *flags, uint32_t n, bool reads) {
    simt_eight found = {0}, own = row->mine + places;
    for (uint32_t i = 0; i < n; i += 8, own += 8) {
        struct part part;
        simt_eight here, written;
        memcpy(&part.on, row->lanes + i, sizeof part.on);
        memcpy(&part.writers, cells->writers + row->first + i, sizeof part.writers);
        memcpy(&part.readers, cells->readers + row->first + i, sizeof part.readers);
        here = LOUD(row, part.writers, own) | LOUD(row, part.readers, own);
        if (reads) {
            memcpy(&written, flags + row->first + i, sizeof written);
            here |= written ^ SIMT_WORD_WRITTEN;
        } else {
            memcpy(&part.rivals, cells->rivals + row->first + i, sizeof part.rivals);
            here |= LOUD(row, part.rivals, own);
        }
        found |= here & part.on;
    }
    return !simt_any_bits(&found);
}

/* Lanes that are on take their words' place as last readers or writers. */
SIMT_PART_OF_EACH void take_places(const struct row *row, const struct simt_cells *cells,
                                   uint32_t *flags, uint32_t n, bool reads) {
    uint32_t *slots = reads ? cells->readers : cells->writers;
    simt_eight own = row->mine + places;
    for (uint32_t i = 0; i < n; i += 8, own += 8) {
        const simt_eight all = SIMT_WORD_WRITTEN - (simt_eight){0};
        simt_eight found, on;
        memcpy(&on, row->lanes + i, sizeof on);
        memcpy(&found, slots + row->first + i, sizeof found);
        put_part(row, slots, i, &on, &found, &own);
        if (reads)
            continue;
        memcpy(&found, flags + row->first + i, sizeof found);
        put_part(row, flags, i, &on, &found, &all);
    }
}

/* Checks and notes a few lanes of a row, one by one. Returns false at the first whose word another
 * thread accessed since the last barrier; to check those before it once more changes nothing. */
SIMT_PART_OF_EACH bool pass_few(const struct row *row, const struct simt_cells *cells,
                                uint32_t *flags, uint32_t mask, bool reads) {
    uint32_t *slots = (reads ? cells->readers : cells->writers) + row->first;
    const uint32_t *writers = cells->writers + row->first, *readers = cells->readers + row->first,
                   *rivals = cells->rivals + row->first;
    flags += row->first;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest), mine = row->mine + i;
        if (!(is_quiet(row, writers[i], mine) & is_quiet(row, readers[i], mine) &
              (reads ? simt_is_written(flags[i]) : is_quiet(row, rivals[i], mine))))
            return false;
        slots[i] = mine;
        if (!reads)
            flags[i] = SIMT_WORD_WRITTEN;
    }
    return true;
}

/* True where all of these words have slots of their own. */
SIMT_PART_OF_EACH bool are_spread(const struct row *row, const struct simt_cells *cells) {
    const struct simt_cell_row *first = &cells->rows[row->first / SIMT_CELL_ROW],
                               *last = &cells->rows[(row->first + row->n - 1) / SIMT_CELL_ROW];
    const uint32_t middle = row->n > SIMT_CELL_ROW ? first[1].is_row : 0;
    return !((first->is_row | middle | last->is_row) & SIMT_ROW_SLOTS);
}

/* Checks and notes one word a lane if all_quiet says so; else returns false and changes nothing. */
SIMT_PART_OF_EACH bool pass_row(const struct row *row, const struct simt_cells *cells,
                                uint32_t *flags, uint32_t n, bool reads) {
    if (!all_quiet(row, cells, flags, n, reads))
        return false;
    take_places(row, cells, flags, n, reads);
    return true;
}

/* Checks and notes one word a lane where all_quiet does not say so. Returns false, and changes
 * nothing, where lanes have to be looked at one by one. */
FOR_EACH_CPU static __attribute__((noinline)) bool
check_words(const struct row *row, const struct simt_cells *cells, uint32_t *flags, bool reads) {
    return reads ? read_row(row, cells, flags) : write_row(row, cells, flags);
}

/* One word a lane, of rows of which not all lanes are on, or whose slots don't count as a whole. */
SIMT_PART_OF_EACH bool check_dense(struct simt_sm *sm, const struct row *row, uint32_t mask,
                                   bool reads) {
    const struct simt_cells *cells = &sm->shared_cells;
    uint32_t *flags = (uint32_t *)sm->shared_defined;
    if (!are_spread(row, cells))
        simt_cells_spread(cells, row->first, row->n);
    if ((mask & (mask - 1)) == 0 || sm->x.n_lanes <= FEW) {
        if (pass_few(row, cells, flags, mask, reads))
            return true;
    } else if (row->n == SIMT_LANES ? pass_row(row, cells, flags, SIMT_LANES, reads)
                                    : pass_row(row, cells, flags, row->n, reads)) {
        return true;
    }
    return check_words(row, cells, flags, reads);
}

SIMT_PART_OF_EACH bool check_row(struct simt_sm *sm, struct row *row, const struct simt_row *group,
                                 bool reads) {
    struct simt_cell_row *cells = &sm->shared_cells.rows[group->offset / (4 * SIMT_CELL_ROW)];
    const uint32_t mask = group->mask >> group->first;
    row->first = group->offset >> 2;
    row->n = group->n;
    if (!group->step)
        return reads && check_same(sm, row, mask);
    if (group->step != 4)
        return group->step % 4 == 0 && pass_lanes(row, sm, mask, group->step, !reads);
    const bool is_whole =
        mask == (row->n == SIMT_LANES ? SIMT_FULL_MASK : (1u << SIMT_CELL_ROW) - 1) &&
        row->n >= SIMT_CELL_ROW && row->first % SIMT_CELL_ROW == 0;
    row->lanes = sm->x.lanes + group->first;
    if (!is_whole || !check_whole(row, cells, row->mine, reads) ||
        (row->n != SIMT_CELL_ROW &&
         !check_whole(row, cells + 1, row->mine + SIMT_CELL_ROW, reads))) {
        const bool done = check_dense(sm, row, mask, reads);
        if (done && is_whole)
            join_cells(row, &sm->shared_cells, (uint32_t *)sm->shared_defined, reads);
        return done;
    }
    if (!reads)
        complete(row, cells, (uint32_t *)sm->shared_defined);
    return true;
}

SIMT_PART_OF_EACH uint32_t check_rows(struct simt_sm *sm, struct row *row, uint32_t slot,
                                      const struct simt_row *rows, uint32_t n, bool reads) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        row->mine = slot | (sm->warp->index * SIMT_LANES + rows[i].first);
        if (left || !check_row(sm, row, &rows[i], reads))
            left |= rows[i].mask;
    }
    return left;
}

/* Lanes of rows of which some word was not written, or not all of it. */
SIMT_PART_OF_EACH uint32_t find_unwritten(const struct simt_sm *sm, const struct simt_row *rows,
                                          uint32_t n) {
    const uint32_t *flags = (const uint32_t *)sm->shared_defined;
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct row row = {
            .lanes = sm->x.lanes + rows[i].first, .first = rows[i].offset >> 2, .n = rows[i].n};
        bool are_written = rows[i].step != 4 || all_written(&row, flags);
        for (uint32_t rest = rows[i].step != 4 ? rows[i].mask : 0; rest;
             rest = rows[i].step ? rest & (rest - 1) : 0) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest) - rows[i].first;
            are_written &= flags[row.first + lane * (rows[i].step / 4)] == SIMT_WORD_WRITTEN;
        }
        found |= are_written ? 0 : rows[i].mask;
    }
    return found;
}

FOR_EACH_CPU
uint32_t simt_check_shared_rows(struct simt_sm *sm, const struct simt_insn *insn,
                                enum simt_touch touch, const struct simt_row *rows, uint32_t n) {
    const bool reads = touch == SIMT_READS;
    struct row row;
    if (simt_spares_shared(sm, touch))
        return reads ? find_unwritten(sm, rows, n) : 0;
    if (!reads && sm->checker->bulk_reads.n)
        return sm->x.mask;
    const uint32_t slot =
        simt_shared_slot(sm, &sm->checker->shared_slots, simt_stamp(sm, insn) | SIMT_STAMP_BYTES);
    set_points(&row, sm);
    sm->touched = true;
    return reads ? check_rows(sm, &row, slot, rows, n, true)
                 : check_rows(sm, &row, slot, rows, n, false);
}
