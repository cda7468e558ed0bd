/*
 * The table of stamps that the slots of shared memory are about (memory/shadow.h): those of the
 * cta's accesses since its last barrier. What is older is ordered before all that comes, and nobody
 * asks for it.
 */
#pragma once

#include "common/simt/state/sm.h"

struct simt_cells;

enum { SIMT_SHARED_KNOWN = 256 }; /* stamps that are found at once */

/* Slots since a point in time are no less than that point's. */
struct simt_shared_points {
    uint32_t cta, warp; /* its last barrier; the running warp's last sync, or that barrier */
};

/* Of a cta. */
struct simt_shared_slots {
    uint64_t *stamps; /* without threads, in the order of time */
    size_t n, room;
    uint32_t first; /* the number of the first one */
    struct simt_shared_known {
        uint64_t stamp;
        uint32_t slot;
    } known[SIMT_SHARED_KNOWN];
    struct simt_shared_points points; /* of these two stamps */
    uint64_t warp, cta;
};

/* The slot of a stamp, both without a thread. 0, with which nothing races, where the host has no
 * memory. Another one may give all slots new numbers. */
uint32_t simt_shared_slot_add(struct simt_sm *sm, struct simt_shared_slots *slots, uint64_t stamp);
static inline uint32_t simt_shared_slot(struct simt_sm *sm, struct simt_shared_slots *slots,
                                        uint64_t stamp) {
    const uint64_t bytes = stamp >> SIMT_STAMP_BYTE & 15;
    const uint64_t at = (stamp + 71 * bytes) % SIMT_SHARED_KNOWN; /* spread */
    const struct simt_shared_known *known = &slots->known[at];
    return known->stamp == stamp ? known->slot : simt_shared_slot_add(sm, slots, stamp);
}

/* The stamp of a slot, with its thread; 0 where it is older than the table. */
uint64_t simt_shared_stamp(const struct simt_sm *sm, uint32_t slot);

/* The points in time of the running warp. */
void simt_shared_points_find(struct simt_shared_slots *slots, const struct simt_order *order);
static inline struct simt_shared_points simt_shared_points(struct simt_shared_slots *slots,
                                                           const struct simt_order *order) {
    if (slots->warp != order->warp || slots->cta != order->cta)
        simt_shared_points_find(slots, order);
    return slots->points;
}

/* Lets the lists of slots themselves count, for `n` words. */
void simt_cells_spread(const struct simt_cells *cells, uint64_t first, uint64_t n);

/* Some bytes may no longer be written. */
void simt_cells_undefine(const struct simt_cells *cells, uint64_t offset, uint64_t bytes);

/* A barrier, or another cta: no stamp so far will be asked for. */
void simt_shared_slots_clear(struct simt_sm *sm);
