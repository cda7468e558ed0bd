/*
 * One warp: its splits (diverged parts), where they reconverge, and the calls that its lanes are
 * in. run/warp/ says how they change.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/simt/program/decode/program.h"

enum { SIMT_NO_JOIN = 0xff, SIMT_MAX_JOINS = 64, SIMT_BARRIERS = 17, SIMT_MAX_WARPS = 32 };
#define SIMT_FULL_MASK UINT32_C(0xffffffff)

struct simt_copies;
struct simt_undefined;

/* The registers of one function at one depth of calls, for all lanes of the warp. */
struct simt_area {
    const struct simt_program *program;
    uint32_t depth;
    uint64_t cta_index; /* whose special registers it holds */
    uint8_t *rows;
    uint32_t *preds;
    struct simt_area *next;
};

/* One call under way. */
struct simt_frame {
    struct simt_area *area; /* NULL: the frame is free */
    const struct simt_call *call;
    uint32_t parent;
    uint32_t return_pc;
    uint32_t expected, arrived; /* lanes that called, and those of them that have returned */
    uint8_t join;               /* of the caller */
};

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

    struct simt_undefined
        *undefined; /* registers that hold what nobody wrote; NULL before the first */
    uint32_t n_undefined;
    struct simt_copies *copies;         /* by cp.async; NULL before the first */
    uint32_t at_barrier[SIMT_BARRIERS]; /* lanes that came to a barrier for a number of threads */

    uint64_t synced; /* stamp: accesses before it are ordered for all lanes of the warp */
    uint64_t (*met)[SIMT_LANES]; /* stamp of the last sync of two lanes; NULL until one names only
                                    a part of the warp */
};
