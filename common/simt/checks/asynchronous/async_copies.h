/*
 * Asynchronous copies.
 *
 * Copies by cp.async that a thread has not waited for. Until it does, nobody may read what they
 * bring, itself included; from then on it is as if the thread had written it at that moment, so
 * that others need a barrier after the wait. The bytes of such a copy have a flag of their own
 * among those that say what was written.
 *
 * Of bulk copies, and of others that an mbarrier is told of, it is the mbarrier that says when they
 * have come: nobody may read them until some thread has seen the phase end that they belong to. As
 * for the order between threads they are written where they are made, or told of.
 *
 * Bulk copies from shared to global memory, which read their source for a while: until the thread
 * that copies has waited for the group that it put them in (cp.async.bulk.wait_group, or .read of
 * it), nobody may overwrite those bytes, itself included. From then on it is as if the thread had
 * read them at that moment, so that others need a barrier after the wait.
 */
#pragma once

#include "common/simt/simt.h"
#include "common/simt/state/findings.h"
#include "common/simt/state/sm.h"

struct simt_sm;
struct simt_request;
struct simt_region;

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
/* Lanes of the running warp close a group, wait for all groups but the last `n` (UINT32_MAX: for
 * all copies), or tell each its mbarrier, whose places are in `barriers`, of all copies. */
void simt_copy_commit(struct simt_sm *sm, uint32_t lanes);
void simt_copy_wait(struct simt_sm *sm, uint32_t lanes, uint32_t n);
void simt_copy_tell(struct simt_sm *sm, uint32_t lanes, const uint32_t *barriers);

/* Bytes of shared memory that come in the phase that the mbarrier is in. */
struct simt_delivery {
    uint32_t offset, bytes;
    uint32_t barrier; /* where in shared memory the mbarrier is */
    bool phase;       /* its parity */
    bool is_over;     /* later ones have begun */
};

/* Those of a cta. */
struct simt_deliveries {
    size_t n, room;
    struct simt_delivery *list;
};

/* A thread has just written these bytes by a copy that the mbarrier knows of. */
void simt_delivery_begin(struct simt_sm *sm, uint32_t barrier, uint32_t offset, uint32_t bytes);
/* A thread has seen that the phase before the mbarrier's present one is over. */
void simt_delivery_end(struct simt_sm *sm, uint32_t barrier);

/* A lane reads a byte of shared memory that is on its way. */
void simt_copy_report(struct simt_sm *sm, const struct simt_request *request,
                      const struct simt_region *region, uint32_t lane, uint64_t offset);

struct simt_insn;

/* Those of a cta. */
struct simt_bulk_reads {
    size_t n, room;
    struct simt_bulk_read {
        uint32_t offset, bytes, thread;
        uint32_t index; /* the instruction */
        uint32_t age;   /* groups that the thread has committed since */
    } * list;
};

/* A lane of the running warp copies bytes of shared memory. */
void simt_bulk_read_begin(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                          uint32_t offset, uint32_t bytes);
/* Lanes of the running warp close a group, or wait for all groups but the last `n`. */
void simt_bulk_read_commit(struct simt_sm *sm, uint32_t lanes);
void simt_bulk_read_wait(struct simt_sm *sm, uint32_t lanes, uint32_t n);
