/*
 * One resident cta: it begins, and gets its turns.
 */
#pragma once

#include "common/simt/state/sm.h"

/* Makes the slot's cta that of an index. */
void simt_cta_start(struct simt_sm *sm, uint64_t index);
/* Gives the cta a turn. False when all its warps spin: it waits for another cta. */
bool simt_cta_run(struct simt_sm *sm);
