/*
 * Barriers of a cta. They count threads, as since Volta: lanes of a diverged warp arrive one after
 * the other, and a thread that has left the kernel is not waited for. A barrier for a number of
 * threads counts whole warps: the lanes of a warp that have left, or that a cta's last warp does
 * not have, count as soon as one of the others has come (PTX ISA, "bar": the count is a multiple of
 * the warp's size; what an H200 does with the rest of a warp was tried). What the hardware lets
 * pass, but the language forbids, is a finding: threads that leave while others wait, threads that
 * wait at barriers of different lines, and a barrier's number above 15.
 */
#include "common/simt/run/warp/sync.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/run/counting.h"
#include "common/simt/run/stop.h"
#include "common/simt/run/warp/splits.h"

static const char advice[] =
    "Move __syncthreads() out of the branch or loop so that all threads of the block reach it "
    "equally often.";

static bool same_line(const struct simt_sm *sm, uint32_t p, uint32_t q) {
    const struct ptx_insn *a = simt_source(sm, p), *b = simt_source(sm, q);
    return p == q || (a->line && a->line == b->line && a->file == b->file);
}

static void report(struct simt_sm *sm, const struct simt_side *here, const struct simt_side *other,
                   const char *rest, uint32_t branch) {
    if (simt_findings_again(sm->findings, SIMT_FINDING_DIVERGENT_BARRIER, here->index,
                            other->index))
        return;
    struct simt_text its = simt_thread_text(sm->grid, sm->block, other);
    its.text[0] = 't';
    char message[384], parted[128] = "";
    if (branch != FLOW_EXIT)
        snprintf(parted, sizeof parted, " Their ways parted in %.90s.",
                 simt_line_text(sm, branch).text);
    snprintf(message, sizeof message, "%s waits at the barrier in %.60s, but %.90s %s (%.60s).%s",
             simt_thread_text(sm->grid, sm->block, here).text, simt_line_text(sm, here->index).text,
             its.text, rest, simt_line_text(sm, other->index).text, parted);
    simt_findings_add(sm, SIMT_FINDING_DIVERGENT_BARRIER, here, other, "", message, advice);
}

/* The first thread that has left the kernel, as a side. */
static struct simt_side find_gone(const struct simt_sm *sm) {
    struct simt_side side = {.cta = sm->cta, .what = "leaves the kernel"};
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        const struct simt_warp *warp = &sm->warps[w];
        uint32_t gone = warp->born & ~warp->alive;
        if (!gone)
            continue;
        uint32_t lane = (uint32_t)__builtin_ctz(gone);
        side.thread = w * SIMT_LANES + lane;
        side.index = warp->exited_at[lane];
        return side;
    }
    side.what = NULL;
    return side;
}

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
    simt_picture_take(sm, barrier->pc);
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        struct simt_warp *warp = &sm->warps[w];
        for (uint32_t i = 0; i < warp->n_splits; i++) {
            struct simt_split *split = &warp->splits[i];
            if (split->state != SIMT_SPLIT_AT_BARRIER || split->barrier != id)
                continue;
            write_result(sm, warp, split, barrier);
            split->state = SIMT_SPLIT_RUNS;
            split->pc++;
            sm->n_waiting--;
        }
        simt_warp_converge(warp);
    }
    if (barrier->expected)
        for (uint32_t w = 0; w < sm->n_warps; w++)
            sm->warps[w].at_barrier[id] = 0;
    *barrier = (struct simt_barrier_state){0};
    if (sm->hooks)
        sm->hooks->barrier_opens(sm);
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
    struct simt_barrier_state *barrier = &sm->barriers[id];
    if (!is_complete(sm, id))
        return;
    if (!barrier->expected && sm->n_alive < sm->n_threads && sm->hooks) {
        struct simt_side here = {barrier->pc, sm->cta, barrier->thread, "waits"};
        struct simt_side gone = find_gone(sm);
        if (gone.what)
            report(sm, &here, &gone, "left the kernel without it", barrier->branch);
    }
    open_barrier(sm, id);
}

void simt_barrier_retry(struct simt_sm *sm) {
    for (uint32_t id = 0; id < SIMT_BARRIERS; id++)
        open_if_complete(sm, id);
}

/* The predicate that a reduction barrier reads, of `lanes`. */
static uint32_t count_true(const struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    if (insn->type == SIMT_BARRIER_SYNC || insn->type == SIMT_BARRIER_ARRIVE)
        return 0;
    uint32_t pred = sm->x.preds[insn->c];
    return simt_popcount(lanes & (insn->imm_flags & SIMT_INVERTED ? ~pred : pred));
}

/* A number that there is not. */
static void report_number(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                          uint32_t id) {
    if (!sm->hooks ||
        simt_findings_again(sm->findings, SIMT_FINDING_INVALID_SYNC, insn->index, insn->index))
        return;
    struct simt_side here = simt_side_here(sm, insn->index, lane, "waits");
    char message[384];
    snprintf(message, sizeof message,
             "%s comes to barrier %" PRIu32 " (%s), but a block has the barriers 0 to 15 alone: "
             "which one it is then is undefined.",
             simt_thread_text(sm->grid, sm->block, &here).text, id,
             simt_line_text(sm, insn->index).text);
    simt_findings_add(sm, SIMT_FINDING_INVALID_SYNC, &here, NULL, "", message,
                      "Number the barriers from 0 (which is that of __syncthreads()) to 15.");
}

/* The barrier that the lanes come to: of a number above 15 an H200 takes the last four bits. */
static uint32_t find_barrier(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane) {
    if (insn->a == SIMT_NO_ROW)
        return (uint32_t)insn->imm;
    uint32_t id = value_of_row(sm, insn->a, lane);
    if (id >= SIMT_CLUSTER_BARRIER)
        report_number(sm, insn, lane, id);
    return id % SIMT_CLUSTER_BARRIER;
}

/* Remembers the first thread that comes to a barrier; the others have to come to the same line. */
static void note_arrival(struct simt_sm *sm, struct simt_barrier_state *barrier,
                         const struct simt_split *split, const struct simt_insn *insn,
                         uint32_t lane) {
    const struct simt_warp *warp = sm->warp;
    if (!barrier->arrived) {
        barrier->pc = insn->index;
        barrier->thread = warp->index * SIMT_LANES + lane;
        barrier->branch = split->join == SIMT_NO_JOIN ? FLOW_EXIT : warp->joins[split->join].branch;
    } else if (sm->hooks && insn->type != SIMT_BARRIER_ARRIVE &&
               sm->program->insns[barrier->pc].type != SIMT_BARRIER_ARRIVE &&
               insn->b == SIMT_NO_ROW && !same_line(sm, barrier->pc, insn->index)) {
        struct simt_side first = {barrier->pc, sm->cta, barrier->thread, "waits"};
        struct simt_side here = simt_side_here(sm, insn->index, lane, "waits");
        report(sm, &first, &here, "waits at another one", FLOW_EXIT);
    }
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
    uint32_t lane = (uint32_t)__builtin_ctz(lanes), id = find_barrier(sm, insn, lane);
    uint32_t expected = insn->b == SIMT_NO_ROW ? 0 : value_of_row(sm, insn->b, lane);
    if (expected % SIMT_LANES) {
        simt_miscounted(sm, insn, lane, expected);
        return false;
    }
    struct simt_barrier_state *barrier = &sm->barriers[id];
    note_arrival(sm, barrier, split, insn, lane);
    barrier->arrived += simt_popcount(lanes);
    barrier->expected = expected;
    barrier->popc += count_true(sm, insn, lanes);
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
