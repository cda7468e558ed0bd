/*
 * What the parts that run kernels tell the checks: a table of functions. run/, access/ and memory/
 * know no more of the checks than this header; checks/hooks.c fills the table, and each check is a
 * file of checks/. Observers on hooks that the interpreter does not know are an idea of Oclgrind
 * (Price and McIntosh-Smith, "Oclgrind: an extensible OpenCL device simulator", 2015).
 *
 * simt_sm.hooks is NULL where the launch is not checked. All functions are called by the host
 * thread that runs the slot.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simt;
struct simt_sm;
struct simt_warp;
struct simt_insn;
struct simt_region;
struct simt_request;
struct simt_row;
struct simt_allocation;
struct simt_checker; /* what the checks keep of a slot; theirs alone */

/* What an instruction does to memory. */
enum simt_touch { SIMT_READS, SIMT_WRITES, SIMT_UPDATES };

/* Lanes of the running warp that come to a barrier. */
struct simt_arrival {
    const struct simt_insn *insn; /* bar.sync, bar.red, bar.arrive … */
    uint32_t lanes;
    uint32_t number; /* of the barrier, as the program says it: it may be above 15 … */
    uint32_t id;     /* … and which of simt_sm.barriers that is */
    uint32_t branch; /* the instruction where their ways parted from other lanes', or FLOW_EXIT */
};

struct simt_hooks {
    /* Memory for what is kept of a launch (its first slot is made), of each host thread, of each
     * slot; and of each cta, where the kernel's threads may hand data to each other by fences and
     * strong accesses. False when the host has none; closing takes what there is so far. */
    bool (*launch_open)(struct simt_sm *first);
    bool (*thread_open)(struct simt_sm *sm);
    bool (*ctas_open)(struct simt_sm *first, uint64_t n_ctas);
    bool (*slot_open)(struct simt_sm *sm, bool is_first);
    void (*slot_close)(struct simt_sm *sm);
    void (*thread_close)(struct simt_sm *sm);
    void (*launch_close)(struct simt_sm *first);

    /* The launch begins and ends to run. */
    void (*launch_begins)(struct simt *simt, struct simt_sm *first);
    void (*launch_ends)(struct simt *simt, struct simt_sm *first);

    /* Several host threads run ctas. The launch must run in order where later work may ask who
     * touched a word last. Each thread has a span of time of its own, which may come to its end.
     * In the end the threads' records are added to the first slot's, or dropped, and the launch
     * runs again in order. */
    bool (*launch_needs_order)(const struct simt_sm *first);
    void (*thread_begins)(struct simt_sm *sm, const struct simt_sm *first, uint32_t thread);
    bool (*thread_is_late)(const struct simt_sm *sm);
    void (*thread_adds)(struct simt_sm *first, const struct simt_sm *sm);
    void (*threads_end)(struct simt_sm *first, uint64_t n_ctas, uint32_t n_threads, bool counts);

    /* A cta begins, gets a turn; one of its warps gets a turn. */
    void (*cta_begins)(struct simt_sm *sm);
    void (*cta_turn)(struct simt_sm *sm);
    void (*warp_turn)(struct simt_sm *sm, struct simt_warp *warp);

    /* Lanes of the running warp come to a barrier of the cta where others have come by another
     * instruction, or whose number is above 15; they are not counted there yet. */
    void (*barrier_differs)(struct simt_sm *sm, const struct simt_arrival *arrival);

    /* All threads that a barrier waits for, some of the cta's warps or all, have come and are about
     * to go on: simt_sm.barriers[id] still says what came together, and the splits of those who
     * wait say that they do. */
    void (*barrier_opens)(struct simt_sm *sm, uint32_t id);

    /* Lanes of the running warp have met in a *_sync. Lanes run an instruction that is a fence or
     * goes with one. */
    void (*lanes_meet)(struct simt_sm *sm, uint32_t lanes);
    void (*fence)(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes);

    /* Before an instruction that runs for `lanes` of a warp of which some registers hold what
     * nobody wrote (simt_warp.n_undefined). */
    void (*undefined_step)(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes);

    /* Before the lanes of x.mask run a shuffle; `strays` read lanes that take no part. */
    void (*shuffle)(struct simt_sm *sm, const struct simt_insn *insn, uint32_t strays);

    /* A request in shared or global memory, before its bytes move. */
    void (*access)(struct simt_sm *sm, const struct simt_request *request,
                   const struct simt_region *region);
    /* The same, quicker, of rows of one request: in shared memory of 4 bytes a lane, where all
     * their places have shadow; in global memory, not in constants. Gives the lanes that have to be
     * looked at one by one; all the others are done with. */
    uint32_t (*shared_rows)(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                            const struct simt_row *rows, uint32_t n);
    uint32_t (*global_rows)(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                            const struct simt_allocation *allocation, const struct simt_row *rows,
                            uint32_t n);
    /* Strong requests of this launch hand data over, so that each has to be seen by `access`. */
    bool (*sees_strong)(const struct simt_sm *sm);

    /* cp.async: lanes of the running warp close a group, wait for all groups but the last `n`
     * (UINT32_MAX: for all copies), or tell each its mbarrier, whose places in shared memory are in
     * `barriers`, of all copies. */
    void (*copy_commit)(struct simt_sm *sm, uint32_t lanes);
    void (*copy_wait)(struct simt_sm *sm, uint32_t lanes, uint32_t n);
    void (*copy_tell)(struct simt_sm *sm, uint32_t lanes, const uint32_t *barriers);
    /* A thread has just written these bytes of shared memory by a copy that the mbarrier knows of;
     * a thread has seen that the phase before the mbarrier's present one is over. */
    void (*delivery_begin)(struct simt_sm *sm, uint32_t barrier, uint32_t offset, uint32_t bytes);
    void (*delivery_end)(struct simt_sm *sm, uint32_t barrier);
    /* A bulk copy out of shared memory: a lane copies bytes; lanes close a group, or wait for all
     * groups but the last `n`. */
    void (*bulk_read_begin)(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                            uint32_t offset, uint32_t bytes);
    void (*bulk_read_commit)(struct simt_sm *sm, uint32_t lanes);
    void (*bulk_read_wait)(struct simt_sm *sm, uint32_t lanes, uint32_t n);

    /* The host (a copy, a fill, a free) reads or writes these bytes. */
    void (*host_access)(struct simt *simt, struct simt_allocation *allocation, uint64_t offset,
                        uint64_t bytes, bool writes);
    /* The device is destroyed. */
    void (*device_close)(struct simt *simt);
};

/* The checks' table (checks/hooks.c). */
extern const struct simt_hooks simt_checks;
