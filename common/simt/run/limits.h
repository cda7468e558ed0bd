/*
 * What ends a launch that goes on too long or takes too much: budget, clock, the host's memory.
 */
#pragma once

#include "common/simt/state/sm.h"

/* What a launch may take begins here. */
void simt_budget_begin(struct simt_sm *sm, uint64_t budget, int64_t timeout_ms);
/* The warp instructions of all slots that add to the same counts. */
uint64_t simt_executed(const struct simt_sm *sm);
/* They have taken more than the budget. */
bool simt_is_spent(const struct simt_sm *sm);
/* More than half of that was spent by ctas which had all ended when the running one began: the
 * kernel does too much, rather than the same for ever. Never so where ctas take turns, or come in a
 * drawn order. */
bool simt_is_costly(const struct simt_sm *sm);
/* Looks at budget, clock and interruptions: true once the kernel has to stop. */
bool simt_look(struct simt_sm *sm);
/* Before a launch: finds out whether it may touch more memory than the host has, or `bytes` of it
 * where that is not 0. */
void simt_host_memory_begin(struct simt_sm *sm, size_t bytes);
/* To be asked now and again where it may: true once the host's memory has come to its end, for
 * which the kernel was stopped. */
bool simt_host_memory_is_over(struct simt_sm *sm);

/* True once the kernel has to stop. To be asked at each back edge and call, with 1, and
 * for each cta. */
static inline bool simt_is_over(struct simt_sm *sm, uint32_t turns) {
    if (sm->limits.fuel > turns) {
        sm->limits.fuel -= turns;
        return false;
    }
    return simt_look(sm);
}
