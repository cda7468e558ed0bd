/*
 * Instructions that lanes of a warp run together: shfl.sync, vote.sync, match.sync, redux.sync,
 * bar.warp.sync. Each waits for the lanes that its member mask names; a lane that has left the
 * kernel is not waited for. Where it leaves while others wait for it, that is a finding: what they
 * do then is undefined, though an H200 lets them go on. A lane that the mask does not name must not
 * run it: "The behavior is undefined if the executing thread is not in the membermask" (PTX ISA, of
 * each of them). Where one does, that is a finding, and the lane takes part, as on an H200.
 */
#include "common/simt/run/warp/sync.h"

#include <inttypes.h>

#include "common/simt/program/isa/shuffle.h"
#include "common/simt/run/counting.h"
#include "common/simt/run/warp/splits.h"
#include "common/simt/state/findings.h"

static struct simt_sentence say_unnamed(const struct simt_sm *sm, const struct simt_side *here,
                                        uint32_t mask) {
    uint32_t lane = here->thread % SIMT_LANES;
    return simt_say("%s is lane %" PRIu32
                    " of its warp and calls a *_sync function in %s with the mask "
                    "0x%08" PRIx32 ", which does not name lane %" PRIu32 ": what the call does is "
                    "undefined.",
                    simt_who(sm, here).text, lane, simt_where(sm, here).text, mask, lane);
}

/* Lanes that run the instruction with a mask in which they are not. */
static void report_unnamed(struct simt_sm *sm, const struct simt_insn *insn, uint32_t unnamed,
                           uint32_t mask) {
    if (!sm->hooks ||
        simt_findings_again(sm->findings, SIMT_FINDING_INVALID_SYNC, insn->index, insn->index))
        return;
    uint32_t lane = (uint32_t)__builtin_ctz(unnamed);
    struct simt_side here = simt_side_here(sm, insn->index, lane, "calls with a wrong mask");
    simt_findings_add(
        sm, SIMT_FINDING_INVALID_SYNC, &here, NULL, "", say_unnamed(sm, &here, mask).text,
        "Give each lane that makes the call a mask that names it, and all others that "
        "make it: 0xffffffff where that is the whole warp.");
}

static void run_together(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    struct simt_exec *x = &sm->x;
    struct simt_counters *count = &sm->counters[insn->index];
    uint8_t kind = sm->steps[insn->index].kind;
    simt_count(sm, insn, lanes);
    count->shuffles += kind == SIMT_STEP_SHUFFLE;
    count->votes += kind == SIMT_STEP_VOTE;
    simt_need_mask(x, lanes);
    if (kind == SIMT_STEP_SHUFFLE && sm->hooks) {
        uint32_t strays = simt_shuffle_strays(x, insn);
        if (strays || x->has_undefined)
            sm->hooks->shuffle(sm, insn, strays);
    }
    (lanes == SIMT_FULL_MASK ? insn->run_full : insn->run_part)(x, insn);
    if (sm->hooks)
        sm->hooks->lanes_meet(sm, lanes);
}

/* Lanes that wait for `wanted`, all together. */
static uint32_t waiting_for(const struct simt_warp *warp, uint32_t wanted) {
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < warp->n_splits; i++)
        if (warp->splits[i].state == SIMT_SPLIT_AT_SYNC && warp->splits[i].wanted == wanted)
            lanes |= warp->splits[i].mask;
    return lanes;
}

/* Runs an instruction for lanes whose registers are in this area. */
static void run_in(struct simt_sm *sm, const struct simt_area *area, const struct simt_insn *insn,
                   uint32_t lanes) {
    uint8_t *const rows = sm->x.rows;
    uint32_t *const preds = sm->x.preds;
    sm->x.rows = area->rows;
    sm->x.preds = area->preds;
    run_together(sm, insn, lanes);
    sm->x.rows = rows;
    sm->x.preds = preds;
}

/* Lets all splits that wait for `wanted` go on; those at the same instruction run it as one. */
static void complete(struct simt_sm *sm, struct simt_warp *warp, uint32_t wanted) {
    for (uint32_t i = 0; i < warp->n_splits; i++) {
        if (warp->splits[i].state != SIMT_SPLIT_AT_SYNC || warp->splits[i].wanted != wanted)
            continue;
        const struct simt_area *area = warp->frames[warp->splits[i].frame].area;
        uint32_t pc = warp->splits[i].pc, lanes = 0;
        for (uint32_t k = i; k < warp->n_splits; k++) {
            struct simt_split *split = &warp->splits[k];
            if (split->state == SIMT_SPLIT_AT_SYNC && split->wanted == wanted && split->pc == pc &&
                warp->frames[split->frame].area == area) {
                lanes |= split->mask;
                split->state = SIMT_SPLIT_RUNS;
                split->pc++;
            }
        }
        run_in(sm, area, &sm->program->insns[pc], lanes);
    }
    /* Syncs of different instructions order their lanes as well. */
    if (sm->hooks)
        sm->hooks->lanes_meet(sm, wanted & warp->alive);
    /* Lanes of which some went ahead alone, because the others spun, are one split again. */
    simt_warp_converge(warp);
}

static struct simt_sentence say_left(const struct simt_sm *sm, const struct simt_side *here,
                                     const struct simt_side *other) {
    return simt_say(
        "%s waits at a *_sync function (%s) for the lanes that its mask names, but %s, one of "
        "them, leaves the kernel (%s) without such a call: what the call does is undefined.",
        simt_who(sm, here).text, simt_where(sm, here).text, simt_and_who(sm, other).text,
        simt_where(sm, other).text);
}

/* A lane that waits, and one that its mask names and that has left the kernel. */
static void report_left(struct simt_sm *sm, const struct simt_split *waits, uint32_t gone,
                        uint32_t index) {
    if (simt_findings_again(sm->findings, SIMT_FINDING_INVALID_SYNC, waits->pc, index))
        return;
    struct simt_side here = simt_side_here(sm, waits->pc, (uint32_t)__builtin_ctz(waits->mask),
                                           "waits for the lanes of its mask");
    struct simt_side other =
        simt_side_here(sm, index, (uint32_t)__builtin_ctz(gone), "leaves the kernel");
    simt_findings_add(sm, SIMT_FINDING_INVALID_SYNC, &here, &other, "",
                      say_left(sm, &here, &other).text,
                      "Let all lanes that the mask names come to the call, or name only those that "
                      "come: move it out of the branch.");
}

void simt_sync_left(struct simt_sm *sm, uint32_t lanes, uint32_t index) {
    const struct simt_warp *warp = sm->warp;
    for (uint32_t i = 0; sm->hooks && i < warp->n_splits; i++)
        if (warp->splits[i].state == SIMT_SPLIT_AT_SYNC && warp->splits[i].wanted & lanes)
            report_left(sm, &warp->splits[i], warp->splits[i].wanted & lanes, index);
}

void simt_sync_retry(struct simt_sm *sm, struct simt_warp *warp) {
    for (uint32_t i = 0; i < warp->n_splits; i++) {
        struct simt_split *split = &warp->splits[i];
        if (split->state == SIMT_SPLIT_AT_SYNC &&
            !(split->wanted & warp->alive & ~waiting_for(warp, split->wanted))) {
            complete(sm, warp, split->wanted);
            i = UINT32_MAX; /* from the first on: there may be fewer */
        }
    }
}

/* The lanes of the active mask that name the same members as the first of them. */
static uint32_t same_members(const struct simt_exec *x, const uint32_t *members) {
    uint32_t wanted = members[__builtin_ctz(x->mask)], differs = 0, same = 0;
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        differs |= (members[i] ^ wanted) & x->lanes[i];
    if (!differs)
        return x->mask;
    for (uint32_t rest = x->mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        same |= (uint32_t)(members[i] == wanted) << i;
    }
    return same;
}

bool simt_sync(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn) {
    struct simt_warp *warp = sm->warp;
    uint32_t lanes = simt_guarded(&sm->x, insn, split->mask);
    if (!lanes) {
        simt_count(sm, insn, 0);
        split->pc++;
        return true;
    }
    /* Lanes that are predicated off go on alone. */
    if (lanes != split->mask)
        simt_split_off(warp, split, split->mask & ~lanes)->pc++;
    const uint32_t *members = (const uint32_t *)(sm->x.rows + insn->rows[0]);
    bool alone = lanes == split->mask;
    while (lanes) {
        simt_need_mask(&sm->x, lanes);
        uint32_t group = same_members(&sm->x, members);
        uint32_t named = members[__builtin_ctz(group)], wanted = named | group;
        if (wanted != named)
            report_unnamed(sm, insn, group & ~named, named);
        if (!(wanted & warp->alive & ~group)) {
            run_together(sm, insn, group);
        } else {
            struct simt_split *part =
                group == split->mask ? split : simt_split_off(warp, split, group);
            part->state = SIMT_SPLIT_AT_SYNC;
            part->wanted = wanted;
            if (part == split)
                split = NULL;
            alone = false;
        }
        lanes &= ~group;
    }
    if (split)
        split->pc++;
    if (!alone)
        simt_sync_retry(sm, warp);
    return alone;
}
