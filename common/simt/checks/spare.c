/*
 * Which accesses are not recorded, and when a launch has to start over for that: spare.h.
 */
#include "common/simt/checks/spare.h"

#include <string.h>

#include "common/simt/access/region/guard.h"
#include "common/simt/checks/check.h"
#include "common/simt/state/hooks.h"
#include "common/simt/state/module.h"

void simt_start_over(struct simt_sm *sm) {
    sm->x.fault = SIMT_STARTS_OVER;
}

bool simt_spares_global(struct simt_sm *sm, const struct simt_allocation *allocation,
                        enum simt_touch touch) {
    static const enum simt_use uses[] = {
        [SIMT_READS] = SIMT_USE_READ,
        [SIMT_WRITES] = SIMT_USE_WRITTEN,
        [SIMT_UPDATES] = SIMT_USE_UPDATED,
    };
    if (!sm->spares)
        return false;
    if (allocation->use == SIMT_USE_NONE)
        simt_space_range(sm->space, allocation->address, 0)->use = uses[touch];
    if (allocation->use != uses[touch])
        simt_start_over(sm);
    return allocation->use != uses[touch] || touch == SIMT_READS;
}

void simt_keep_updated(struct simt_sm *sm, const struct simt_request *request,
                       const struct simt_allocation *allocation) {
    if (sm->spares &&
        !simt_guard_save(request, simt_space_range(sm->space, allocation->address, 0)))
        simt_start_over(sm);
}

/* All bytes of shared memory were written. What was found out before still holds. */
static bool is_all_written(struct simt_sm *sm) {
    static const uint64_t all = UINT64_C(0x0101010101010101) * SIMT_WRITTEN;
    uint32_t *n = &sm->checker->n_written;
    while (*n + sizeof all <= sm->shared_bytes &&
           memcmp(sm->shared_defined + *n, &all, sizeof all) == 0)
        *n += sizeof all;
    while (*n < sm->shared_bytes && sm->shared_defined[*n] == SIMT_WRITTEN)
        ++*n;
    return *n == sm->shared_bytes;
}

bool simt_spares_shared(struct simt_sm *sm, enum simt_touch touch) {
    static const enum simt_phase phases[] = {
        [SIMT_READS] = SIMT_PHASE_READ,
        [SIMT_WRITES] = SIMT_PHASE_RECORDED,
        [SIMT_UPDATES] = SIMT_PHASE_UPDATED,
    };
    enum simt_phase *phase = &sm->checker->phase;
    if (!sm->spares || *phase == SIMT_PHASE_RECORDED)
        return false;
    if (*phase != SIMT_PHASE_NEW && *phase != phases[touch]) {
        simt_start_over(sm);
        return true;
    }
    if (*phase == SIMT_PHASE_NEW && touch == SIMT_READS)
        sm->reads_freely = is_all_written(sm);
    *phase = phases[touch];
    return touch != SIMT_WRITES;
}

/* Work of other queues may ask later who has read. */
static void launch_begins(struct simt *simt, struct simt_sm *first) {
    first->spares = !SIMT_EACH_IS_SEEN && first->program->may_start_over && !simt->n_edits &&
                    !simt->options.keeps_readers && !first->schedule &&
                    !simt_checks.launch_needs_order(first) && first->order.foreign == UINT64_MAX;
    simt->space.is_spared |= !simt->options.keeps_readers;
}

static void launch_ends(struct simt *simt, struct simt_sm *first) {
    simt_guard_end(&simt->space, first->x.fault == SIMT_STARTS_OVER);
    for (size_t i = 0; i < simt->space.n; i++)
        simt->space.table[i]->use = SIMT_USE_NONE;
}

static void barrier_opens(struct simt_sm *sm, uint32_t id) {
    (void)id;
    sm->checker->phase = SIMT_PHASE_NEW;
    sm->reads_freely = false;
}

static void cta_begins(struct simt_sm *sm) {
    sm->checker->n_written = 0;
    barrier_opens(sm, 0);
}

const struct simt_check simt_check_spare = {
    .launch_begins = launch_begins,
    .launch_ends = launch_ends,
    .cta_begins = cta_begins,
    .barrier_opens = barrier_opens,
};
