/*
 * Several host threads run ctas at a time, and the outcome is to be that of one thread that runs
 * them in order. Each thread keeps a footprint of the global memory that its ctas touch, a bit a
 * word of 4 bytes, and whoever is about to change a page first saves it. Where no word was written
 * by one thread and touched by another, the order did not matter. Otherwise all pages are put back,
 * and the ctas run again, one after the other. Until that is known, threads may race for a word and
 * its shadow: whatever they see there is data to them, and no outcome that counts depends on it.
 */
#pragma once

#include "common/simt/memory/space.h"

struct simt_request;
struct simt_region;

/* A bit a word of one allocation; NULL where there was no such access. */
struct simt_footprint {
    uint32_t *read, *written;
    uint32_t *updated; /* by reductions, which may come in any order */
};

/* Of one host thread. */
struct simt_guard {
    struct simt_footprint *footprints; /* one an allocation */
    size_t n;
    bool *abandoned; /* of all threads: this run will not count */
};

/* Before the threads start: allocations get their numbers and lists of saved pages. False when the
 * host has no memory. */
bool simt_guard_begin(struct simt_space *space);
/* After they ended: the pages are put back where `undo` says so. */
void simt_guard_end(struct simt_space *space, bool undo);

bool simt_guard_open(struct simt_guard *guard, const struct simt_space *space, bool *abandoned);
void simt_guard_close(struct simt_guard *guard);

/* Notes a request in global memory before its bytes move. False when that is not possible: the
 * request must not go on, and all is abandoned. */
bool simt_guard_note(struct simt_guard *guard, const struct simt_request *request,
                     const struct simt_region *region);

/* Saves the pages that a request is about to change, of an allocation whose pages nobody else
 * saves. False when the host has no memory. */
bool simt_guard_save(const struct simt_request *request, struct simt_allocation *allocation);

/* True when one thread wrote a word that the other touched. */
bool simt_guard_conflict(const struct simt_guard *a, const struct simt_guard *b,
                         const struct simt_space *space);
