/*
 * The loop over instructions.
 */
#pragma once

#include "common/simt/state/sm.h"

/* Runs the warp until all its lanes wait or left, or it gives way to other warps. */
void simt_warp_run(struct simt_sm *sm, struct simt_warp *warp);

/* Before a launch: finds the straight runs: they end at special instructions and where diverged
 * lanes may meet. True when threads of the kernel may hand data over: it has fences or strong
 * reads. */
bool simt_steps_prepare(struct simt_sm *sm);
