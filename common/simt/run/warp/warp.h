/*
 * A warp is a set of splits, each with its own pc and active mask. A split that diverges leaves a
 * join at the branch's immediate post-dominator; splits that get there wait in it until all its
 * lanes have come. The last split that can run is the one that runs, so the order of execution is a
 * reconvergence stack's as long as nobody waits for another lane. A split that spins moves to the
 * front of the list and the others get their turn, lanes in joins included, as on Volta and later.
 */
#ifndef SIMT_RUN_WARP_H
#define SIMT_RUN_WARP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/simt/run/warp/call.h"

enum { SIMT_NO_JOIN = 0xff, SIMT_MAX_JOINS = 64, SIMT_BARRIERS = 17, SIMT_MAX_WARPS = 32 };
#define SIMT_FULL_MASK UINT32_C(0xffffffff)

struct simt_copies;
struct simt_doubt;

enum simt_split_state {
    SIMT_SPLIT_RUNS,
    SIMT_SPLIT_AT_SYNC,    /* waits for the lanes that a *_sync instruction names */
    SIMT_SPLIT_AT_BARRIER, /* waits for the other threads of the cta */
};

struct simt_split {
    uint32_t pc, mask;
    uint32_t wanted; /* at a sync: the lanes that it waits for, itself included */
    uint8_t state;   /* enum simt_split_state */
    uint8_t join;    /* where the lanes meet the others, or SIMT_NO_JOIN */
    uint8_t barrier; /* id of the barrier that it waits at */
    uint32_t frame;  /* of the warp's frames: the call that it is in, 0 in the kernel */
};

struct simt_join {
    uint32_t pc; /* where the lanes meet */
    uint32_t expected, arrived;
    uint32_t branch; /* where their ways parted */
    uint8_t parent;  /* join of the whole, or SIMT_NO_JOIN */
    uint32_t frame;
};

struct simt_warp {
    uint32_t index; /* in the cta */
    uint32_t born;  /* lanes that exist: fewer than 32 in the last warp of a cta */
    uint32_t alive; /* lanes that have not exited */
    uint32_t n_splits;
    struct simt_split splits[SIMT_LANES];
    uint64_t free_joins;
    struct simt_join joins[SIMT_MAX_JOINS];
    uint32_t exited_at[SIMT_LANES]; /* instruction by which a lane left */
    struct simt_frame *frames;
    uint32_t n_frames;       /* free ones included */
    struct simt_area *areas; /* a list */

    struct simt_doubt *doubts; /* registers that hold what nobody wrote; NULL before the first */
    uint32_t n_doubts;
    struct simt_copies *copies;         /* by cp.async; NULL before the first */
    uint32_t at_barrier[SIMT_BARRIERS]; /* lanes that came to a barrier for a number of threads */

    uint64_t synced; /* stamp: accesses before it are ordered for all lanes of the warp */
    uint64_t (*met)[SIMT_LANES]; /* stamp of the last sync of two lanes; NULL until one names only
                                    a part of the warp */
};

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

#endif
