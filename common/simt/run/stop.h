/*
 * Kernels that don't end by themselves: each of these stops the kernel, and says why.
 */
#pragma once

#include "common/simt/state/sm.h"

/* All threads of the cta wait (x.fault becomes SIMT_DEADLOCK); budget or time are spent
 * (SIMT_TIMEOUT); a trap (SIMT_TRAP). */
void simt_deadlock(struct simt_sm *sm);
void simt_endless(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane);
/* All resident ctas spin. `next` is the first cta that has not started, UINT64_MAX for none. */
void simt_wait_without_end(struct simt_sm *sm, uint64_t n_resident, uint64_t next);
/* The same where no thread is in a loop: there are too many ctas. */
void simt_too_long(struct simt_sm *sm);
void simt_trapped(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane);
/* The same for an assertion that failed; a call or jump to where no code is; calls that are too
 * deep; a host without memory; free() of what malloc() did not give. */
void simt_asserted(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                   const char *message);
void simt_lost(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane);
void simt_overflowed(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                     uint32_t depth);
void simt_exhausted(struct simt_sm *sm, const struct simt_insn *insn);
void simt_misfreed(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane);
/* A barrier for so many threads, which are no whole warps. */
void simt_miscounted(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                     uint32_t n_threads);
