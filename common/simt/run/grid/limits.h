/*
 * What ends a launch that goes on too long or takes too much: budget, clock, the host's memory.
 */
#ifndef SIMT_RUN_LIMITS_H
#define SIMT_RUN_LIMITS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct simt_sm;

/* Of a slot. */
struct simt_limits {
    uint64_t budget;                 /* warp instructions; UINT64_MAX for any number */
    int64_t timeout_ms, deadline_ns; /* of CLOCK_MONOTONIC; 0 for none */
    const atomic_bool *interrupted;  /* the device's: another thread wants the kernel to stop */
    uint32_t fuel;                   /* turns until budget and clock are looked at */
    uint64_t looked_at;              /* the cta in which they last were … */
    uint64_t spent_before;           /* … and what was spent when they were for the first time */
    bool watches_host;               /* it may touch more memory than the host has: limits.c … */
    int64_t host_ns;                 /* … looks again from then on */
};

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
/* Before a launch: finds out whether it may touch more memory than the host has. */
void simt_host_memory_begin(struct simt_sm *sm);
/* To be asked now and again where it may: true once the host's memory has come to its end, for
 * which the kernel was stopped. */
bool simt_host_memory_is_over(struct simt_sm *sm);

#endif
