/*
 * The table of hooks, and what the checks keep while a launch runs: memory for slots and threads,
 * and time. Time goes on at each barrier, sync, fence, cta and turn (shadow.h); what is older than
 * an order says is past.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/checks/asynchronous/host_work.h"
#include "common/simt/checks/check.h"
#include "common/simt/checks/definedness.h"
#include "common/simt/checks/last_writer.h"
#include "common/simt/checks/race/order.h"
#include "common/simt/checks/race/race.h"
#include "common/simt/state/module.h"

static const struct simt_check *const checks[SIMT_N_CHECKS] = {
#define CHECK(file, name, sees) &simt_check_##name,
#include "common/simt/findings.def"
#undef CHECK
};

/* Grids with more ctas than this don't learn what fences order. */
static const uint64_t MAX_KNOWN_CTAS = UINT64_C(1) << 24;

/* Stamps that each host thread has to itself. */
static const uint64_t THREAD_STAMPS = SIMT_STAMP_TICK << 24;

static bool launch_open(struct simt_sm *first) {
    first->checker = calloc(1, sizeof *first->checker);
    return first->checker != NULL;
}

static bool has_narrow(const struct simt_program *program) {
    for (uint32_t i = 0; i < program->n_insns; i++)
        if (program->insns[i].is_narrow)
            return true;
    return false;
}

static bool ctas_open(struct simt_sm *first, uint64_t n_ctas) {
    struct simt_checker *checker = first->checker;
    if (n_ctas > MAX_KNOWN_CTAS)
        return true;
    checker->cta_released = calloc(n_ctas, sizeof *checker->cta_released);
    if (!has_narrow(first->program))
        return checker->cta_released != NULL;
    checker->cta_narrow = calloc(n_ctas, sizeof *checker->cta_narrow);
    return checker->cta_released && checker->cta_narrow;
}

static void launch_close(struct simt_sm *first) {
    if (!first->checker)
        return;
    free(first->checker->cta_released);
    free(first->checker->cta_narrow);
}

static bool thread_open(struct simt_sm *sm) {
    struct simt_checker *checker = sm->checker;
    checker->turns = calloc(1, sizeof *checker->turns);
    checker->rivals = calloc(1, sizeof *checker->rivals);
    return checker->turns && checker->rivals;
}

static void thread_close(struct simt_sm *sm) {
    struct simt_checker *checker = sm->checker;
    if (!checker)
        return;
    if (checker->turns)
        free(checker->turns->list);
    free(checker->turns);
    simt_rivals_free(checker->rivals);
}

/* A slot that is not the first has a copy of that one's fields: it shares what is of the launch and
 * of the thread. */
static bool share_checker(struct simt_sm *sm) {
    const struct simt_checker *first = sm->checker;
    sm->checker = calloc(1, sizeof *sm->checker);
    if (!sm->checker)
        return false;
    sm->checker->cta_released = first->cta_released;
    sm->checker->cta_narrow = first->cta_narrow;
    sm->checker->turns = first->turns;
    sm->checker->rivals = first->rivals;
    return true;
}

static bool slot_open(struct simt_sm *sm, bool is_first) {
    sm->shared_cells = (struct simt_cells){NULL};
    sm->shared_defined = NULL;
    if (!is_first && !share_checker(sm))
        return false;
    sm->contexts = simt_contexts_open(sm->space);
    for (size_t i = 0; i < SIMT_N_CHECKS; i++)
        if (checks[i]->slot_open && !checks[i]->slot_open(sm))
            return false;
    return sm->contexts != NULL;
}

static void slot_close(struct simt_sm *sm) {
    if (!sm->checker)
        return;
    for (size_t i = 0; i < SIMT_N_CHECKS; i++)
        if (checks[i]->slot_close)
            checks[i]->slot_close(sm);
    free(sm->checker);
}

/* Long before stamps run out, all shadows are forgotten. */
static void launch_begins(struct simt *simt, struct simt_sm *first) {
    struct simt_works *works = simt->space.works;
    if (simt->now > SIMT_STAMP_SPAN / 2) {
        simt_space_forget(&simt->space);
        simt->now = SIMT_STAMP_TICK;
        simt_works_forget(works);
        simt_steps_forget(simt->space.steps);
    }
    if (simt->space.contexts.n > SIMT_CONTEXTS / 2)
        simt_space_forget(&simt->space);
    first->order.launch = simt_tick(first);
    first->order.span = SIMT_STAMP_SPAN;
    first->order.foreign = works ? works->foreign : UINT64_MAX;
    first->order.works = works;
    for (size_t i = 0; i < SIMT_N_CHECKS; i++)
        if (checks[i]->launch_begins)
            checks[i]->launch_begins(simt, first);
}

static void launch_ends(struct simt *simt, struct simt_sm *first) {
    for (size_t i = 0; i < SIMT_N_CHECKS; i++)
        if (checks[i]->launch_ends)
            checks[i]->launch_ends(simt, first);
}

/* Findings of later work, of another queue, may name who touched a word last, also of ctas that
 * only read it or only added to it. */
static bool launch_needs_order(const struct simt_sm *first) {
    return first->space->works && first->space->works->is_active;
}

static void thread_begins(struct simt_sm *sm, const struct simt_sm *first, uint32_t thread) {
    sm->checker->thread_now = *first->now + thread * THREAD_STAMPS;
    sm->now = &sm->checker->thread_now;
    sm->order.launch = simt_tick(sm);
    sm->order.span = THREAD_STAMPS - SIMT_STAMP_TICK;
    sm->checker->last_stamp = sm->order.launch + THREAD_STAMPS / 2;
}

static bool thread_is_late(const struct simt_sm *sm) {
    return sm->checker->thread_now > sm->checker->last_stamp;
}

static void thread_adds(struct simt_sm *first, const struct simt_sm *sm) {
    const struct simt_turns *turns = sm->checker->turns;
    for (size_t i = 0; i < turns->n; i++)
        simt_turns_add(first->checker->turns, turns->list[i].stamp, turns->list[i].cta);
}

static void threads_end(struct simt_sm *first, uint64_t n_ctas, uint32_t n_threads, bool counts) {
    uint64_t *released = first->checker->cta_released;
    struct simt_narrow *narrow = first->checker->cta_narrow;
    *first->now += n_threads * THREAD_STAMPS;
    if (counts)
        return;
    if (released)
        memset(released, 0, n_ctas * sizeof *released);
    if (narrow)
        memset(narrow, 0, n_ctas * sizeof *narrow);
    first->order.launch = simt_tick(first);
    first->order.span = SIMT_STAMP_SPAN;
}

static void cta_begins(struct simt_sm *sm) {
    for (size_t i = 0; i < SIMT_N_CHECKS; i++)
        if (checks[i]->cta_begins)
            checks[i]->cta_begins(sm);
}

static void barrier_differs(struct simt_sm *sm, const struct simt_arrival *arrival) {
    for (size_t i = 0; i < SIMT_N_CHECKS; i++)
        if (checks[i]->barrier_differs)
            checks[i]->barrier_differs(sm, arrival);
}

static void barrier_opens(struct simt_sm *sm, uint32_t id) {
    for (size_t i = 0; i < SIMT_N_CHECKS; i++)
        if (checks[i]->barrier_opens)
            checks[i]->barrier_opens(sm, id);
}

void simt_checks_access(struct simt_sm *sm, const struct simt_request *request,
                        const struct simt_region *region) {
    for (size_t i = 0; i < SIMT_N_CHECKS; i++)
        if (checks[i]->access)
            checks[i]->access(sm, request, region);
}

/* In place of the quicker ways, where some check sees each access: all lanes are left to be looked
 * at one by one. */
static uint32_t each_of_shared(struct simt_sm *sm, const struct simt_insn *insn,
                               enum simt_touch touch, const struct simt_row *rows, uint32_t n) {
    (void)insn, (void)touch, (void)rows, (void)n;
    return sm->x.mask;
}

static uint32_t each_of_global(struct simt_sm *sm, const struct simt_insn *insn,
                               enum simt_touch touch, const struct simt_allocation *allocation,
                               const struct simt_row *rows, uint32_t n) {
    (void)allocation;
    return each_of_shared(sm, insn, touch, rows, n);
}

static void cta_turn(struct simt_sm *sm) {
    sm->order.start = simt_tick(sm);
    simt_turns_add(sm->checker->turns, sm->order.start, sm->cta_index);
}

static void warp_turn(struct simt_sm *sm, struct simt_warp *warp) {
    sm->x.has_undefined = warp->n_undefined > 0;
    sm->order.warp = warp->synced > sm->order.cta ? warp->synced : sm->order.cta;
}

static bool sees_strong(const struct simt_sm *sm) {
    return sm->checker->handovers != NULL;
}

static void host_access(struct simt *simt, struct simt_allocation *allocation, uint64_t offset,
                        uint64_t bytes, bool writes) {
    if (writes)
        simt_steps_add_write(simt, allocation, offset, bytes);
    simt_work_touches(simt, allocation, offset, bytes, writes);
}

static void device_close(struct simt *simt) {
    for (size_t i = 0; i < SIMT_N_CHECKS; i++)
        if (checks[i]->device_close)
            checks[i]->device_close(simt);
}

const struct simt_hooks simt_checks = {
    .launch_open = launch_open,
    .thread_open = thread_open,
    .ctas_open = ctas_open,
    .slot_open = slot_open,
    .slot_close = slot_close,
    .thread_close = thread_close,
    .launch_close = launch_close,
    .launch_begins = launch_begins,
    .launch_ends = launch_ends,
    .launch_needs_order = launch_needs_order,
    .thread_begins = thread_begins,
    .thread_is_late = thread_is_late,
    .thread_adds = thread_adds,
    .threads_end = threads_end,
    .cta_begins = cta_begins,
    .cta_turn = cta_turn,
    .warp_turn = warp_turn,
    .barrier_differs = barrier_differs,
    .barrier_opens = barrier_opens,
    .lanes_meet = simt_order_lanes,
    .fence = simt_handover_fence,
    .undefined_step = simt_undefined_step,
    .shuffle = simt_undefined_shuffle,
    .access = simt_check_request,
    .shared_rows = SIMT_EACH_IS_SEEN ? each_of_shared : simt_check_shared_rows,
    .global_rows = SIMT_EACH_IS_SEEN ? each_of_global : simt_check_global_rows,
    .sees_strong = sees_strong,
    .copy_commit = simt_copy_commit,
    .copy_wait = simt_copy_wait,
    .copy_tell = simt_copy_tell,
    .delivery_begin = simt_delivery_begin,
    .delivery_end = simt_delivery_end,
    .bulk_read_begin = simt_bulk_read_begin,
    .bulk_read_commit = simt_bulk_read_commit,
    .bulk_read_wait = simt_bulk_read_wait,
    .host_access = host_access,
    .device_close = device_close,
};
