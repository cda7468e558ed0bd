/*
 * What one resident cta needs: its warps, shared and local memory, and its place in time. A launch
 * begins with one such slot of a multiprocessor, and opens more while ctas wait for each other; all
 * of them add to the same counters.
 *
 * A warp is a set of splits, each with its own pc and active mask. A split that diverges leaves a
 * join at the branch's immediate post-dominator; splits that get there wait in it until all its
 * lanes have come. The last split that can run is the one that runs, so the order of execution is a
 * reconvergence stack's as long as nobody waits for another lane. A split that spins moves to the
 * front of the list and the others get their turn, lanes in joins included, as on Volta and later.
 */
#ifndef SIMT_ENGINE_SM_H
#define SIMT_ENGINE_SM_H

#include <stdatomic.h>

#include "common/simt/checks/doubt.h"
#include "common/simt/checks/findings.h"
#include "common/simt/checks/leaving.h"
#include "common/simt/checks/pending.h"
#include "common/simt/checks/rivals.h"
#include "common/simt/checks/turns.h"
#include "common/simt/run/frame.h"
#include "common/simt/run/schedule.h"
#include "common/simt/run/trace.h"
#include "common/simt/isa/exec.h"
#include "common/simt/memory/guard.h"
#include "common/simt/memory/shadow.h"
#include "common/simt/memory/space.h"

/* What simt_sm.spins is set to by who need not look again before another thread has run. */
enum { SIMT_WAITS = 1 << 16 };
enum { SIMT_NO_JOIN = 0xff, SIMT_MAX_JOINS = 64, SIMT_BARRIERS = 17, SIMT_MAX_WARPS = 32 };
enum { SIMT_INTERNED = 64 }; /* contexts that are found at once */
#define SIMT_FULL_MASK UINT32_C(0xffffffff)

/* What shared memory has behind its end: fast paths may touch it, and nothing is there. */
enum { SIMT_SHARED_SPARE_BYTES = 256 };

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

struct simt_barrier_state {
    uint32_t arrived;  /* threads that wait or have arrived for good */
    uint32_t expected; /* threads, 0 for all that have not exited */
    uint32_t pc;       /* instruction of the first arrival */
    uint32_t thread;   /* that thread */
    uint32_t branch;   /* where its ways parted from other lanes; FLOW_EXIT: nowhere */
    uint32_t popc;     /* threads whose predicate was true */
};

/* What the loop over instructions knows of each instruction beside its record. */
struct simt_step {
    uint32_t straight;       /* plain instructions from here to the next special one or meeting */
    uint8_t kind;            /* enum simt_step_kind */
    uint8_t bytes;           /* of a memory access: of one lane */
    bool sees;               /* reads global memory strongly */
    uint8_t optimistic;      /* enum simt_optimistic: of a load, found out when it is asked for */
    uint64_t entries, lanes; /* how often a straight run started here, and with how many lanes */
    uint64_t warps, threads; /* of a special instruction: its own counts */
};

enum simt_optimistic { SIMT_OPTIMISTIC_UNKNOWN, SIMT_OPTIMISTIC_NO, SIMT_OPTIMISTIC_YES };

enum simt_step_kind {
    SIMT_STEP_PLAIN,
    SIMT_STEP_SHUFFLE,
    SIMT_STEP_VOTE,
    SIMT_STEP_FENCE,
    SIMT_STEP_HOST, /* a function of the runtime, which takes the host far longer than the rest */
};

/* What a thread has made visible to others, and has seen of them: fences with strong accesses. */
struct simt_handover {
    uint64_t fenced;   /* stamp of its last fence */
    uint64_t released; /* stamp of the last fence that a strong write followed */
    uint64_t acquired; /* stamp of its last strong read */
};

/* The strong writes of the launch that a thread's last strong load, and its last atomic with a
 * result, came upon. */
struct simt_sights {
    struct simt_sight {
        uint64_t writer; /* its stamp; 0: none yet */
        uint32_t reader; /* the instruction that read */
    } load, atomic;
};

struct simt_kernel;

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
    uint32_t n_sm;                   /* of the device, for special registers */
    struct simt_output *output;      /* what the kernel prints: the device's, or a host thread's */
    uint64_t grid_workspace;         /* see simt_options */
    bool checks;                     /* races, uninitialised reads and the like */
    struct simt_step *steps;         /* per instruction */
    struct simt_counters *counters;  /* per instruction */
    struct simt_schedule *schedule;  /* NULL: the usual order */
    struct simt_trace *traces;       /* what traced ctas do; NULL where nothing is traced … */
    struct simt_trace *trace;        /* … or this cta is not */
    uint64_t budget;                 /* warp instructions; UINT64_MAX for any number */
    int64_t timeout_ms, deadline_ns; /* of CLOCK_MONOTONIC; 0 for none */
    const atomic_bool *interrupted;  /* the device's: another thread wants the kernel to stop */
    uint32_t fuel;                   /* turns until budget and clock are looked at */
    uint64_t looked_at;              /* the cta in which they last were … */
    uint64_t spent_before;           /* … and what was spent when they were for the first time */
    bool watches_room;               /* it may touch more memory than the host has: room.c … */
    int64_t room_ns;                 /* … looks again from then on */

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
    uint32_t shared_bytes;
    uint8_t *shared_defined; /* a flag a byte */
    struct simt_deliveries deliveries;
    struct simt_leavings leavings;
    struct simt_cells shared_cells;
    uint8_t *local;       /* of all threads */
    uint32_t local_bytes; /* of one thread, a multiple of 16 */
    uint32_t local_used;  /* … of which the slot's frames have had this many */
    uint8_t *params;      /* the kernel's parameter block */
    uint32_t *bank_rows;  /* scratch of the bank counter: a bit a word of a row of 32 banks */

    /* time: see shadow.h */
    uint64_t *contexts; /* the device's table, and those that were used last, by their stamps */
    struct simt_interned {
        uint64_t stamp;
        uint32_t number, generation;
    } interned[SIMT_INTERNED];
    uint64_t *now;                   /* stamp, shared by all launches of the device */
    bool touched;                    /* an access since the last tick */
    struct simt_order order;         /* of the running warp */
    struct simt_turns *turns;        /* of the launch */
    struct simt_rivals *rivals;      /* likewise */
    uint64_t *cta_released;          /* per cta of the launch: what it released; NULL where the
                                        kernel has neither fences nor strong reads of global memory */
    struct simt_handover *handovers; /* per thread of the cta; NULL likewise */
    uint64_t acquired;               /* the last strong read of the cta */
    uint64_t acquired_before;        /* the last one before its last barrier: all know of it */
    struct simt_sights *sights;      /* per thread of the cta; NULL where there are no handovers */
    struct simt_sights seen;         /* the last ones of the cta */
    struct simt_sights seen_before;  /* … before its last barrier */
    uint64_t published; /* the last barrier before which each thread had a fence of its own */

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

/* step.c: what these lanes did so far is seen by whoever sees what they do next, if the instruction
 * is a fence or goes with one. */
void simt_fence(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes);

/* warp.c: splits and joins */
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

/* step.c: runs the warp until all its lanes wait or left, or it gives way to other warps. */
void simt_warp_run(struct simt_sm *sm, struct simt_warp *warp);

/* budget.c: what a launch may take begins here. */
void simt_budget_begin(struct simt_sm *sm, uint64_t budget, int64_t timeout_ms);
/* The warp instructions of all slots that add to the same counts. */
uint64_t simt_executed(const struct simt_sm *sm);
/* They have taken more than the budget. */
bool simt_is_spent(const struct simt_sm *sm);
/* It went for work: more than half was spent when the running cta began, before which all ctas in
 * front of it had come to their end. Never so where ctas take turns, or come in a drawn order. */
bool simt_is_costly(const struct simt_sm *sm);
/* Looks at budget, clock and interruptions: true once the kernel has to stop. */
bool simt_look(struct simt_sm *sm);
/* To be asked at each back edge and call, with 1, and for each cta. */
static inline bool simt_is_over(struct simt_sm *sm, uint32_t turns) {
    if (sm->fuel > turns) {
        sm->fuel -= turns;
        return false;
    }
    return simt_look(sm);
}

/* room.c: finds out whether the host's memory may come to an end, and then, now and again, whether
 * it has: true once the kernel was stopped for it. */
void simt_room_begin(struct simt_sm *sm);
bool simt_room_is_over(struct simt_sm *sm);
/* Counts a special instruction of `lanes`. */
static inline void simt_count(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    struct simt_step *step = &sm->steps[insn->index];
    step->warps++;
    step->threads += lanes == sm->x.mask ? sm->x.n_lanes : simt_popcount(lanes);
}

/* sync.c, barrier.c: the split has come to such an instruction. False when it waits. */
bool simt_sync(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);
bool simt_barrier(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);
/* Lanes of the running warp have left: whoever waited for them goes on. */
void simt_sync_retry(struct simt_sm *sm, struct simt_warp *warp);
void simt_barrier_retry(struct simt_sm *sm);

/* stuck.c: all threads of the cta wait (x.fault becomes SIMT_DEADLOCK); budget or time are spent
 * (SIMT_TIMEOUT); a trap (SIMT_TRAP). */
void simt_deadlock(struct simt_sm *sm);
void simt_endless(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane);
/* All resident ctas spin. `next` is the first cta that has not started, UINT64_MAX for none. */
void simt_wait_without_end(struct simt_sm *sm, uint64_t n_resident, uint64_t next);
/* The same where no thread is in a loop: there are too many ctas. */
void simt_too_long(struct simt_sm *sm);
void simt_trapped(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane);
/* The same for an assertion that failed; a call or jump to where no code is; calls that are too
 * deep; a host without memory; free() of what malloc() did not give. */
void simt_asserted(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                   const char *message);
void simt_lost(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane);
void simt_overflowed(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                     uint32_t depth);
void simt_exhausted(struct simt_sm *sm, const struct simt_insn *insn);
/* Likewise for what it touches. */
void simt_used_up(struct simt_sm *sm);
void simt_misfreed(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane);
/* A barrier for so many threads, which are no whole warps. */
void simt_miscounted(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                     uint32_t n_threads);

/* call.c: call, ret of a device function, brx.idx. */
bool simt_do_call(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);
bool simt_do_return(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);
bool simt_do_switch(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);

/* builtin.c: all lanes of the split call a function of the runtime. */
void simt_built_in(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn,
                   enum simt_builtin builtin);
/* print.c: vprintf of one lane: the text of a format and its arguments, both generic addresses.
 * The number of arguments, -1 where the format can't be read. */
int simt_print(struct simt_sm *sm, uint32_t lane, uint64_t format, uint64_t arguments);

/* peek.c: `bytes` at a generic address, as a lane of the running warp sees it; NULL where there are
 * none. */
const uint8_t *simt_peek(struct simt_sm *sm, uint32_t lane, uint64_t address, size_t bytes);

/* cta.c: the rows of an area that stay the same for all ctas; those that don't. */
void simt_area_fill(struct simt_sm *sm, const struct simt_warp *warp, struct simt_area *area);
void simt_area_start(struct simt_sm *sm, struct simt_area *area);
/* Makes the slot's cta that of an index. */
void simt_cta_start(struct simt_sm *sm, uint64_t index);
/* Gives the cta a turn. False when all its warps spin: it waits for another cta. */
bool simt_cta_run(struct simt_sm *sm);

/* steps.c: finds the straight runs: they end at special instructions and where diverged lanes may
 * meet. True when threads of the kernel may hand data over: it has fences or strong reads. */
bool simt_steps_prepare(struct simt_sm *sm);

/* launch.c: a slot for one more cta of the same launch; NULL when the host has no memory. */
struct simt_sm *simt_slot_open(const struct simt_sm *first);
void simt_slot_close(struct simt_sm *sm);

/* launch.c: what a host thread notes for itself, for all the slots that it runs: findings, steps,
 * counters, turns and rivals. False when the host has no memory; what there is has to be closed. */
bool simt_books_open(struct simt_sm *sm);
void simt_books_close(struct simt_sm *sm);

/* grid.c: runs all ctas, at most `capacity` at a time. A fault is left in first->x.fault. */
void simt_grid_run(struct simt_sm *first, uint64_t n_ctas, uint64_t capacity);

/* crew.c: the same by several host threads, where that pays. */
void simt_crew_run(struct simt_sm *first, uint64_t n_ctas, uint64_t capacity, uint32_t n_threads);

/* lines.c: adds the counts of another slot that has its own. */
void simt_counts_add(struct simt_sm *sum, const struct simt_sm *other);

/* The counters of all instructions, per line and in total. */
enum simt_status simt_collect(const struct simt_sm *sm, struct simt_launch_report *report);

#endif
