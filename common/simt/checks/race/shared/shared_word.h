/*
 * One word of shared memory and the thread that accesses it: what its slots say of order.
 */
#pragma once

#include "common/simt/checks/race/race.h"

/* Lanes of a request, and the row of words that they access: lane i, if on, the i-th one. */
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

/* The slot's access can't race: it came before the block's last barrier, or it is the thread's own.
 */
SIMT_PART_OF_EACH bool is_quiet(const struct row *row, uint32_t slot, uint32_t mine) {
    return ((int32_t)slot < row->cta) | (thread_bits(slot, mine) == 0);
}

/* The same where both accesses are atomic. */
SIMT_PART_OF_EACH bool is_harmless(const struct row *row, uint32_t slot, uint32_t mine) {
    return is_quiet(row, slot, mine) | ((slot & mine & SIMT_SHARED_STRONG) != 0);
}

/* To be called behind simt_shared_slot, which may give all slots new numbers. */
static inline void set_points(struct row *row, struct simt_sm *sm) {
    const struct simt_shared_points points =
        simt_shared_points(&sm->checker->shared_slots, &sm->order);
    row->cta = (int32_t)points.cta;
    row->warp = (int32_t)points.warp;
}

/* Checks and notes one word of a lane's atomic. Returns false, and changes nothing, where it has to
 * be looked at closer. Other atomics don't race with it. A plain store since the last barrier may
 * have to be kept (simt_keeps_store). */
SIMT_PART_OF_EACH bool pass_update(const struct row *row, const struct simt_cells *cells,
                                   const uint32_t *flags, uint64_t word, uint32_t mine) {
    const uint32_t writer = cells->writers[word], reader = cells->readers[word],
                   rival = cells->rivals[word];
    if ((((int32_t)writer >= row->cta) & !(writer & SIMT_SHARED_STRONG)) |
        (flags[word] != SIMT_WORD_WRITTEN))
        return false;
    if ((((int32_t)reader >= row->cta) | ((int32_t)rival >= row->cta)) &&
        !(is_harmless(row, reader, mine) & is_harmless(row, rival, mine)))
        return false;
    cells->writers[word] = mine;
    return true;
}

/* Checks and notes one word of a lane. Returns false, and changes nothing, where it has to be
 * looked at closer, as where not all of the word was written. */
SIMT_PART_OF_EACH bool pass_word(const struct row *row, const struct simt_cells *cells,
                                 uint32_t *flags, uint64_t word, uint32_t mine,
                                 enum simt_touch touch) {
    if (cells->rows[word / SIMT_CELL_ROW].is_row & SIMT_ROW_SLOTS)
        simt_cells_spread(cells, word, 1);
    if (touch == SIMT_UPDATES)
        return pass_update(row, cells, flags, word, mine);
    const uint32_t writer = cells->writers[word], reader = cells->readers[word],
                   rival = cells->rivals[word];
    if (!is_quiet(row, writer, mine))
        return false;
    if (touch == SIMT_READS) {
        if (flags[word] != SIMT_WORD_WRITTEN)
            return false;
        if ((int32_t)reader >= row->cta && is_unordered(row, reader, mine) &&
            !stays(row, rival, reader, mine))
            cells->rivals[word] = reader;
        cells->readers[word] = mine;
        return true;
    }
    if (!is_quiet(row, reader, mine) || !is_quiet(row, rival, mine))
        return false;
    cells->writers[word] = mine;
    flags[word] = SIMT_WORD_WRITTEN;
    return true;
}
