/*
 * Verdicts on accesses to global memory, and the table of contexts that they are about. What a
 * verdict depends on is little: how old the accesses are that the word's slots tell of, and whether
 * they would be in conflict with the present one.
 */
#include "common/simt/checks/race/global/verdict.h"

#include "common/simt/access/region/guard.h"
#include "common/simt/checks/race/order.h"

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

/* How an access is ordered behind an earlier one, as simt_unordered finds it, whatever their
 * threads. */
enum age {
    PAST,       /* it comes later than that one, by whomever it was */
    OTHER_CTA,  /* that one was by another cta of the launch, or by unordered work */
    EARLIER,    /* by this cta, in an earlier turn: counts as another one's */
    SAME_CTA,   /* in this turn, before the last barrier */
    SINCE_CTA,  /* since the last barrier: ordered within the warp alone */
    SINCE_WARP, /* since the last sync of the warp */
};
enum { AGE_BITS = 3 };

static enum age age_of(const struct simt_sm *sm, uint64_t stamp) {
    const struct simt_order *order = &sm->order;
    if (stamp - order->launch >= order->span)
        return simt_is_foreign(order, stamp) ? OTHER_CTA : PAST;
    if (stamp < order->start)
        return simt_is_of_other_cta(sm, stamp) ? OTHER_CTA : EARLIER;
    return stamp >= order->warp ? SINCE_WARP : stamp >= order->cta ? SINCE_CTA : SAME_CTA;
}

/* A bit for each relation in which an access that is made now is not ordered behind one of that
 * age. */
static uint32_t unordered_relations(enum age age) {
    static const uint8_t relations[] = {
        [OTHER_CTA] = 1u << SIMT_SELF | 1u << SIMT_SAME_WARP | 1u << SIMT_OTHER_WARP,
        [EARLIER] = 1u << SIMT_SELF | 1u << SIMT_SAME_WARP | 1u << SIMT_OTHER_WARP,
        [SINCE_CTA] = 1u << SIMT_OTHER_WARP,
        [SINCE_WARP] = 1u << SIMT_SAME_WARP | 1u << SIMT_OTHER_WARP,
    };
    return relations[age];
}

/* What a verdict depends on, beside the threads. */
struct facts {
    enum age writer, reader;
    bool meets_writer, meets_reader; /* where not ordered, there is a conflict */
    bool has_second; /* the writer's slot holds a second reader (a read); the table does, or a store
                        is kept there (a write) */
};

/* Finds out what a read does to a word. A second reader that is of another cta stays where the last
 * one is of the reading cta, and one of another warp where it is of the reading warp: see
 * keep_rival. */
static void judge_read(const struct facts *facts, struct simt_verdict *verdict) {
    const bool has_second = facts->has_second, is_old = facts->writer < SAME_CTA;
    uint32_t before = unordered_relations(facts->writer), last = unordered_relations(facts->reader);
    uint32_t met = facts->meets_writer && !has_second ? before : 0;
    uint32_t stay = !has_second ? 0 : is_old ? before : before & 1u << SIMT_OTHER_WARP;
    uint32_t own = facts->reader < SAME_CTA ? 0
                   : has_second && facts->writer == OTHER_CTA
                       ? UINT32_MAX
                       : 1u << SIMT_SELF | 1u << SIMT_SAME_WARP;
    enum simt_action behind =
        !has_second && facts->writer != PAST ? SIMT_LOOK_CLOSER : SIMT_MOVE_READER;
    for (uint32_t w = 0; w < SIMT_RELATIONS; w++)
        for (uint32_t r = 0; r < SIMT_RELATIONS; r++) {
            bool stays = (stay >> w & own >> r & 1) || !(last >> r & 1);
            uint32_t action = met >> w & 1 ? SIMT_LOOK_CLOSER : stays ? SIMT_TAKE_PLACE : behind;
            verdict->actions |= action << 2 * (SIMT_RELATIONS * w + r);
        }
}

static void judge_write(const struct facts *facts, struct simt_verdict *verdict) {
    uint32_t met_writer = facts->meets_writer ? unordered_relations(facts->writer) : 0;
    uint32_t met_reader = facts->meets_reader ? unordered_relations(facts->reader) : 0;
    for (uint32_t w = 0; w < SIMT_RELATIONS; w++)
        for (uint32_t r = 0; r < SIMT_RELATIONS; r++) {
            bool meets = facts->has_second || (met_writer >> w & 1) || (met_reader >> r & 1);
            uint32_t action = meets ? SIMT_LOOK_CLOSER : SIMT_TAKE_PLACE;
            verdict->actions |= action << 2 * (SIMT_RELATIONS * w + r);
        }
}

struct simt_batch simt_batch_start(const struct simt_walk *walk, uint64_t stamp, bool writes) {
    const uint32_t slot = find_context(walk->sm, stamp) << SIMT_SLOT_CONTEXT;
    return (struct simt_batch){
        .walk = walk,
        .ages = simt_ages(walk->sm),
        .stamp = stamp,
        .slot = slot,
        .written = (uint32_t)(stamp >> SIMT_STAMP_BYTE & 15),
        .writes = writes,
    };
}

static struct facts find_facts(const struct simt_batch *batch, uint32_t writer, uint32_t reader) {
    const struct simt_walk *walk = batch->walk;
    const uint64_t first = simt_slot_stamp(walk->sm->contexts, writer),
                   last = simt_slot_stamp(walk->sm->contexts, reader), mine = batch->stamp;
    struct facts facts = {
        .writer = age_of(walk->sm, first),
        .reader = age_of(walk->sm, last),
        .meets_writer =
            walk->is_volatile_load ? simt_overlap(first, mine) : simt_clash(first, mine),
        .meets_reader = batch->writes && simt_clash(last, mine),
    };
    const bool keeps =
        !(writer & SIMT_SLOT_RIVAL) && facts.writer != PAST && simt_keeps_store(first, last, mine);
    facts.has_second = batch->writes ? (reader & SIMT_SLOT_RIVAL && facts.reader != PAST) || keeps
                                     : writer & SIMT_SLOT_RIVAL;
    return facts;
}

/* Verdicts are kept, since there are few different facts. */
void simt_find_verdict(const struct simt_batch *batch, struct simt_known *known, uint32_t writer,
                       uint32_t reader) {
    const struct facts facts = find_facts(batch, writer & SIMT_SLOT_KEY, reader & SIMT_SLOT_KEY);
    const uint32_t at = (uint32_t)facts.writer | (uint32_t)facts.reader << AGE_BITS |
                        (uint32_t)facts.meets_writer << 2 * AGE_BITS |
                        (uint32_t)facts.meets_reader << (2 * AGE_BITS + 1) |
                        (uint32_t)facts.has_second << (2 * AGE_BITS + 2) |
                        (uint32_t)batch->writes << (2 * AGE_BITS + 3);
    struct simt_verdict *verdict = &batch->walk->sm->checker->verdicts[at];
    if (!verdict->is_known) {
        (batch->writes ? judge_write : judge_read)(&facts, verdict);
        uint32_t first = verdict->actions & 3;
        verdict->common = verdict->actions == first * 0x15555 ? first : SIMT_IT_DEPENDS;
        verdict->is_known = true;
    }
    known->verdict = *verdict;
    known->verdict.keeps =
        SIMT_SLOT_WRITTEN | (facts.reader != PAST ? reader & SIMT_SLOT_RIVAL : 0);
    known->writer = writer & SIMT_SLOT_KEY;
    known->reader = reader & SIMT_SLOT_KEY;
}
