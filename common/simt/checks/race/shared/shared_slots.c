/*
 * Stamps of shared memory get numbers in the order in which they are met. When these run out, those
 * that no slot names are left out, and the others get new ones.
 */
#include "common/simt/checks/race/shared/shared_slots.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/simt/checks/checker.h"

static const uint32_t NUMBERS = UINT32_C(1) << 20; /* more than three for each word there can be */

static struct simt_shared_slots *slots_of(const struct simt_sm *sm) {
    return &sm->checker->shared_slots;
}

/* No stamp is known, and no point. */
static void forget(struct simt_shared_slots *slots) {
    memset(slots->known, 0, sizeof slots->known);
    slots->warp = slots->cta = UINT64_MAX;
}

static void spread(uint32_t *list, uint32_t slot) {
    for (uint32_t i = 0; i < SIMT_CELL_ROW; i++)
        list[i] = slot + i;
}

static void spread_row(const struct simt_cells *cells, uint64_t i) {
    struct simt_cell_row *row = &cells->rows[i];
    if (row->is_row & SIMT_ROW_WRITER)
        spread(cells->writers + i * SIMT_CELL_ROW, row->writer);
    if (row->is_row & SIMT_ROW_READER)
        spread(cells->readers + i * SIMT_CELL_ROW, row->reader);
    if (row->is_row & SIMT_ROW_RIVAL)
        spread(cells->rivals + i * SIMT_CELL_ROW, row->rival);
    row->is_row = (row->is_row & ~(uint32_t)SIMT_ROW_SLOTS) + SIMT_ROW_SPREAD;
}

void simt_cells_spread(const struct simt_cells *cells, uint64_t first, uint64_t n) {
    for (uint64_t i = first / SIMT_CELL_ROW; i <= (first + n - 1) / SIMT_CELL_ROW; i++)
        if (cells->rows[i].is_row & SIMT_ROW_SLOTS)
            spread_row(cells, i);
}

void simt_cells_undefine(const struct simt_cells *cells, uint64_t offset, uint64_t bytes) {
    const uint64_t row_bytes = 4 * SIMT_CELL_ROW;
    for (uint64_t i = offset / row_bytes; bytes && i <= (offset + bytes - 1) / row_bytes; i++)
        cells->rows[i].is_row &= ~(uint32_t)SIMT_ROW_WRITTEN;
}

void simt_shared_slots_clear(struct simt_sm *sm) {
    struct simt_shared_slots *slots = slots_of(sm);
    slots->first += slots->first ? (uint32_t)slots->n : 1; /* 0 is of no time */
    slots->n = 0;
    slots->warp = slots->cta = UINT64_MAX;
}

/* Lets `n` slots name the numbers that their own ones stand for; others are of no time. */
static void rename_slots(const struct simt_shared_slots *slots, uint32_t *list, size_t n,
                         const uint32_t *renamed) {
    for (size_t i = 0; i < n; i++) {
        uint32_t number = list[i] >> SIMT_SHARED_NUMBER,
                 rest = SIMT_SHARED_STRONG | SIMT_SHARED_THREADS;
        list[i] = number < slots->first
                      ? 0
                      : renamed[number - slots->first] << SIMT_SHARED_NUMBER | (list[i] & rest);
    }
}

/* Leaves out the stamps that no slot names. */
static void renumber(struct simt_sm *sm) {
    struct simt_shared_slots *slots = slots_of(sm);
    uint32_t *list = sm->shared_cells.writers, n_kept = 0;
    const size_t n_words = simt_cells_for(sm->shared_bytes, SIMT_SHARED_SPARE_BYTES),
                 n = 3 * n_words;
    simt_cells_spread(&sm->shared_cells, 0, n_words);
    uint32_t *renamed = calloc(slots->n + 1, sizeof *renamed);
    for (size_t i = 0; renamed && i < n; i++)
        if (list[i] >> SIMT_SHARED_NUMBER >= slots->first)
            renamed[(list[i] >> SIMT_SHARED_NUMBER) - slots->first] = 1;
    for (size_t i = 0; renamed && i < slots->n; i++) {
        if (!renamed[i])
            continue;
        slots->stamps[n_kept] = slots->stamps[i];
        renamed[i] = ++n_kept;
    }
    if (renamed)
        rename_slots(slots, list, n, renamed);
    else
        memset(list, 0, n * sizeof *list);
    slots->first = 1;
    slots->n = n_kept;
    forget(slots);
    free(renamed);
}

/* A number for a stamp; 0 where there is no memory. */
static uint32_t add(struct simt_sm *sm, uint64_t stamp) {
    struct simt_shared_slots *slots = slots_of(sm);
    if (slots->first + slots->n >= NUMBERS)
        renumber(sm);
    uint64_t *stamps = grow_room(slots->stamps, slots->n, &slots->room, 64, sizeof *stamps);
    if (!stamps)
        return 0;
    slots->stamps = stamps;
    slots->stamps[slots->n] = stamp;
    return slots->first + (uint32_t)slots->n++;
}

uint32_t simt_shared_slot_add(struct simt_sm *sm, struct simt_shared_slots *slots, uint64_t stamp) {
    const uint32_t number = add(sm, stamp);
    const uint64_t bytes = stamp >> SIMT_STAMP_BYTE & 15;
    struct simt_shared_known *known = &slots->known[(stamp + 71 * bytes) % SIMT_SHARED_KNOWN];
    known->stamp = number ? stamp : 0;
    known->slot = number << SIMT_SHARED_NUMBER |
                  (number && stamp & SIMT_STAMP_STRONG ? SIMT_SHARED_STRONG : 0);
    return known->slot;
}

uint64_t simt_shared_stamp(const struct simt_sm *sm, uint32_t slot) {
    const struct simt_shared_slots *slots = slots_of(sm);
    const uint32_t number = slot >> SIMT_SHARED_NUMBER;
    if (number < slots->first || number - slots->first >= slots->n)
        return 0;
    return slots->stamps[number - slots->first] | (uint64_t)(slot & SIMT_SHARED_THREADS)
                                                      << SIMT_STAMP_THREAD;
}

/* The slot of the first stamp that is no earlier. */
static uint32_t find(const struct simt_shared_slots *slots, uint64_t stamp) {
    size_t n = count_below(stamp, slots->stamps, slots->n, sizeof *slots->stamps);
    return (slots->first + (uint32_t)n) << SIMT_SHARED_NUMBER;
}

void simt_shared_points_find(struct simt_shared_slots *slots, const struct simt_order *order) {
    slots->warp = order->warp;
    slots->cta = order->cta;
    slots->points = (struct simt_shared_points){find(slots, slots->cta), find(slots, slots->warp)};
}
