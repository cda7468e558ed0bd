/*
 * One cta: its special registers, then its warps in turn until all have left.
 */
#include "common/simt/run/grid/cta.h"

#include <string.h>

#include "common/simt/run/counting.h"
#include "common/simt/run/limits.h"
#include "common/simt/run/stop.h"
#include "common/simt/run/warp/call.h"
#include "common/simt/run/warp/schedule.h"
#include "common/simt/run/warp/splits.h"
#include "common/simt/run/warp/step.h"

/* What %clock advances from cta to cta. */
enum { CTA_CYCLES_SHIFT = 12 };

/* As how many turns of a loop a cta's own turn counts. */
enum { CTA_TURNS = 64 };

/* Memory of the cta begins as zeros: what another one left there would depend on which ctas a host
 * thread has run. Of a stack only the frames that were there before have anything to clear. */
static void clear_memory(struct simt_sm *sm) {
    memset(sm->shared, 0, sm->shared_bytes);
    for (size_t i = 0; i < (sm->local_used ? sm->n_warps * (size_t)SIMT_LANES : 0); i++)
        memset(sm->local + i * sm->local_bytes, 0, sm->local_used);
}

void simt_cta_start(struct simt_sm *sm, uint64_t index) {
    sm->cta_index = index;
    sm->cta = simt_cta_of(sm->grid, index);
    sm->trace = sm->traces && index - sm->traces->first < sm->traces->n_ctas ? sm->traces : NULL;
    sm->n_alive = sm->n_threads;
    /* The clock of the cta's multiprocessor: blocks of its kind take a while. */
    sm->x.clock = (index / sm->n_sm + 1) << CTA_CYCLES_SHIFT;
    sm->n_waiting = 0;
    memset(sm->barriers, 0, sizeof sm->barriers);
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        struct simt_warp *warp = &sm->warps[w];
        simt_warp_start(warp);
        simt_frames_start(sm, warp);
    }
    clear_memory(sm);
    if (sm->hooks)
        sm->hooks->cta_begins(sm);
}

/* Gives each warp a turn. False when none can run; `waits` is set when all that can run spin. */
static bool run_warps(struct simt_sm *sm, bool *waits) {
    bool ran = false, moved = false;
    uint32_t first = sm->schedule ? (uint32_t)simt_schedule_draw(sm->schedule, sm->n_warps) : 0;
    for (uint32_t i = 0; i < sm->n_warps && sm->x.fault == SIMT_OK; i++) {
        uint32_t at = first + i < sm->n_warps ? first + i : first + i - sm->n_warps;
        struct simt_warp *warp = &sm->warps[at];
        if (!simt_warp_pick(warp))
            continue;
        simt_warp_run(sm, warp);
        ran = true;
        moved |= !sm->gives_way || sm->is_interrupted;
    }
    *waits = ran && !moved;
    return ran;
}

/* A drawn order lets other ctas run in between. */
static bool is_interrupted(const struct simt_sm *sm) {
    return sm->schedule && !sm->schedule->is_calm && simt_schedule_draw(sm->schedule, 4) == 0;
}

bool simt_cta_run(struct simt_sm *sm) {
    if (sm->hooks)
        sm->hooks->cta_turn(sm);
    sm->progress = false;
    if (simt_is_over(sm, CTA_TURNS))
        simt_too_long(sm);
    else if (sm->limits.watches_host)
        simt_host_memory_is_over(sm);
    while (sm->n_alive && sm->x.fault == SIMT_OK) {
        bool waits, ran = run_warps(sm, &waits);
        if (sm->x.fault == SIMT_OK && sm->n_alive && (waits || is_interrupted(sm)))
            return false;
        if (ran)
            continue;
        /* Nobody can run: lanes that wait for diverged ones go on without them. */
        for (uint32_t w = 0; w < sm->n_warps; w++)
            ran |= simt_warp_release_joins(&sm->warps[w]);
        if (!ran)
            simt_deadlock(sm);
    }
    simt_picture_take(sm, UINT32_MAX);
    return true;
}
