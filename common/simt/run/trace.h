/*
 * The steps of chosen ctas, kept for pictures of what their warps did.
 */
#ifndef SIMT_ENGINE_TRACE_H
#define SIMT_ENGINE_TRACE_H

#include "common/simt/simt.h"

struct simt_sm;

struct simt_trace {
    uint64_t first, n_ctas; /* the ctas that are traced */
    struct simt_event *events;
    size_t n, room, n_dropped;
};

/* The running warp is to issue `n` instructions from `pc` on for these lanes. */
void simt_trace_note(struct simt_sm *sm, uint32_t pc, uint32_t n, uint32_t mask);

#endif
