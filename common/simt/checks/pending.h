/*
 * Copies by cp.async that a thread has not waited for. Until it does, nobody may read what they
 * bring, itself included; from then on it is as if the thread had written it at that moment, so
 * that others need a barrier after the wait. The bytes of such a copy have a flag of their own
 * among those that say what was written.
 */
#ifndef SIMT_CHECKS_PENDING_H
#define SIMT_CHECKS_PENDING_H

#include "common/simt/simt.h"

struct simt_sm;
struct simt_request;
struct simt_region;

enum { SIMT_WRITTEN = 1, SIMT_PENDING = 2 };

/* The copies of a warp. */
struct simt_copies {
    uint32_t n_groups[SIMT_LANES]; /* that a lane has committed */
    size_t n, room;
    struct simt_copy {
        uint32_t index, bytes, mask; /* the instruction; of one lane; lanes that wait for it */
        uint32_t offset[SIMT_LANES], group[SIMT_LANES];
    } * list;
};

/* A request of cp.async writes to shared memory. */
void simt_copy_begin(struct simt_sm *sm, const struct simt_request *request,
                     const struct simt_region *region);
/* Lanes of the running warp close a group, or wait for all groups but the last `n` (UINT32_MAX: for
 * all copies). */
void simt_copy_commit(struct simt_sm *sm, uint32_t lanes);
void simt_copy_wait(struct simt_sm *sm, uint32_t lanes, uint32_t n);

/* A lane reads a byte of shared memory that is on its way. */
void simt_copy_report(struct simt_sm *sm, const struct simt_request *request,
                      const struct simt_region *region, uint32_t lane, uint64_t offset);

#endif
