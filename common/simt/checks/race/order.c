/*
 * Data handed from thread to thread, with a fence and without; what barriers and syncs order; which
 * cta ran when.
 */
#include "common/simt/checks/race/order.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/simt/checks/check.h"
#include "common/simt/checks/race/ages.h"

void simt_handover_fence(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    struct simt_handover *handovers = sm->checker->handovers;
    if (!handovers)
        return;
    uint64_t now = simt_tick(sm);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        struct simt_handover *handover =
            &handovers[sm->warp->index * SIMT_LANES + (uint32_t)__builtin_ctz(rest)];
        handover->fenced = now;
        if (insn->is_narrow)
            handover->narrow_fence = insn->index;
        else
            handover->wide = now;
    }
}

static bool is_noted(const struct simt_sm *sm, const struct simt_request *request) {
    const struct simt_noted *noted = &sm->checker->noted;
    return noted->now == *sm->now && noted->warp == sm->warp->index &&
           noted->touch == request->touch && noted->is_narrow == request->insn->is_narrow &&
           (request->mask & ~noted->mask) == 0;
}

static uint64_t later(uint64_t p, uint64_t q) {
    return p > q ? p : q;
}

/* A strong write by a thread, of which the fence or the write itself may be narrow. */
static void note_narrow(struct simt_sm *sm, const struct simt_handover *handover,
                        const struct simt_insn *write) {
    const struct simt_checker *checker = sm->checker;
    struct simt_narrow *cta = &checker->cta_narrow[sm->cta_index];
    const uint64_t wide = later(handover->wide, checker->published);
    if (handover->fenced > wide) {
        uint64_t released = later(handover->fenced, checker->published_narrowly);
        *cta = (struct simt_narrow){later(cta->released, released), handover->narrow_fence};
    } else if (write->is_narrow && wide > cta->released) {
        *cta = (struct simt_narrow){wide, write->index};
    }
}

void simt_handover_note(struct simt_sm *sm, const struct simt_request *request) {
    struct simt_checker *checker = sm->checker;
    if (is_noted(sm, request))
        return;
    checker->noted = (struct simt_noted){*sm->now, sm->warp->index, request->mask, request->touch,
                                         request->insn->is_narrow};
    struct simt_handover *handovers = &checker->handovers[sm->warp->index * SIMT_LANES];
    const uint64_t now = *sm->now, published = checker->published;
    const bool reads = request->touch != SIMT_WRITES, writes = request->touch != SIMT_READS;
    const bool is_wide = !request->insn->is_narrow;
    uint64_t released = checker->cta_released[sm->cta_index];
    if (reads)
        checker->acquired = now;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        struct simt_handover *handover = &handovers[__builtin_ctz(rest)];
        const uint64_t fenced = later(handover->fenced, published);
        if (reads)
            handover->acquired = now;
        if (writes && fenced)
            handover->released = fenced;
        if (writes && is_wide)
            released = later(released, later(handover->wide, published));
        if (writes && checker->cta_narrow)
            note_narrow(sm, handover, request->insn);
    }
    checker->cta_released[sm->cta_index] = released;
}

void simt_handover_see(const struct simt_walk *walk) {
    struct simt_sm *sm = walk->sm;
    const struct simt_request *request = walk->request;
    const struct simt_ages *ages = simt_ages(sm);
    const uint32_t launch = ages ? ages->launch : 0;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), thread = sm->warp->index * SIMT_LANES + lane;
        uint32_t slot = simt_get_word(walk->region->words, request->offset[lane] >> 2).writer;
        if (slot < launch || (slot & SIMT_SLOT_RIVAL))
            continue;
        uint64_t writer = simt_slot_stamp(sm->contexts, slot);
        if (!(writer & SIMT_STAMP_STRONG) || writer - sm->order.launch >= sm->order.span)
            continue;
        struct simt_sight sight = {.writer = writer, .reader = request->insn->index};
        if (request->touch == SIMT_UPDATES)
            sm->checker->sights[thread].atomic = sm->checker->seen.atomic = sight;
        else
            sm->checker->sights[thread].load = sm->checker->seen.load = sight;
    }
}

/* The last fence in the warp of a thread of this cta that a strong write followed: what one lane
 * releases after a sync is of all lanes. */
static uint64_t released_by_warp(const struct simt_sm *sm, uint32_t thread) {
    const struct simt_handover *lanes = &sm->checker->handovers[thread / SIMT_LANES * SIMT_LANES];
    uint64_t released = 0;
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        if (lanes[i].released > released)
            released = lanes[i].released;
    return released;
}

/* When the thread last knew of others by a strong read, its own or one before the last barrier. */
static uint64_t acquired_by(const struct simt_sm *sm, uint64_t mine) {
    return later(sm->checker->handovers[simt_stamp_thread(mine)].acquired,
                 sm->checker->acquired_before);
}

bool simt_is_handed_over(const struct simt_sm *sm, uint64_t mine, uint64_t other, uint64_t cta) {
    if (!sm->checker->cta_released)
        return false;
    uint64_t released = cta == sm->cta_index ? released_by_warp(sm, simt_stamp_thread(other))
                                             : sm->checker->cta_released[cta];
    return other < released && other < acquired_by(sm, mine);
}

uint32_t simt_narrow_release(const struct simt_sm *sm, uint64_t mine, uint64_t other,
                             uint64_t cta) {
    const struct simt_narrow *narrow = sm->checker->cta_narrow;
    if (!narrow || cta == sm->cta_index)
        return UINT32_MAX;
    return other < narrow[cta].released && other < acquired_by(sm, mine) ? narrow[cta].insn
                                                                         : UINT32_MAX;
}

uint64_t simt_cta_at(const struct simt_sm *sm, uint64_t stamp) {
    return stamp < sm->order.start ? simt_turns_find(sm->checker->turns, stamp, sm->cta_index)
                                   : sm->cta_index;
}

bool simt_is_of_other_cta(const struct simt_sm *sm, uint64_t stamp) {
    const struct simt_order *order = &sm->order;
    if (stamp - order->launch >= order->span)
        return simt_is_foreign(order, stamp);
    return stamp < order->born || (stamp < order->start && simt_cta_at(sm, stamp) != sm->cta_index);
}

/* Of two accesses of one cta: between two ticks, where their stamps are the same time, the later
 * one is taken to be the one that the program has later. */
static bool is_later(uint64_t p, uint64_t q) {
    uint64_t at = p / SIMT_STAMP_TICK, then = q / SIMT_STAMP_TICK;
    return at > then || (at == then && (p & SIMT_STAMP_INDEX) > (q & SIMT_STAMP_INDEX));
}

bool simt_is_same_line(const struct simt_sm *sm, uint64_t index, uint64_t other) {
    if (index == other)
        return true;
    if (index >= sm->program->n_insns || other >= sm->program->n_insns)
        return false;
    const struct ptx_insn *p = simt_source(sm, (uint32_t)index);
    const struct ptx_insn *q = simt_source(sm, (uint32_t)other);
    return p->line && p->line == q->line && p->file == q->file;
}

uint64_t simt_told_by(const struct simt_sm *sm, uint64_t mine, uint64_t other, uint64_t cta) {
    if (!sm->checker->sights)
        return 0;
    const struct simt_sights *own = &sm->checker->sights[simt_stamp_thread(mine)],
                             *all = &sm->checker->seen_before;
    const struct simt_sight *sights[] = {&own->load, &own->atomic, &all->load, &all->atomic};
    for (unsigned i = 0; i < sizeof sights / sizeof sights[0]; i++) {
        uint64_t writer = sights[i]->writer;
        if (writer && is_later(writer, other) && simt_cta_at(sm, writer) == cta &&
            !simt_is_same_line(sm, sights[i]->reader, mine & SIMT_STAMP_INDEX))
            return writer;
    }
    return 0;
}

/* What one of the lanes has seen of other threads, all know after a sync. */
static void share_acquired(struct simt_sm *sm, uint32_t lanes) {
    struct simt_handover *handovers = &sm->checker->handovers[sm->warp->index * SIMT_LANES];
    struct simt_sights *sights = &sm->checker->sights[sm->warp->index * SIMT_LANES];
    const struct simt_handover *latest = &handovers[__builtin_ctz(lanes)];
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (handovers[__builtin_ctz(rest)].acquired > latest->acquired)
            latest = &handovers[__builtin_ctz(rest)];
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        struct simt_handover *handover = &handovers[__builtin_ctz(rest)];
        if (handover->acquired == latest->acquired)
            continue;
        handover->acquired = latest->acquired;
        sights[handover - handovers] = sights[latest - handovers];
    }
}

void simt_order_lanes(struct simt_sm *sm, uint32_t lanes) {
    struct simt_warp *warp = sm->warp;
    if (sm->checker->handovers)
        share_acquired(sm, lanes);
    uint64_t now = sm->touched ? simt_tick(sm) : *sm->now;
    if (lanes == warp->alive) {
        warp->synced = now;
        sm->order.warp = now;
        return;
    }
    if (!warp->met && !(warp->met = calloc(SIMT_LANES, sizeof *warp->met)))
        return;
    uint64_t known[SIMT_LANES] = {0}; /* what the lanes know of each lane, together */
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            uint64_t met = warp->met[__builtin_ctz(rest)][i];
            known[i] = lanes >> i & 1 ? now : met > known[i] ? met : known[i];
        }
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        for (uint32_t i = 0; i < SIMT_LANES; i++)
            warp->met[__builtin_ctz(rest)][i] = known[i];
}

/* The narrowest fence that each thread had since the last barrier: whoever tells others after this
 * barrier, by a strong write, tells of what all of them wrote. */
enum fences { NOT_ALL, NARROW, WIDE };
static enum fences have_fenced(const struct simt_sm *sm) {
    const struct simt_handover *handovers = sm->checker->handovers;
    enum fences fences = handovers ? WIDE : NOT_ALL;
    for (uint32_t w = 0; w < sm->n_warps && fences; w++)
        for (uint32_t rest = sm->warps[w].alive; rest; rest &= rest - 1) {
            const struct simt_handover *thread =
                &handovers[w * SIMT_LANES + (uint32_t)__builtin_ctz(rest)];
            if (thread->fenced < sm->order.cta)
                return NOT_ALL;
            if (thread->wide < sm->order.cta)
                fences = NARROW;
        }
    return fences;
}

static void barrier_opens(struct simt_sm *sm, uint32_t id) {
    struct simt_checker *checker = sm->checker;
    (void)
        id; /* a barrier of some warps orders all here: a race less that is found, no false alarm */
    const enum fences fences = have_fenced(sm);
    sm->order.cta = sm->order.warp = simt_tick(sm);
    if (!checker->deliveries.n) /* which ask who copied, whenever that was */
        simt_shared_slots_clear(sm);
    checker->acquired_before = checker->acquired;
    checker->seen_before = checker->seen;
    if (fences == WIDE)
        checker->published = sm->order.cta;
    if (fences)
        checker->published_narrowly = sm->order.cta;
}

/* 256 MiB of host memory at most. */
enum { MAX_TURNS = 1 << 24 };

void simt_turns_add(struct simt_turns *turns, uint64_t stamp, uint64_t cta) {
    struct simt_turn *list = NULL;
    if (!turns->is_full && turns->n < MAX_TURNS)
        list = grow_room(turns->list, turns->n, &turns->room, 64, sizeof *list);
    turns->is_full = list == NULL;
    if (turns->is_full)
        return;
    turns->list = list;
    turns->list[turns->n++] = (struct simt_turn){stamp, cta};
}

uint64_t simt_turns_find(const struct simt_turns *turns, uint64_t stamp, uint64_t unknown) {
    size_t n = count_below(stamp + 1, turns->list, turns->n, sizeof *turns->list);
    return n == 0 || (n == turns->n && turns->is_full) ? unknown : turns->list[n - 1].cta;
}

static bool slot_open(struct simt_sm *sm) {
    struct simt_checker *checker = sm->checker;
    if (!checker->cta_released)
        return true;
    size_t n = sm->n_warps * (size_t)SIMT_LANES;
    checker->handovers = calloc(n, sizeof *checker->handovers);
    checker->sights = calloc(n, sizeof *checker->sights);
    return checker->handovers && checker->sights;
}

static void slot_close(struct simt_sm *sm) {
    for (uint32_t w = 0; sm->warps && w < sm->n_warps; w++)
        free(sm->warps[w].met);
    free(sm->checker->handovers);
    free(sm->checker->sights);
}

static void cta_begins(struct simt_sm *sm) {
    struct simt_checker *checker = sm->checker;
    size_t n = sm->n_warps * (size_t)SIMT_LANES;
    sm->order.born = sm->order.cta = simt_tick(sm);
    checker->acquired = checker->acquired_before = 0;
    checker->published = checker->published_narrowly = 0;
    checker->seen = checker->seen_before = (struct simt_sights){{0}, {0}};
    if (checker->handovers) {
        memset(checker->handovers, 0, n * sizeof *checker->handovers);
        memset(checker->sights, 0, n * sizeof *checker->sights);
    }
}

const struct simt_check simt_check_order = {
    .slot_open = slot_open,
    .slot_close = slot_close,
    .cta_begins = cta_begins,
    .barrier_opens = barrier_opens,
};
