/*
 * One word of global memory that an access has to look at closer: where verdict.c, which looks at
 * words that are alike together, says SIMT_LOOK_CLOSER. There may be a conflict, or a second reader
 * goes to the table of rivals.
 */
#include "common/simt/checks/race/order.h"
#include "common/simt/checks/race/race.h"

static inline uint64_t stamp_of(const struct simt_walk *walk, uint32_t slot) {
    return simt_slot_stamp(walk->sm->contexts, slot);
}

/* The address of the word at an offset, by which the table of rivals knows it. */
static inline uint64_t address_of(const struct simt_walk *walk, uint64_t offset) {
    return walk->region->allocation->address + (offset & ~UINT64_C(3));
}

static void suspect(const struct simt_walk *walk, uint32_t lane, uint64_t offset, uint64_t mine,
                    uint64_t other, bool other_wrote) {
    simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, other, other_wrote);
}

/* The word has a reader already which is not ordered with the one that comes now. Two readers are
 * kept: the last one, and a *rival*, of another cta where possible, since no barrier orders the
 * two, or else of another warp. The rival takes the writer's slot as long as this launch has not
 * written the word; then it is in the table of rivals. Returns the flag by which the reader's slot
 * says that the table has one.
 */
static uint32_t keep_rival(const struct simt_walk *walk, struct simt_word *word, uint64_t mine,
                           uint64_t reader, uint64_t address) {
    const struct simt_order *order = walk->order;
    const uint64_t start = order->start, first = stamp_of(walk, word->writer);
    const bool is_here = word->writer & SIMT_SLOT_RIVAL;
    const bool is_there = !is_here && simt_is_recent(order, first);
    uint64_t rival = is_here ? first : 0;
    if (is_there && word->reader & SIMT_SLOT_RIVAL)
        rival = simt_rivals_find(walk->sm->checker->rivals, address);
    if (simt_same_warp(reader, mine, start) && simt_unordered(order, rival, mine) &&
        !simt_same_warp(rival, mine, start))
        return 0;
    if (reader >= start && simt_is_of_other_cta(walk->sm, rival))
        return 0;
    if (is_there) {
        simt_rivals_keep(walk->sm->checker->rivals, address, reader);
        return SIMT_SLOT_RIVAL;
    }
    word->writer = (word->reader & ~(uint32_t)SIMT_SLOT_WRITTEN) | SIMT_SLOT_RIVAL |
                   (word->writer & SIMT_SLOT_WRITTEN);
    return 0;
}

/* Somebody, and not the same thread at the same instruction and time. */
static inline bool is_other(uint32_t slot, uint32_t mine) {
    return slot > SIMT_SLOT_WRITTEN && (slot ^ mine) > SIMT_SLOT_WRITTEN;
}

void simt_read_word(const struct simt_walk *walk, struct simt_word *word, uint32_t slot,
                    uint64_t mine, uint32_t lane, uint64_t offset) {
    uint32_t flags = word->reader & (SIMT_SLOT_WRITTEN | SIMT_SLOT_RIVAL);
    if (!(word->writer & SIMT_SLOT_RIVAL) && is_other(word->writer, slot)) {
        uint64_t writer = stamp_of(walk, word->writer);
        if (simt_unordered(walk->order, writer, mine) &&
            (walk->is_volatile_load ? simt_overlap(writer, mine) : simt_clash(writer, mine)))
            suspect(walk, lane, offset, mine, writer, true);
    }
    if (is_other(word->reader, slot)) {
        uint64_t reader = stamp_of(walk, word->reader);
        if (simt_unordered(walk->order, reader, mine))
            flags |= keep_rival(walk, word, mine, reader, address_of(walk, offset));
    }
    word->reader = slot | flags;
}

/* One that has read the word before; `other` is no stamp's where it is 0. */
static inline void meet_reader(const struct simt_walk *walk, uint64_t other, uint64_t mine,
                               uint32_t lane, uint64_t offset) {
    if (simt_unordered(walk->order, other, mine) && simt_clash(other, mine))
        suspect(walk, lane, offset, mine, other, false);
}

/* The plain store of this launch that an atomic of the word follows becomes its last reader, where
 * it must be kept. */
static inline void keep_store(const struct simt_walk *walk, struct simt_word *word, uint64_t mine) {
    uint64_t writer = stamp_of(walk, word->writer);
    if (!(word->writer & SIMT_SLOT_RIVAL) && simt_is_recent(walk->order, writer) &&
        simt_keeps_store(writer, stamp_of(walk, word->reader), mine))
        word->reader = (word->writer & ~SIMT_SLOT_WRITTEN) | (word->reader & SIMT_SLOT_WRITTEN);
}

void simt_write_word(const struct simt_walk *walk, struct simt_word *word, uint32_t slot,
                     uint64_t mine, uint32_t lane, uint64_t offset) {
    if (is_other(word->writer, slot)) {
        uint64_t writer = stamp_of(walk, word->writer);
        if (simt_unordered(walk->order, writer, mine) && simt_clash(writer, mine))
            suspect(walk, lane, offset, mine, writer, !(word->writer & SIMT_SLOT_RIVAL));
    }
    if (is_other(word->reader, slot))
        meet_reader(walk, stamp_of(walk, word->reader), mine, lane, offset);
    if (word->reader & SIMT_SLOT_RIVAL)
        meet_reader(walk, simt_rivals_find(walk->sm->checker->rivals, address_of(walk, offset)),
                    mine, lane, offset);
    keep_store(walk, word, mine);
    uint32_t written = (uint32_t)(mine >> SIMT_STAMP_BYTE & 15);
    word->writer = slot | (word->writer & SIMT_SLOT_WRITTEN) | (written & 3);
    word->reader = (word->reader & ~SIMT_SLOT_RIVAL) | written >> 2;
}
