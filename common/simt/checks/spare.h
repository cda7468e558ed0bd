/*
 * Accesses that need no record. Reads don't race with reads, nor do atomics with atomics. So the
 * shadow is not told of reads of an allocation as long as the launch has only read it, and of
 * accesses to shared memory as long as the cta, since its last barrier, has only read it or only
 * updated it by atomics. Where an access of another kind follows, it may race with those: before it
 * is made, the launch ends, starts over, and this time records everything. It does so before it
 * tells of any race. So its findings are those of a launch that records everything.
 *
 * To start over is right where the launch would do the same once more: it has read nothing that it
 * has written, what it has updated by atomics in global memory is put back, and it neither prints
 * nor allocates (simt_program.may_start_over). It costs the time until then, once a kernel: from
 * then on the kernel's launches record everything.
 */
#pragma once

#include "common/simt/memory/space.h"
#include "common/simt/state/sm.h"

/* What a cta has done with shared memory since its last barrier. */
enum simt_phase {
    SIMT_PHASE_NEW,      /* nothing */
    SIMT_PHASE_READ,     /* it has only read, and not all of that is recorded */
    SIMT_PHASE_UPDATED,  /* the same of atomics */
    SIMT_PHASE_RECORDED, /* all that it did is recorded */
};

/* The launch ends here, and starts over. The access that is looked at must not go on. */
void simt_start_over(struct simt_sm *sm);

/* True where an access to global memory need not be recorded, or ends the launch. */
bool simt_spares_global(struct simt_sm *sm, const struct simt_allocation *allocation,
                        enum simt_touch touch);

/* The same of shared memory. */
bool simt_spares_shared(struct simt_sm *sm, enum simt_touch touch);

/* Keeps the bytes that an atomic request is about to change, so that they can be put back. */
void simt_keep_updated(struct simt_sm *sm, const struct simt_request *request,
                       const struct simt_allocation *allocation);
