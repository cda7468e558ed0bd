/*
 * Undefined values: what a thread read from shared memory where nobody wrote, or got by a shuffle
 * from a lane that takes no part. Reading is harmless, and library code does it past the end of a
 * tile; a finding is made where the value decides something that can be seen: a branch, an address,
 * what goes to global memory or to another thread. So registers are followed, lane by lane, as
 * Valgrind's memcheck follows bits. What stems from a shuffle is followed through other shuffles,
 * too: a tree over a part of a warp adds such values in lanes whose sums nobody asks for.
 */
#pragma once

#include "common/simt/simt.h"
#include "common/simt/state/sm.h"

struct simt_insn;
struct simt_request;

/* A register of some lanes whose value stems from one load, or from one shuffle. */
struct simt_undefined {
    const uint8_t *rows; /* the function's registers that it is one of */
    int32_t reg;
    uint32_t mask;
    uint32_t hollow;             /* lanes that read what another store had made of such a value */
    uint32_t load;               /* the instruction */
    uint32_t offset[SIMT_LANES]; /* of a load: where each lane read, in shared memory */
};

enum { SIMT_MAX_UNDEFINED = 64 }; /* of a warp at a time; what is more is a finding at once */

/* A lane loads an element that nobody wrote. False where that can't be followed. */
bool simt_undefined_load(struct simt_sm *sm, const struct simt_request *request, unsigned element,
                         uint32_t lane, uint64_t offset);

/* Before the lanes of x.mask run a shuffle: those of `strays` get what is undefined. */
void simt_undefined_shuffle(struct simt_sm *sm, const struct simt_insn *insn, uint32_t strays);

/* Before the running warp, some of whose registers are undefined, runs an instruction for the lanes
 * of `mask` that its guard lets. */
void simt_undefined_step(struct simt_sm *sm, const struct simt_insn *insn, uint32_t mask);

/* Of the lanes of a store, those that store an undefined value. */
uint32_t simt_undefined_stored(const struct simt_sm *sm, const struct simt_insn *insn,
                               uint32_t mask);
/* Of these, those whose value is followed on through shared memory: of the others, whose value
 * stems from a shuffle, it is a finding. */
uint32_t simt_undefined_kept(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes);
/* They store it where it can be seen. */
void simt_undefined_seen(struct simt_sm *sm, const struct simt_insn *insn, uint32_t mask);

/* check.c: the finding: a load of nothing, used by another instruction or the same. */
void simt_report_unwritten(struct simt_sm *sm, const struct simt_undefined *value, uint32_t lane,
                           uint32_t user);

/* True where the value stems from a shuffle. */
static inline bool simt_is_shuffled(const struct simt_sm *sm, const struct simt_undefined *value) {
    return sm->steps[value->load].kind == SIMT_STEP_SHUFFLE;
}
