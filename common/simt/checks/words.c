/*
 * The checks of global memory: races and reads of what nobody wrote. Requests whose lanes lie one
 * behind the other, the most common ones, are looked at as a whole: where the words agree on when
 * they were touched, one comparison does for all.
 */
#include "common/simt/checks/race.h"

#include <string.h>

#include "common/simt/access/guard.h"

/* A word as one number: the reader's slot above the writer's. */
#define BOTH(slot) ((uint64_t)(slot) << 32 | (slot))
#define CONTEXTS   (UINT32_MAX << SIMT_SLOT_CONTEXT)

/* The words that all lanes touch, side by side; word i is of lane i >> shift. */
struct row {
    struct simt_sm *sm;
    struct simt_word *words;
    enum simt_touch touch;
    bool is_defined; /* nobody asks whether they were written */
    uint32_t slot;   /* of lane 0, without flags */
};

/* A new number; 0, which no access is unordered with, where there is no room. */
static uint32_t add_context(struct simt_sm *sm, uint64_t stamp) {
    struct simt_contexts *contexts = &sm->space->contexts;
    uint32_t number = __atomic_fetch_add(&contexts->n, 1, __ATOMIC_RELAXED);
    if (number >= SIMT_CONTEXTS) {
        __atomic_fetch_sub(&contexts->n, 1, __ATOMIC_RELAXED);
        if (sm->guard) {
            __atomic_store_n(sm->guard->abandoned, true, __ATOMIC_RELAXED);
            return 0;
        }
        simt_contexts_clean(sm->space, sm->order.foreign < sm->order.launch ? sm->order.foreign
                                                                            : sm->order.launch);
        if (contexts->n > SIMT_CONTEXTS / 4 * 3) /* too many to look for them again and again */
            simt_space_forget(sm->space);
        number = contexts->n++;
    }
    contexts->stamps[number] = stamp;
    return number;
}

/* The number of a stamp without its thread. */
static uint32_t find_context(struct simt_sm *sm, uint64_t stamp) {
    uint32_t at = (uint32_t)(stamp ^ stamp >> SIMT_STAMP_BYTE) % SIMT_INTERNED;
    struct simt_interned *known = &sm->interned[at];
    if (known->stamp != stamp || known->generation != sm->space->contexts.generation) {
        known->number = add_context(sm, stamp);
        known->stamp = known->number ? stamp : 0;
        known->generation = sm->space->contexts.generation;
    }
    return known->number;
}

static inline uint64_t stamp_of(const struct simt_walk *walk, uint32_t slot) {
    return simt_slot_stamp(walk->sm->contexts, slot);
}

/* Of the word at an offset, as rivals.h has it. */
static inline uint64_t address_of(const struct simt_walk *walk, uint64_t offset) {
    return walk->region->allocation->address + (offset & ~UINT64_C(3));
}

static void suspect(const struct simt_walk *walk, uint32_t lane, uint64_t offset, uint64_t mine,
                    uint64_t other, bool other_wrote) {
    simt_suspect(walk->sm, walk->request, walk->region, lane, offset, mine, other, other_wrote);
}

/* A reader beside the last one, which is not ordered with it. Two are kept, of different warps
 * where possible: the last one, and a rival in the place of a writer that the launch has not had,
 * or in the table of rivals. Gives the reader's flag that says so. */
static uint32_t keep_rival(const struct simt_walk *walk, struct simt_word *word, uint64_t mine,
                           uint64_t reader, uint64_t address) {
    const struct simt_order *order = &walk->order;
    const uint64_t start = order->start, first = stamp_of(walk, word->writer);
    const bool is_here = word->writer & SIMT_SLOT_RIVAL;
    const bool is_there = !is_here && simt_is_recent(order, first);
    uint64_t rival = is_here ? first : 0;
    if (is_there && word->reader & SIMT_SLOT_RIVAL)
        rival = simt_rivals_find(walk->sm->checker->rivals, address);
    if (simt_same_warp(reader, mine, start) && simt_unordered(order, rival, mine) &&
        !simt_same_warp(rival, mine, start))
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

static inline void step_read(const struct simt_walk *walk, struct simt_word *word, uint32_t slot,
                             uint64_t mine, uint32_t lane, uint64_t offset) {
    uint32_t flags = word->reader & (SIMT_SLOT_WRITTEN | SIMT_SLOT_RIVAL);
    if (!(word->writer & SIMT_SLOT_RIVAL) && is_other(word->writer, slot)) {
        uint64_t writer = stamp_of(walk, word->writer);
        if (simt_unordered(&walk->order, writer, mine) &&
            (walk->is_volatile_load ? simt_overlap(writer, mine) : simt_clash(writer, mine)))
            suspect(walk, lane, offset, mine, writer, true);
    }
    if (is_other(word->reader, slot)) {
        uint64_t reader = stamp_of(walk, word->reader);
        if (simt_unordered(&walk->order, reader, mine))
            flags |= keep_rival(walk, word, mine, reader, address_of(walk, offset));
    }
    word->reader = slot | flags;
}

/* One that has read the word before; `other` is no stamp's where it is 0. */
static inline void meet_reader(const struct simt_walk *walk, uint64_t other, uint64_t mine,
                               uint32_t lane, uint64_t offset) {
    if (simt_unordered(&walk->order, other, mine) && simt_clash(other, mine))
        suspect(walk, lane, offset, mine, other, false);
}

static inline void step_write(const struct simt_walk *walk, struct simt_word *word, uint32_t slot,
                              uint64_t mine, uint32_t lane, uint64_t offset) {
    if (is_other(word->writer, slot)) {
        uint64_t writer = stamp_of(walk, word->writer);
        if (simt_unordered(&walk->order, writer, mine) && simt_clash(writer, mine))
            suspect(walk, lane, offset, mine, writer, !(word->writer & SIMT_SLOT_RIVAL));
    }
    if (is_other(word->reader, slot))
        meet_reader(walk, stamp_of(walk, word->reader), mine, lane, offset);
    if (word->reader & SIMT_SLOT_RIVAL)
        meet_reader(walk, simt_rivals_find(walk->sm->checker->rivals, address_of(walk, offset)),
                    mine, lane, offset);
    uint32_t written = (uint32_t)(mine >> SIMT_STAMP_BYTE & 15);
    word->writer = slot | (word->writer & SIMT_SLOT_WRITTEN) | (written & 3);
    word->reader = (word->reader & ~SIMT_SLOT_RIVAL) | written >> 2;
}

/* The words of one lane; `context` is the number of the request's stamp with the bytes touched. */
static inline void step_lane(const struct simt_walk *walk, uint32_t lane, uint64_t stamp,
                             uint32_t context, bool writes) {
    uint64_t offset = walk->request->offset[lane];
    uint32_t bytes = walk->request->bytes;
    uint32_t thread = walk->sm->warp->index * SIMT_LANES + lane;
    uint64_t mine = stamp | (uint64_t)thread << SIMT_STAMP_THREAD;
    uint32_t slot = context << SIMT_SLOT_CONTEXT | thread << SIMT_SLOT_THREAD;
    struct simt_word *word = &walk->region->words[offset >> 2];
    for (uint32_t at = 0; at < bytes; at += 4, word++) {
        if (writes)
            step_write(walk, word, slot, mine, lane, offset + at);
        else
            step_read(walk, word, slot, mine, lane, offset + at);
    }
}

SIMT_PART_OF_EACH void step_lanes(const struct simt_walk *walk, bool writes) {
    const struct simt_request *request = walk->request;
    uint64_t stamp = 0;
    uint32_t context = 0;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t mine = walk->stamp | simt_touched(request->offset[lane], request->bytes);
        if (mine != stamp)
            context = find_context(walk->sm, stamp = mine);
        step_lane(walk, lane, stamp, context, writes);
    }
}

/* Elements of which nobody wrote a byte: padding is read with its neighbours. */
static void check_written(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    uint32_t element_bytes = ptx_type_bytes(request->insn->type);
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        for (unsigned e = 0; e < request->insn->n_elements; e++) {
            uint64_t offset = request->offset[lane] + e * element_bytes;
            bool is_used = request->insn->rows[e] != SIMT_NO_ROW || request->touch != SIMT_READS;
            if (is_used && !simt_any_written(walk->region->words, offset, element_bytes))
                simt_report_uninitialised(walk->sm, request, walk->region, lane, offset);
        }
    }
}

/* What the words of a row have in common. */
struct summary {
    uint64_t differs; /* bits of contexts and rival flags in which they are not all the same */
    uint64_t strays;  /* bits of threads other than the one that touches the word now */
    uint64_t written; /* flags that all have */
};

SIMT_PART_OF_EACH struct summary summarise(const struct row *row, uint32_t shift) {
    const uint64_t step = BOTH(1u << SIMT_SLOT_THREAD), mine = BOTH(row->slot);
    struct summary sum = {0, 0, UINT64_MAX};
    uint64_t first;
    memcpy(&first, row->words, sizeof first);
    for (uint32_t i = 0; i < (uint32_t)SIMT_LANES << shift; i++) {
        uint64_t word;
        memcpy(&word, row->words + i, sizeof word);
        sum.differs |= word ^ first;
        sum.strays |= word ^ (mine + (i >> shift) * step);
        sum.written &= word;
    }
    sum.differs &= BOTH(CONTEXTS | SIMT_SLOT_RIVAL);
    sum.strays &= BOTH(SIMT_SLOT_THREADS);
    return sum;
}

/* Sets the bits of `changed`, in all words, to those of the lanes' slots and `flags`. */
SIMT_PART_OF_EACH void put_row(const struct row *row, uint32_t shift, uint64_t changed,
                               uint64_t flags) {
    const uint64_t step = BOTH(1u << SIMT_SLOT_THREAD), mine = BOTH(row->slot);
    for (uint32_t i = 0; i < (uint32_t)SIMT_LANES << shift; i++) {
        uint64_t word;
        memcpy(&word, row->words + i, sizeof word);
        word = (word & ~changed) | ((mine + (i >> shift) * step) & changed) | flags;
        memcpy(row->words + i, &word, sizeof word);
    }
}

/* True where no lane of the request can be in conflict with the slots of a row, all of one context:
 * it is older than all that counts, or each lane finds itself. */
static bool is_past(const struct simt_sm *sm, uint32_t slot, bool is_own) {
    const struct simt_order *order = &sm->order;
    uint64_t time = sm->contexts[slot >> SIMT_SLOT_CONTEXT] & ~(SIMT_STAMP_TICK - 1);
    if (time - order->launch >= order->span)
        return !simt_is_foreign(order, time);
    return time >= order->start && (is_own || (time < order->warp && time < order->cta));
}

static bool is_recent(const struct simt_sm *sm, uint32_t slot) {
    return simt_is_recent(&sm->order, sm->contexts[slot >> SIMT_SLOT_CONTEXT]);
}

/* … or of an earlier turn of this one. */
static bool is_other_cta(const struct simt_sm *sm, uint32_t slot) {
    return is_recent(sm, slot) && sm->contexts[slot >> SIMT_SLOT_CONTEXT] < sm->order.start;
}

/* Each word's reader becomes the rival of the one that reads now. */
SIMT_PART_OF_EACH void replace_readers(const struct row *row, uint32_t shift) {
    const uint64_t flags = BOTH(SIMT_SLOT_WRITTEN);
    for (uint32_t i = 0; i < (uint32_t)SIMT_LANES << shift; i++) {
        uint64_t word, mine = row->slot + ((i >> shift) << SIMT_SLOT_THREAD);
        memcpy(&word, row->words + i, sizeof word);
        word = (word & flags) | (word >> 32 & ~flags) | SIMT_SLOT_RIVAL | mine << 32;
        memcpy(row->words + i, &word, sizeof word);
    }
}

/* Looks at a row as a whole. False where lanes have to be looked at one by one. */
SIMT_PART_OF_EACH bool step_row(const struct row *row, uint32_t shift) {
    const uint64_t low = UINT32_MAX, high = ~low, flags = SIMT_SLOT_WRITTEN;
    const struct simt_sm *sm = row->sm;
    struct summary sum = summarise(row, shift);
    struct simt_word first = row->words[0];
    bool reads = row->touch != SIMT_WRITES, writes = row->touch != SIMT_READS;
    bool has_rival = first.writer & SIMT_SLOT_RIVAL;
    if (sum.differs || (reads && !row->is_defined &&
                        (sum.written & BOTH(SIMT_SLOT_WRITTEN)) != BOTH(SIMT_SLOT_WRITTEN)))
        return false;
    if ((first.reader & SIMT_SLOT_RIVAL) && is_recent(sm, first.reader))
        return false;
    if ((writes || !has_rival) && !is_past(sm, first.writer, (sum.strays & low) == 0))
        return false;
    if (is_past(sm, first.reader, (sum.strays & high) == 0))
        put_row(row, shift, writes ? low ^ flags : high ^ flags << 32,
                writes ? BOTH(SIMT_SLOT_WRITTEN) : 0);
    else if (!writes && is_other_cta(sm, first.reader) &&
             (has_rival || !is_recent(sm, first.writer)))
        replace_readers(row, shift);
    else
        return false;
    return true;
}

SIMT_FOR_EACH_CPU
bool simt_check_global_row(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                           const struct simt_allocation *allocation, uint64_t offset,
                           uint32_t bytes) {
    bool is_strong = touch == SIMT_UPDATES || insn->is_strong;
    uint64_t stamp =
        simt_stamp(sm, insn) | (is_strong ? SIMT_STAMP_STRONG : 0) | simt_touched(0, 4);
    uint32_t thread = sm->warp->index * SIMT_LANES;
    uint32_t context = find_context(sm, stamp);
    const struct row row = {
        .sm = sm,
        .words = &allocation->words[offset >> 2],
        .touch = touch,
        .is_defined = allocation->is_defined,
        .slot = context << SIMT_SLOT_CONTEXT | thread << SIMT_SLOT_THREAD,
    };
    sm->touched = true;
    if (bytes == 4)
        return step_row(&row, 0);
    return bytes == 8 ? step_row(&row, 1) : step_row(&row, 2);
}

SIMT_FOR_EACH_CPU
void simt_check_global(const struct simt_walk *walk) {
    const struct simt_request *request = walk->request;
    bool is_constant = request->insn->space == PTX_CONST;
    if (request->is_dense && request->bytes >= 4 && !is_constant &&
        simt_check_global_row(walk->sm, request->insn, request->touch, walk->region->allocation,
                              request->offset[0], request->bytes))
        return;
    if (request->touch != SIMT_WRITES && !walk->region->allocation->is_defined)
        check_written(walk);
    if (is_constant)
        return;
    if (request->touch == SIMT_READS)
        step_lanes(walk, false);
    else
        step_lanes(walk, true);
}
