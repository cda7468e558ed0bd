/*
 * The finding of an access to shared memory that comes while an asynchronous copy may still be
 * under way: a read of what it brings (pending.h), or a write over what it reads (leaving.h).
 */
#ifndef SIMT_CHECKS_EARLY_H
#define SIMT_CHECKS_EARLY_H

#include "common/simt/state/findings.h"

struct simt_request;

/* The words of one kind. */
struct simt_early {
    const char *verb;   /* what the lane does too early: "reads" or "writes"; a literal */
    const char *opcode; /* of the copy */
    const char *where;  /* it goes, behind "the copy by thread 5 of block 0": " to global memory" */
    const char *state;  /* that it may still be in: "on its way" */
    const char *reason; /* why it may: "that thread has not waited for it" */
    const char *advice;
};

/* A lane of the running warp's request touches the element at an offset; `other` is the copy. */
void simt_report_early(struct simt_sm *sm, const struct simt_request *request,
                       const struct simt_region *region, uint32_t lane, uint64_t offset,
                       const struct simt_side *other, const struct simt_early *early);

#endif
