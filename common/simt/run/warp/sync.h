/*
 * Where threads wait for each other: *_sync instructions of a warp (sync.c), barriers of a cta
 * (barrier.c).
 */
#pragma once

#include "common/simt/state/sm.h"

/* The split has come to such an instruction. False when it waits. */
bool simt_sync(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);
bool simt_barrier(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);
/* Lanes of the running warp have left at an instruction, for which others may wait: a finding. */
void simt_sync_left(struct simt_sm *sm, uint32_t lanes, uint32_t index);
/* Whoever waited for them goes on. */
void simt_sync_retry(struct simt_sm *sm, struct simt_warp *warp);
void simt_barrier_retry(struct simt_sm *sm);
