/*
 * What an access does to the shadow of a word of global memory, found out once for all words whose
 * slots have the same contexts. All that matters beside these is whether the word's writer and its
 * reader are the thread itself, one of its warp, or another one.
 */
#pragma once

#include "common/simt/checks/race/ages.h"
#include "common/simt/checks/race/race.h"

/* What an access finds in a word, by the thread of the word's writer and by that of its reader. */
enum { SIMT_SELF, SIMT_SAME_WARP, SIMT_OTHER_WARP, SIMT_RELATIONS };

static inline uint32_t simt_relation(uint32_t slot, uint32_t mine) {
    uint32_t differs = (slot ^ mine) & SIMT_SLOT_THREADS;
    return (uint32_t)(differs != 0) + (differs >= SIMT_LANES << SIMT_SLOT_THREAD);
}

/* One request's accesses to words. */
struct simt_batch {
    const struct simt_walk *walk;
    const struct simt_ages *ages; /* NULL: slots don't tell */
    uint64_t stamp;               /* with the bytes touched, without the thread */
    uint32_t slot;                /* without the thread */
    uint32_t written;             /* flags of the bytes touched */
    bool writes;
};

/* The parts of a slot that a verdict depends on. */
#define SIMT_SLOT_KEY (UINT32_MAX << SIMT_SLOT_CONTEXT | SIMT_SLOT_RIVAL)

/* `stamp` has the bytes touched. */
struct simt_batch simt_batch_start(const struct simt_walk *walk, uint64_t stamp, bool writes);

/* The verdict that was asked for last, and the parts of slots that it is for. */
struct simt_known {
    struct simt_verdict verdict;
    uint32_t writer, reader;
};

static const struct simt_known SIMT_NOT_KNOWN = {.writer = 0};

/* Finds the verdict on the batch's accesses to a word with these slots. */
void simt_find_verdict(const struct simt_batch *batch, struct simt_known *known, uint32_t writer,
                       uint32_t reader);

SIMT_PART_OF_EACH const struct simt_verdict *simt_ask(const struct simt_batch *batch,
                                                      struct simt_known *known, uint32_t writer,
                                                      uint32_t reader) {
    if ((((writer ^ known->writer) | (reader ^ known->reader)) & SIMT_SLOT_KEY) ||
        !known->verdict.is_known)
        simt_find_verdict(batch, known, writer, reader);
    return &known->verdict;
}

/* What the thread of a slot does to a word with these two. */
SIMT_PART_OF_EACH uint32_t simt_action(const struct simt_verdict *verdict, uint32_t writer,
                                       uint32_t reader, uint32_t mine) {
    if (verdict->common != SIMT_IT_DEPENDS)
        return verdict->common;
    return verdict->actions >>
               2 * (SIMT_RELATIONS * simt_relation(writer, mine) + simt_relation(reader, mine)) &
           3;
}
