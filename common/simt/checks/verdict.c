/*
 * Verdicts on accesses to global memory, and the table of contexts that they are about. A verdict
 * holds until something is ordered anew: a barrier, a sync of the warp, another cta's turn.
 */
#include "common/simt/checks/verdict.h"

#include "common/simt/access/guard.h"
#include "common/simt/checks/order.h"

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

static uint64_t stamp_of(const struct simt_walk *walk, uint32_t slot) {
    return simt_slot_stamp(walk->sm->contexts, slot);
}

static bool is_recent(const struct simt_walk *walk, uint32_t slot) {
    return simt_is_recent(&walk->order, stamp_of(walk, slot));
}

/* A bit for each relation in which an access that is made now is not ordered behind that of a
 * stamp: as simt_unordered finds it. */
static uint32_t unordered_relations(const struct simt_order *order, uint64_t stamp) {
    const uint32_t all = 1u << SIMT_SELF | 1u << SIMT_SAME_WARP | 1u << SIMT_OTHER_WARP;
    if (stamp - order->launch >= order->span)
        return simt_is_foreign(order, stamp) ? all : 0;
    if (stamp < order->start)
        return all;
    return (uint32_t)(stamp >= order->warp) << SIMT_SAME_WARP | (uint32_t)(stamp >= order->cta)
                                                                    << SIMT_OTHER_WARP;
}

/* Finds out what a read does to words with these slots, whatever their threads. A second reader
 * that is of another cta stays where the last one is of the reading cta, and one of another warp
 * where it is of the reading warp: see keep_rival. */
static void judge_read(const struct simt_walk *walk, struct simt_verdict *verdict,
                       const struct simt_word *word, uint64_t mine) {
    const struct simt_order *order = &walk->order;
    const bool has_rival = word->writer & SIMT_SLOT_RIVAL;
    uint64_t first = stamp_of(walk, word->writer), reader = stamp_of(walk, word->reader);
    uint32_t before = unordered_relations(order, first), last = unordered_relations(order, reader);
    bool meets = walk->is_volatile_load ? simt_overlap(first, mine) : simt_clash(first, mine);
    uint32_t met = meets && !has_rival ? before : 0;
    uint32_t stay = !has_rival ? 0 : first < order->start ? before : before & 1u << SIMT_OTHER_WARP;
    bool is_lasting = has_rival && simt_is_of_other_cta(walk->sm, first);
    uint32_t own = reader < order->start ? 0
                   : is_lasting          ? UINT32_MAX
                                         : 1u << SIMT_SELF | 1u << SIMT_SAME_WARP;
    enum simt_action behind =
        !has_rival && simt_is_recent(order, first) ? SIMT_LOOK_CLOSER : SIMT_MOVE_READER;
    for (uint32_t w = 0; w < SIMT_RELATIONS; w++)
        for (uint32_t r = 0; r < SIMT_RELATIONS; r++) {
            bool stays = (stay >> w & own >> r & 1) || !(last >> r & 1);
            uint32_t action = met >> w & 1 ? SIMT_LOOK_CLOSER : stays ? SIMT_TAKE_PLACE : behind;
            verdict->actions |= action << 2 * (SIMT_RELATIONS * w + r);
        }
    verdict->meets_writer = met;
}

static void judge_write(const struct simt_walk *walk, struct simt_verdict *verdict,
                        const struct simt_word *word, uint64_t mine) {
    const struct simt_order *order = &walk->order;
    uint64_t writer = stamp_of(walk, word->writer), reader = stamp_of(walk, word->reader);
    uint32_t met_writer = simt_clash(writer, mine) ? unordered_relations(order, writer) : 0;
    uint32_t met_reader = simt_clash(reader, mine) ? unordered_relations(order, reader) : 0;
    bool has_third = word->reader & SIMT_SLOT_RIVAL && simt_is_recent(order, reader);
    bool keeps = !(word->writer & SIMT_SLOT_RIVAL) && simt_is_recent(order, writer) &&
                 simt_keeps_store(writer, reader, mine);
    for (uint32_t w = 0; w < SIMT_RELATIONS; w++)
        for (uint32_t r = 0; r < SIMT_RELATIONS; r++) {
            bool meets = has_third || keeps || (met_writer >> w & 1) || (met_reader >> r & 1);
            uint32_t action = meets ? SIMT_LOOK_CLOSER : SIMT_TAKE_PLACE;
            verdict->actions |= action << 2 * (SIMT_RELATIONS * w + r);
        }
    verdict->meets_writer = has_third || keeps || met_writer;
}

struct simt_batch simt_batch_start(const struct simt_walk *walk, uint64_t stamp, bool writes) {
    uint64_t kind = (stamp & (SIMT_STAMP_BYTES | SIMT_STAMP_STRONG)) >> 16 | (uint64_t)writes << 5 |
                    (uint64_t)walk->is_volatile_load << 6;
    uint32_t context = find_context(walk->sm, stamp);
    return (struct simt_batch){
        .walk = walk,
        .stamp = stamp,
        .kind = kind << SIMT_SLOT_THREAD,
        .when = walk->order.start + walk->sm->space->contexts.generation,
        .slot = context << SIMT_SLOT_CONTEXT,
        .written = (uint32_t)(stamp >> SIMT_STAMP_BYTE & 15),
        .writes = writes,
    };
}

/* What was found out before is asked for again and again: by loops, and by other warps. */
const struct simt_verdict *simt_find_verdict(const struct simt_batch *batch, uint32_t writer,
                                             uint32_t reader) {
    const uint64_t key =
        (uint64_t)(reader & SIMT_SLOT_KEY) << 32 | (writer & SIMT_SLOT_KEY) | batch->kind;
    struct simt_sm *sm = batch->walk->sm;
    uint64_t mixed = key ^ key >> 29;
    struct simt_verdict *verdict =
        &sm->checker->verdicts[(mixed ^ mixed >> SIMT_SLOT_CONTEXT) % SIMT_VERDICTS];
    const struct simt_order *order = &batch->walk->order;
    if (verdict->key == key && verdict->when == batch->when && verdict->warp == order->warp &&
        verdict->cta == order->cta)
        return verdict;
    const struct simt_word word = {writer & SIMT_SLOT_KEY, reader & SIMT_SLOT_KEY};
    *verdict = (struct simt_verdict){
        .key = key, .when = batch->when, .warp = order->warp, .cta = order->cta};
    verdict->keeps = SIMT_SLOT_WRITTEN;
    if (word.reader & SIMT_SLOT_RIVAL && is_recent(batch->walk, word.reader))
        verdict->keeps |= SIMT_SLOT_RIVAL;
    (batch->writes ? judge_write : judge_read)(batch->walk, verdict, &word, batch->stamp);
    uint32_t first = verdict->actions & 3;
    verdict->common = verdict->actions == first * 0x15555 ? first : SIMT_IT_DEPENDS;
    return verdict;
}
