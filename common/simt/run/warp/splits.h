/*
 * A warp is a set of splits, each with its own pc and active mask. A split that diverges leaves a
 * join at the branch's immediate post-dominator; splits that get there wait in it until all its
 * lanes have come. The last split that can run is the one that runs, so the order of execution is a
 * reconvergence stack's as long as nobody waits for another lane. A split that spins moves to the
 * front of the list and the others get their turn, lanes in joins included, as on Volta and later.
 */
#pragma once

#include "common/simt/state/warp.h"

void simt_warp_start(struct simt_warp *warp);
/* Takes `lanes` off the split as a split of their own, at the same pc and join; the new split runs
 * first. */
struct simt_split *simt_split_off(struct simt_warp *warp, struct simt_split *split, uint32_t lanes);
/* Sends `taken` of the split's lanes to the branch's target, the others on. True when this split
 * is still the one that runs. */
bool simt_warp_diverge(struct simt_warp *warp, struct simt_split *split,
                       const struct simt_insn *branch, uint32_t taken);
/* Splits that run at one place, and meet others at one place, become one. Pointers to splits are
 * void then. */
void simt_warp_converge(struct simt_warp *warp);
/* The split's lanes, which go different ways from the instruction `branch` on, meet at `pc`. */
void simt_warp_fork(struct simt_warp *warp, struct simt_split *split, uint32_t pc, uint32_t branch);
/* One more split; it runs first. */
struct simt_split *simt_add_split(struct simt_warp *warp, const struct simt_split *split);
/* Lanes leave a split and all joins of this frame. */
void simt_warp_leave(struct simt_warp *warp, struct simt_split *split, uint32_t lanes,
                     uint32_t frame);
/* The split has come to the pc of its join: it waits there, or goes on as a part of the whole. True
 * when it is the one that goes on. */
bool simt_warp_meet(struct simt_warp *warp, struct simt_split *split);
/* Lanes leave the kernel. */
void simt_warp_exit(struct simt_warp *warp, struct simt_split *split, uint32_t lanes);
/* Lanes that wait in joins go on without the others; false when none waits. */
bool simt_warp_release_joins(struct simt_warp *warp);
/* The split that runs next; NULL when all wait. */
static inline struct simt_split *simt_warp_pick(struct simt_warp *warp) {
    for (uint32_t i = warp->n_splits; i-- > 0;)
        if (warp->splits[i].state == SIMT_SPLIT_RUNS)
            return &warp->splits[i];
    return NULL;
}
/* Moves a split behind all others of the warp. */
void simt_warp_rotate(struct simt_warp *warp, struct simt_split *split);
