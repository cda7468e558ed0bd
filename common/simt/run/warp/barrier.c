/*
 * Barriers of a cta. They count threads, as since Volta: lanes of a diverged warp arrive one after
 * the other, and a thread that has left the kernel is not waited for. A barrier for a number of
 * threads counts whole warps: the lanes of a warp that have left, or that a cta's last warp does
 * not have, count as soon as one of the others has come (PTX ISA, "bar": the count is a multiple of
 * the warp's size; what an H200 does with the rest of a warp was tried). What the hardware lets
 * pass, but the language forbids, checks/barriers.c finds.
 */
#include "common/simt/run/warp/sync.h"

#include "common/simt/run/counting.h"
#include "common/simt/run/stop.h"
#include "common/simt/run/warp/splits.h"

static uint32_t value_of_row(const struct simt_sm *sm, uint32_t row, uint32_t lane) {
    return ((const uint32_t *)(sm->x.rows + row))[lane];
}

/* Writes the result of a reduction barrier for the lanes of a split that waited. */
static void write_result(struct simt_sm *sm, struct simt_warp *warp, const struct simt_split *split,
                         const struct simt_barrier_state *barrier) {
    const struct simt_insn *insn = &sm->program->insns[split->pc];
    const struct simt_area *area = warp->frames[split->frame].area;
    bool value =
        insn->type == SIMT_BARRIER_AND ? barrier->popc == barrier->arrived : barrier->popc > 0;
    if (insn->type == SIMT_BARRIER_POPC) {
        uint32_t *row = (uint32_t *)(area->rows + insn->d);
        for (uint32_t rest = split->mask; rest; rest &= rest - 1)
            row[__builtin_ctz(rest)] = barrier->popc;
    } else if (insn->type == SIMT_BARRIER_AND || insn->type == SIMT_BARRIER_OR) {
        uint32_t *pred = &area->preds[insn->d];
        *pred = (*pred & ~split->mask) | (value ? split->mask : 0);
    }
}

/* All have come: the barrier opens and is ready for its next use. */
static void open_barrier(struct simt_sm *sm, uint32_t id) {
    struct simt_barrier_state *barrier = &sm->barriers[id];
    if (sm->hooks)
        sm->hooks->barrier_opens(sm, id);
    simt_picture_take(sm, barrier->pc);
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        struct simt_warp *warp = &sm->warps[w];
        for (uint32_t i = 0; i < warp->n_splits; i++) {
            struct simt_split *split = &warp->splits[i];
            if (split->state != SIMT_SPLIT_AT_BARRIER || split->barrier != id)
                continue;
            if (barrier->reduces)
                write_result(sm, warp, split, barrier);
            split->state = SIMT_SPLIT_RUNS;
            split->pc++;
            sm->n_waiting--;
        }
        if (warp->n_splits > 1)
            simt_warp_converge(warp);
    }
    if (barrier->expected)
        for (uint32_t w = 0; w < sm->n_warps; w++)
            sm->warps[w].at_barrier[id] = 0;
    *barrier = (struct simt_barrier_state){0};
}

/* Lanes that count with their warp, of which others have come. */
static uint32_t count_absent(const struct simt_sm *sm, uint32_t id) {
    uint32_t n = 0;
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        const struct simt_warp *warp = &sm->warps[w];
        if (warp->at_barrier[id])
            n += simt_popcount(~(warp->alive | warp->at_barrier[id]));
    }
    return n;
}

static bool is_complete(const struct simt_sm *sm, uint32_t id) {
    const struct simt_barrier_state *barrier = &sm->barriers[id];
    if (!barrier->arrived)
        return false;
    if (!barrier->expected)
        return barrier->arrived >= sm->n_alive;
    return barrier->arrived + count_absent(sm, id) >= barrier->expected;
}

static void open_if_complete(struct simt_sm *sm, uint32_t id) {
    if (is_complete(sm, id))
        open_barrier(sm, id);
}

void simt_barrier_retry(struct simt_sm *sm) {
    for (uint32_t id = 0; id < SIMT_BARRIERS; id++)
        open_if_complete(sm, id);
}

/* Lanes come to a reduction barrier with their predicates. */
static void reduce(const struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes,
                   struct simt_barrier_state *barrier) {
    uint32_t pred = sm->x.preds[insn->c];
    barrier->popc += simt_popcount(lanes & (insn->imm_flags & SIMT_INVERTED ? ~pred : pred));
    barrier->reduces = true;
}

/* Where the split's lanes parted from others. */
static uint32_t find_branch(const struct simt_sm *sm, const struct simt_split *split) {
    return split->join == SIMT_NO_JOIN ? FLOW_EXIT : sm->warp->joins[split->join].branch;
}

/* Tells the checks of lanes that come where others have come by another instruction, or whose
 * barrier's number is above 15. Which of the two stands where this is called, and not in a check: a
 * call of the checks at each barrier took a quarter of its time, and nearly all found nothing. */
static __attribute__((noinline)) void tell_odds(struct simt_sm *sm, const struct simt_split *split,
                                                const struct simt_insn *insn, uint32_t lanes,
                                                uint32_t number, uint32_t id) {
    const struct simt_arrival arrival = {
        .insn = insn,
        .lanes = lanes,
        .number = number,
        .id = id,
        .branch = find_branch(sm, split),
    };
    sm->hooks->barrier_differs(sm, &arrival);
}

bool simt_barrier(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn) {
    struct simt_warp *warp = sm->warp;
    uint32_t lanes = simt_guarded(&sm->x, insn, split->mask);
    simt_count(sm, insn, lanes);
    if (!lanes) {
        split->pc++;
        return true;
    }
    sm->counters[insn->index].barriers++;
    const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    const uint32_t number =
        insn->a == SIMT_NO_ROW ? (uint32_t)insn->imm : value_of_row(sm, insn->a, lane);
    /* Of a number above 15 an H200 takes the last four bits. */
    const uint32_t id = insn->a == SIMT_NO_ROW ? number : number % SIMT_CLUSTER_BARRIER;
    struct simt_barrier_state *barrier = &sm->barriers[id];
    if (sm->hooks && ((barrier->arrived && barrier->pc != insn->index) || number != id))
        tell_odds(sm, split, insn, lanes, number, id);
    uint32_t expected = insn->b == SIMT_NO_ROW ? 0 : value_of_row(sm, insn->b, lane);
    if (expected % SIMT_LANES) {
        simt_miscounted(sm, insn, lane, expected);
        return false;
    }
    if (!barrier->arrived) {
        barrier->pc = insn->index;
        barrier->thread = warp->index * SIMT_LANES + lane;
        barrier->branch = find_branch(sm, split);
    }
    barrier->arrived += simt_popcount(lanes);
    barrier->expected = expected;
    if (insn->type != SIMT_BARRIER_SYNC && insn->type != SIMT_BARRIER_ARRIVE)
        reduce(sm, insn, lanes, barrier);
    if (expected)
        warp->at_barrier[id] |= lanes;
    if (insn->type == SIMT_BARRIER_ARRIVE) {
        split->pc++;
    } else {
        if (lanes != split->mask)
            simt_split_off(warp, split, split->mask & ~lanes)->pc++;
        split->state = SIMT_SPLIT_AT_BARRIER;
        split->barrier = (uint8_t)id;
        sm->n_waiting++;
    }
    open_if_complete(sm, id);
    return false;
}
