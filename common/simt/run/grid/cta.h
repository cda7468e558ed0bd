/*
 * One resident cta: it begins, and gets its turns.
 */
#ifndef SIMT_RUN_CTA_H
#define SIMT_RUN_CTA_H

#include "common/simt/run/sm.h"

/* The rows of an area that stay the same for all ctas; those that don't. */
void simt_area_fill(struct simt_sm *sm, const struct simt_warp *warp, struct simt_area *area);
void simt_area_start(struct simt_sm *sm, struct simt_area *area);
/* Makes the slot's cta that of an index. */
void simt_cta_start(struct simt_sm *sm, uint64_t index);
/* Gives the cta a turn. False when all its warps spin: it waits for another cta. */
bool simt_cta_run(struct simt_sm *sm);

#endif
