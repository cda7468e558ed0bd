/*
 * What one resident cta needs: its warps, shared and local memory, and its place in time. A launch
 * begins with one such slot of a multiprocessor, and opens more while ctas wait for each other; all
 * of them add to the same counters.
 */
#pragma once

#include <stdatomic.h>

#include "common/simt/program/decode/program.h"
#include "common/simt/memory/shadow.h"
#include "common/simt/memory/space.h"
#include "common/simt/state/findings.h"
#include "common/simt/state/hooks.h"
#include "common/simt/state/warp.h"

/* A value of simt_sm.spins with which the warp gives way at its next back edge: what it waits for
 * can't change before another warp has run. */
enum { SIMT_WAITS = 1 << 16 };
enum { SIMT_INTERNED = 64 }; /* contexts that are found at once */
/* What shared memory has behind its end: fast paths may touch it, and nothing is there. */
enum { SIMT_SHARED_SPARE_BYTES = 256 };
/* What is known of a byte of shared memory, where it is not 0. SIMT_PENDING: a copy by cp.async is
 * to write it; SIMT_HOLLOW: what was written there stems from bytes that nobody had written. */
enum { SIMT_WRITTEN = 1, SIMT_PENDING = 2, SIMT_HOLLOW = 4 };

struct simt_barrier_state {
    uint32_t arrived;  /* threads that wait or have arrived for good */
    uint32_t expected; /* threads, 0 for all that have not exited */
    uint32_t pc;       /* instruction of the first arrival */
    uint32_t thread;   /* that thread */
    uint32_t branch;   /* where its ways parted from other lanes; FLOW_EXIT: nowhere */
    uint32_t popc;     /* threads whose predicate was true */
    bool reduces;      /* some threads wait for a result that is made of these predicates */
};

/* What the loop over instructions knows of each instruction beside its record. */
struct simt_step {
    uint32_t straight;       /* plain instructions from here to the next special one or meeting */
    uint8_t kind;            /* enum simt_step_kind */
    uint8_t bytes;           /* of a memory access: of one lane */
    bool sees;               /* reads global memory strongly */
    uint8_t load;            /* enum simt_load: of a load, found out when it is asked for */
    uint64_t last;           /* of a memory access: the address of the last one */
    uint64_t entries, lanes; /* how often a straight run started here, and with how many lanes */
    uint64_t warps, threads; /* of a special instruction: its own counts */
};

/* A plain load is optimistic or not (checks/race/suspect.c), a strong one polls or not (polling.c).
 */
enum simt_load { SIMT_LOAD_UNKNOWN, SIMT_LOAD_USUAL, SIMT_LOAD_OPTIMISTIC, SIMT_LOAD_POLLS };

enum simt_step_kind {
    SIMT_STEP_PLAIN,
    SIMT_STEP_SHUFFLE,
    SIMT_STEP_VOTE,
    SIMT_STEP_FENCE,
    SIMT_STEP_HOST, /* a function of the runtime, which takes the host far longer than the rest */
};

struct simt_kernel;
struct simt_shape;
struct simt_trace;
struct simt_guard;
struct simt_loaded;
struct simt_snapshot;
struct simt_edit;
struct simt_schedule;

/* What ends a launch that goes on too long: run/limits.h. */
struct simt_limits {
    uint64_t budget;                 /* warp instructions; UINT64_MAX for any number */
    int64_t timeout_ms, deadline_ns; /* of CLOCK_MONOTONIC; 0 for none */
    const atomic_bool *interrupted;  /* the device's: another thread wants the kernel to stop */
    uint32_t fuel;                   /* turns until budget and clock are looked at */
    uint64_t looked_at;              /* the cta in which they last were … */
    uint64_t spent_before;           /* … and what was spent when they were for the first time */
    bool watches_host;               /* it may touch more memory than the host has: limits.c … */
    int64_t host_ns;                 /* … looks again from then on */
    struct simt_host host;           /* what there is for it */
};

struct simt_sm {
    struct simt_exec x; /* first: operations get a pointer to it */
    struct simt_space *space;
    struct simt_allocation **hit; /* the allocation that was touched last */
    struct simt_guard *guard;     /* of this host thread, where several run ctas; else NULL */
    struct simt_findings *findings;
    struct simt_diag *diag; /* filled when x.fault is set */

    /* the launch */
    const struct simt_kernel *kernel;
    const struct simt_program *program;
    const uint8_t *launch_params; /* the caller's */
    struct simt_dim3 grid, block;
    uint32_t n_sm;                  /* of the device, for special registers */
    struct simt_output *output;     /* what the kernel prints: the device's, or a host thread's */
    uint64_t grid_workspace;        /* see simt_options */
    const struct simt_edit *below;  /* the edit SIMT_EDIT_BELOW that is tried; or NULL */
    struct simt_snapshot *snapshot; /* memory when the launch began, for edits; or NULL */
    const struct simt_hooks *hooks; /* of the checks; NULL: races and the like are not looked for */
    struct simt_checker *checker;   /* what the checks keep; NULL likewise */
    struct simt_step *steps;        /* per instruction */
    struct simt_counters *counters; /* per instruction */
    struct simt_shape *shapes;      /* of accesses: access/fast/shape.h */
    bool spares;                    /* the checks don't record all: checks/spare.h */
    struct simt_schedule *schedule; /* NULL: the usual order */
    struct simt_trace *traces;      /* what traced ctas do; NULL where nothing is traced … */
    struct simt_trace *trace;       /* … or this cta is not */
    struct simt_limits limits;

    /* the cta */
    struct simt_dim3 cta;
    uint64_t cta_index;
    uint32_t n_threads, n_warps;
    uint32_t n_alive;   /* threads that have not exited */
    uint32_t n_waiting; /* splits that wait at a barrier */
    struct simt_warp *warps;
    uint8_t *registers; /* of all warps, aligned to 64 bytes */
    uint32_t *preds;    /* of all warps */
    struct simt_barrier_state barriers[SIMT_BARRIERS];
    uint8_t *shared;
    /* Of the launch, and what of it the kernel has arrays for: an array that is too short does not
     * go on in what the launch asks for, where the kernel names no array of that. */
    uint32_t all_shared_bytes, shared_bytes;
    uint8_t *shared_defined; /* a flag a byte */
    bool reads_freely;       /* the checks need not see its reads before the next barrier */
    struct simt_cells shared_cells;
    uint8_t *local;             /* of all threads */
    uint32_t local_bytes;       /* of one thread, a multiple of 16 */
    uint32_t local_used;        /* … of which the slot's frames have had this many */
    uint8_t *params;            /* the kernel's parameter block */
    uint32_t *bank_rows;        /* scratch of the bank counter: a bit a word of a row of 32 banks */
    struct simt_loaded *loaded; /* what its threads have loaded, for edits; NULL: nothing */

    /* for the checks alone: time, see shadow.h */
    uint64_t *contexts; /* the device's table, and those that were used last, by their stamps */
    struct simt_interned {
        uint64_t stamp;
        uint32_t number, generation;
    } interned[SIMT_INTERNED];
    uint64_t *now;           /* stamp, shared by all launches of the device */
    bool touched;            /* an access since the last tick */
    struct simt_order order; /* of the running warp */

    /* the running warp */
    struct simt_warp *warp;
    bool modified;           /* memory changed since the last back edge */
    bool progress;           /* memory changed since the cta's turn began */
    uint8_t looked;          /* enum simt_looked: what was read since the last back edge */
    uint32_t spins;          /* back edges without progress, weighted */
    bool gives_way;          /* the warp's turn is over */
    bool is_interrupted;     /* … by the schedule, not because it spins */
    uint32_t looked_index;   /* the last read … */
    uint64_t looked_address; /* … of this place */
};

/* In x.fault: the launch ends here, and starts over (checks/spare.h). */
#define SIMT_STARTS_OVER ((enum simt_status)1000)

enum simt_looked { SIMT_LOOKED_NOWHERE, SIMT_LOOKED_PLAIN, SIMT_LOOKED_STRONG };

static inline struct simt_sm *simt_sm_of(struct simt_exec *x) {
    return (struct simt_sm *)x;
}

/* The instruction's record from its index. */
static inline const struct ptx_insn *simt_source(const struct simt_sm *sm, uint32_t index) {
    return sm->program->insns[index].source;
}

/* Without the instruction for it, which not every x86-64 has, the compiler's own is a call. */
static inline uint32_t simt_popcount(uint32_t v) {
    v -= v >> 1 & 0x55555555u;
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    return ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/* Makes `mask` the active mask of the operations. */
void simt_set_mask(struct simt_exec *x, uint32_t mask);
static inline void simt_need_mask(struct simt_exec *x, uint32_t mask) {
    if (x->mask != mask)
        simt_set_mask(x, mask);
}

/* The lanes of `mask` whose guard lets the instruction run. */
static inline uint32_t simt_guarded(const struct simt_exec *x, const struct simt_insn *insn,
                                    uint32_t mask) {
    if (insn->guard < 0)
        return mask;
    uint32_t pred = x->preds[insn->guard];
    return mask & (insn->guard_negated ? ~pred : pred);
}

/* Time goes on: accesses from here on have later stamps. */
static inline uint64_t simt_tick(struct simt_sm *sm) {
    sm->touched = false;
    return *sm->now += SIMT_STAMP_TICK;
}

/* What these lanes did so far is seen by whoever sees what they do next, if the instruction is a
 * fence or goes with one. */
static inline void simt_fence(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    if (sm->hooks && sm->steps[insn->index].kind == SIMT_STEP_FENCE)
        sm->hooks->fence(sm, insn, lanes);
}
