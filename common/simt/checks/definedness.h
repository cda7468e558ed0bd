/*
 * Undefined values: what a thread read from shared memory where nobody wrote. Reading is harmless,
 * and library code does it past the end of a tile; a finding is made where the value decides
 * something that can be seen: a branch, an address, what goes to global memory or to another
 * thread. So registers are followed, lane by lane, as Valgrind's memcheck follows bits.
 */
#pragma once

#include "common/simt/simt.h"

struct simt_sm;
struct simt_insn;
struct simt_request;

/* A register of some lanes whose value stems from one load. */
struct simt_undefined {
    const uint8_t *rows; /* the function's registers that it is one of */
    int32_t reg;
    uint32_t mask;
    uint32_t hollow;             /* lanes that read what another store had made of such a value */
    uint32_t load;               /* the instruction */
    uint32_t offset[SIMT_LANES]; /* where each lane read, in shared memory */
};

enum { SIMT_MAX_UNDEFINED = 64 }; /* of a warp at a time; what is more is a finding at once */

/* A lane loads an element that nobody wrote. False where that can't be followed. */
bool simt_undefined_load(struct simt_sm *sm, const struct simt_request *request, unsigned element,
                         uint32_t lane, uint64_t offset);

/* Before the running warp, some of whose registers are undefined, runs an instruction for the lanes
 * of `mask` that its guard lets. */
void simt_undefined_step(struct simt_sm *sm, const struct simt_insn *insn, uint32_t mask);

/* Of the lanes of a store, those that store an undefined value. */
uint32_t simt_undefined_stored(const struct simt_sm *sm, const struct simt_insn *insn,
                               uint32_t mask);
/* They store it where it can be seen. */
void simt_undefined_seen(struct simt_sm *sm, const struct simt_insn *insn, uint32_t mask);

/* check.c: the finding: a load of nothing, used by another instruction or the same. */
void simt_report_unwritten(struct simt_sm *sm, const struct simt_undefined *value, uint32_t lane,
                           uint32_t user);
