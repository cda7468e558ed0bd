/*
 * A warp's splits and joins.
 */
#include "common/simt/run/warp/splits.h"

#include <string.h>

#include "common/simt/run/warp/call.h"

static const uint32_t ALL_FRAMES = UINT32_MAX;

void simt_warp_start(struct simt_warp *warp) {
    warp->alive = warp->born;
    warp->synced = 0;
    warp->free_joins = UINT64_MAX;
    memset(warp->at_barrier, 0, sizeof warp->at_barrier);
    warp->n_splits = 1;
    warp->splits[0] = (struct simt_split){.mask = warp->born, .join = SIMT_NO_JOIN};
}

struct simt_split *simt_add_split(struct simt_warp *warp, const struct simt_split *split) {
    warp->splits[warp->n_splits] = *split;
    return &warp->splits[warp->n_splits++];
}

static void remove_split(struct simt_warp *warp, struct simt_split *split) {
    size_t behind = (size_t)(warp->splits + --warp->n_splits - split);
    if (behind) /* seldom: mostly the last split runs */
        memmove(split, split + 1, behind * sizeof *split);
}

void simt_warp_rotate(struct simt_warp *warp, struct simt_split *split) {
    struct simt_split moved = *split;
    memmove(warp->splits + 1, warp->splits, (size_t)(split - warp->splits) * sizeof *split);
    warp->splits[0] = moved;
}

struct simt_split *simt_split_off(struct simt_warp *warp, struct simt_split *split,
                                  uint32_t lanes) {
    struct simt_split part = *split;
    part.mask = lanes;
    split->mask &= ~lanes;
    return simt_add_split(warp, &part);
}

void simt_warp_converge(struct simt_warp *warp) {
    for (uint32_t i = warp->n_splits; i-- > 1;)
        for (uint32_t k = i; k-- > 0;) {
            struct simt_split *ahead = &warp->splits[i], *split = &warp->splits[k];
            if (ahead->state != SIMT_SPLIT_RUNS || split->state != SIMT_SPLIT_RUNS ||
                ahead->pc != split->pc || ahead->join != split->join ||
                ahead->frame != split->frame)
                continue;
            ahead->mask |= split->mask;
            remove_split(warp, split);
            i--;
        }
}

void simt_warp_fork(struct simt_warp *warp, struct simt_split *split, uint32_t pc,
                    uint32_t branch) {
    /* Lanes that meet there already need no other join; nor do they get one where none is free. */
    if ((split->join != SIMT_NO_JOIN && warp->joins[split->join].pc == pc) || !warp->free_joins)
        return;
    uint8_t index = (uint8_t)__builtin_ctzll(warp->free_joins);
    warp->free_joins &= ~(UINT64_C(1) << index);
    warp->joins[index] = (struct simt_join){
        .pc = pc,
        .expected = split->mask,
        .branch = branch,
        .parent = split->join,
        .frame = split->frame,
    };
    split->join = index;
}

/* One of a branch's two ways ends where it begins, at the meeting point: an `if` without `else`, a
 * loop's end. Those lanes wait there at once, the split goes the other way. */
static bool wait_at_join(struct simt_warp *warp, struct simt_split *split,
                         const struct simt_insn *branch, uint32_t taken) {
    uint32_t next = split->pc + 1, meet = branch->reconverge;
    if (split->join == SIMT_NO_JOIN || warp->joins[split->join].pc != meet ||
        (branch->target != meet && next != meet))
        return false;
    uint32_t there = branch->target == meet ? taken : split->mask & ~taken;
    warp->joins[split->join].arrived |= there;
    split->mask &= ~there;
    split->pc = branch->target == meet ? next : branch->target;
    return true;
}

bool simt_warp_diverge(struct simt_warp *warp, struct simt_split *split,
                       const struct simt_insn *branch, uint32_t taken) {
    if (branch->reconverge != FLOW_EXIT)
        simt_warp_fork(warp, split, branch->reconverge, branch->index);
    if (wait_at_join(warp, split, branch, taken))
        return true;
    uint32_t next = split->pc + 1;
    struct simt_split *other = simt_split_off(warp, split, taken);
    /* The smaller pc runs first, and the last split is the one that runs. */
    bool target_first = branch->target < next;
    if (target_first) {
        split->pc = next;
        other->pc = branch->target;
    } else {
        uint32_t others = split->mask;
        split->mask = taken;
        split->pc = branch->target;
        other->mask = others;
        other->pc = next;
    }
    return false;
}

/* All lanes that a join expects have come: they go on as one split. */
static void complete_join(struct simt_warp *warp, uint8_t index) {
    struct simt_join *join = &warp->joins[index];
    warp->splits[warp->n_splits++] = (struct simt_split){
        .pc = join->pc,
        .mask = join->arrived,
        .join = join->parent,
        .frame = join->frame,
    };
    warp->free_joins |= UINT64_C(1) << index;
}

bool simt_warp_meet(struct simt_warp *warp, struct simt_split *split) {
    uint8_t index = split->join;
    struct simt_join *join = &warp->joins[index];
    join->arrived |= split->mask;
    remove_split(warp, split);
    if (join->arrived != join->expected)
        return false;
    complete_join(warp, index);
    return &warp->splits[warp->n_splits - 1] == split;
}

/* Lanes come to the joins of `frame` no more, or to none at all with ALL_FRAMES. */
static void leave_joins(struct simt_warp *warp, uint32_t lanes, uint32_t frame) {
    for (uint64_t used = ~warp->free_joins; used; used &= used - 1) {
        uint8_t index = (uint8_t)__builtin_ctzll(used);
        struct simt_join *join = &warp->joins[index];
        if (frame != ALL_FRAMES && join->frame != frame)
            continue;
        join->expected &= ~lanes;
        if (!join->expected)
            warp->free_joins |= UINT64_C(1) << index;
        else if (join->arrived == join->expected)
            complete_join(warp, index);
    }
}

void simt_warp_leave(struct simt_warp *warp, struct simt_split *split, uint32_t lanes,
                     uint32_t frame) {
    split->mask &= ~lanes;
    split->pc++;
    if (!split->mask)
        remove_split(warp, split);
    leave_joins(warp, lanes, frame);
}

void simt_warp_exit(struct simt_warp *warp, struct simt_split *split, uint32_t lanes) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        warp->exited_at[__builtin_ctz(rest)] = split->pc;
    warp->alive &= ~lanes;
    simt_warp_leave(warp, split, lanes, ALL_FRAMES);
    simt_frames_leave(warp, lanes);
}

bool simt_warp_release_joins(struct simt_warp *warp) {
    bool any = simt_frames_release(warp);
    for (uint64_t used = ~warp->free_joins; used; used &= used - 1) {
        uint8_t index = (uint8_t)__builtin_ctzll(used);
        struct simt_join *join = &warp->joins[index];
        if (!join->arrived)
            continue;
        any = true;
        uint32_t expected = join->expected & ~join->arrived;
        complete_join(warp, index);
        if (expected) { /* the others still have their meeting point */
            warp->free_joins &= ~(UINT64_C(1) << index);
            join->expected = expected;
            join->arrived = 0;
        }
    }
    return any;
}
