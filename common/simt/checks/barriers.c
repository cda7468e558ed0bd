/*
 * Barriers that the hardware lets pass, but the language forbids: threads that leave the kernel
 * while others wait, threads that wait at barriers of different lines, and a barrier's number
 * above 15.
 */
#include <inttypes.h>
#include <stdio.h>

#include "common/simt/checks/check.h"
#include "common/simt/checks/race/order.h"
#include "common/simt/state/findings.h"

/* A barrier that the other thread does not come to: `rest` is what it does instead. The two parted
 * at the instruction `branch` (FLOW_EXIT: nobody knows where). */
static struct simt_sentence say_divergent(const struct simt_sm *sm, const struct simt_side *here,
                                          const struct simt_side *other, const char *rest,
                                          uint32_t branch) {
    char parted[128] = "";
    if (branch != FLOW_EXIT)
        snprintf(parted, sizeof parted, " Their ways parted in %.90s.",
                 simt_line_text(sm, branch).text);
    return simt_say("%s waits at the barrier in %.60s, but %.90s %s (%.60s).%s",
                    simt_who(sm, here).text, simt_where(sm, here).text,
                    simt_and_who(sm, other).text, rest, simt_where(sm, other).text, parted);
}

static void report(struct simt_sm *sm, const struct simt_side *here, const struct simt_side *other,
                   const char *rest, uint32_t branch) {
    if (simt_findings_again(sm->findings, SIMT_FINDING_DIVERGENT_BARRIER, here->index,
                            other->index))
        return;
    simt_findings_add(sm, SIMT_FINDING_DIVERGENT_BARRIER, here, other, "",
                      say_divergent(sm, here, other, rest, branch).text,
                      "Move __syncthreads() out of the branch or loop so that all threads of the "
                      "block reach it equally often.");
}

static struct simt_sentence say_number(const struct simt_sm *sm, const struct simt_side *here,
                                       uint32_t number) {
    return simt_say("%s comes to barrier %" PRIu32 " (%s), but a block has the barriers 0 to 15 "
                    "alone: which one it is then is undefined.",
                    simt_who(sm, here).text, number, simt_where(sm, here).text);
}

/* A number that there is not. */
static void report_number(struct simt_sm *sm, const struct simt_arrival *arrival) {
    const uint32_t index = arrival->insn->index;
    if (simt_findings_again(sm->findings, SIMT_FINDING_INVALID_SYNC, index, index))
        return;
    struct simt_side here =
        simt_side_here(sm, index, (uint32_t)__builtin_ctz(arrival->lanes), "waits");
    simt_findings_add(sm, SIMT_FINDING_INVALID_SYNC, &here, NULL, "",
                      say_number(sm, &here, arrival->number).text,
                      "Number the barriers from 0 (which is that of __syncthreads()) to 15.");
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

static bool waits(const struct simt_insn *insn) {
    return insn->type != SIMT_BARRIER_ARRIVE;
}

/* All who wait at a barrier of the whole cta have to come to the line of the first one. */
static void barrier_differs(struct simt_sm *sm, const struct simt_arrival *arrival) {
    const struct simt_barrier_state *barrier = &sm->barriers[arrival->id];
    const struct simt_insn *insn = arrival->insn;
    if (arrival->number != arrival->id)
        report_number(sm, arrival);
    if (!barrier->arrived || !waits(insn) || !waits(&sm->program->insns[barrier->pc]) ||
        insn->b != SIMT_NO_ROW || simt_is_same_line(sm, barrier->pc, insn->index))
        return;
    struct simt_side first = {barrier->pc, sm->cta, barrier->thread, "waits"};
    struct simt_side here =
        simt_side_here(sm, insn->index, (uint32_t)__builtin_ctz(arrival->lanes), "waits");
    report(sm, &first, &here, "waits at another one", FLOW_EXIT);
}

static void barrier_opens(struct simt_sm *sm, uint32_t id) {
    const struct simt_barrier_state *barrier = &sm->barriers[id];
    if (barrier->expected || sm->n_alive == sm->n_threads)
        return;
    struct simt_side here = {barrier->pc, sm->cta, barrier->thread, "waits"};
    struct simt_side gone = find_gone(sm);
    if (gone.what)
        report(sm, &here, &gone, "left the kernel without it", barrier->branch);
}

const struct simt_check simt_check_barriers = {
    .barrier_differs = barrier_differs,
    .barrier_opens = barrier_opens,
};
