/*
 * The race check of shared memory: one step a word and lane. Requests of words that were all
 * written and of which none races take a quicker one first.
 */
#include <stdlib.h>

#include "common/simt/checks/check.h"
#include "common/simt/checks/race/shared/shared_word.h"

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

/* Slots of each word of shared memory and of what is behind it. */
static bool slot_open(struct simt_sm *sm) {
    size_t n = simt_cells_for(sm->shared_bytes, SIMT_SHARED_SPARE_BYTES);
    const size_t rows_bytes = n / SIMT_CELL_ROW * sizeof(struct simt_cell_row);
    uint32_t *slots = calloc(1, 3 * n * sizeof *slots + rows_bytes);
    sm->shared_cells.writers = slots;
    if (slots) {
        sm->shared_cells.readers = slots + n;
        sm->shared_cells.rivals = slots + 2 * n;
        sm->shared_cells.rows = (struct simt_cell_row *)(slots + 3 * n);
        for (size_t i = 0; i < n / SIMT_CELL_ROW; i++)
            sm->shared_cells.rows[i].is_row = SIMT_ROW_SLOTS;
    }
    return slots != NULL;
}

static void slot_close(struct simt_sm *sm) {
    free(sm->shared_cells.writers);
    free(sm->checker->shared_slots.stamps);
}

const struct simt_check simt_check_shared_race = {
    .slot_open = slot_open,
    .slot_close = slot_close,
    .cta_begins = simt_shared_slots_clear,
};
