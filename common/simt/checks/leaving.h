/*
 * Bulk copies from shared to global memory, which read their source for a while: until the thread
 * that copies has waited for the group that it put them in (cp.async.bulk.wait_group, or .read of
 * it), nobody may overwrite those bytes, itself included. From then on it is as if the thread had
 * read them at that moment, so that others need a barrier after the wait.
 */
#ifndef SIMT_CHECKS_LEAVING_H
#define SIMT_CHECKS_LEAVING_H

#include "common/simt/simt.h"

struct simt_insn;
struct simt_region;
struct simt_request;
struct simt_sm;

/* Those of a cta. */
struct simt_leavings {
    size_t n, room;
    struct simt_leaving {
        uint32_t offset, bytes, thread;
        uint32_t index; /* the instruction */
        uint32_t age;   /* groups that the thread has committed since */
    } * list;
};

/* A lane of the running warp copies bytes of shared memory. */
void simt_leaving_begin(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                        uint32_t offset, uint32_t bytes);
/* Lanes of the running warp close a group, or wait for all groups but the last `n`. */
void simt_leaving_commit(struct simt_sm *sm, uint32_t lanes);
void simt_leaving_wait(struct simt_sm *sm, uint32_t lanes, uint32_t n);

/* Reports a request that writes what is being read. */
void simt_leaving_check(struct simt_sm *sm, const struct simt_request *request,
                        const struct simt_region *region);

#endif
