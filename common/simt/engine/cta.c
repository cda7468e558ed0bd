/*
 * One cta: its special registers, then its warps in turn until all have left.
 */
#include "common/simt/engine/sm.h"

#include <string.h>

/* Sets a special register's row, where the kernel has one, to value(lane) = base + lane * step. */
static void fill(struct simt_sm *sm, struct simt_warp *warp, enum simt_special special,
                 uint32_t base) {
    uint32_t row = sm->program->special_rows[special];
    if (row == SIMT_NO_ROW)
        return;
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++)
        ((uint32_t *)(warp->rows + row))[lane] = base;
}

static void put(struct simt_sm *sm, struct simt_warp *warp, enum simt_special special,
                uint32_t lane, uint32_t value) {
    uint32_t row = sm->program->special_rows[special];
    if (row != SIMT_NO_ROW)
        ((uint32_t *)(warp->rows + row))[lane] = value;
}

void simt_fill_specials(struct simt_sm *sm, struct simt_warp *warp) {
    fill(sm, warp, SIMT_SPECIAL_NTID_X, sm->block.x);
    fill(sm, warp, SIMT_SPECIAL_NTID_Y, sm->block.y);
    fill(sm, warp, SIMT_SPECIAL_NTID_Z, sm->block.z);
    fill(sm, warp, SIMT_SPECIAL_NCTAID_X, sm->grid.x);
    fill(sm, warp, SIMT_SPECIAL_NCTAID_Y, sm->grid.y);
    fill(sm, warp, SIMT_SPECIAL_NCTAID_Z, sm->grid.z);
    fill(sm, warp, SIMT_SPECIAL_WARPID, warp->index);
    fill(sm, warp, SIMT_SPECIAL_NWARPID, sm->n_warps);
    fill(sm, warp, SIMT_SPECIAL_NSMID, sm->n_sm);
    uint32_t dynamic = sm->shared_bytes - sm->program->static_shared_bytes;
    fill(sm, warp, SIMT_SPECIAL_DYNAMIC_SMEM, dynamic);
    fill(sm, warp, SIMT_SPECIAL_TOTAL_SMEM, sm->shared_bytes);
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++) {
        struct simt_dim3 tid = simt_thread_index(sm->block, warp->index * SIMT_LANES + lane);
        uint32_t bit = UINT32_C(1) << lane;
        put(sm, warp, SIMT_SPECIAL_TID_X, lane, tid.x);
        put(sm, warp, SIMT_SPECIAL_TID_Y, lane, tid.y);
        put(sm, warp, SIMT_SPECIAL_TID_Z, lane, tid.z);
        put(sm, warp, SIMT_SPECIAL_LANEID, lane, lane);
        put(sm, warp, SIMT_SPECIAL_LANEMASK_EQ, lane, bit);
        put(sm, warp, SIMT_SPECIAL_LANEMASK_LT, lane, bit - 1);
        put(sm, warp, SIMT_SPECIAL_LANEMASK_LE, lane, bit | (bit - 1));
        put(sm, warp, SIMT_SPECIAL_LANEMASK_GT, lane, ~(bit | (bit - 1)));
        put(sm, warp, SIMT_SPECIAL_LANEMASK_GE, lane, ~(bit - 1));
    }
}

void simt_cta_start(struct simt_sm *sm, uint64_t index) {
    sm->cta_index = index;
    sm->cta = (struct simt_dim3){
        .x = (uint32_t)(index % sm->grid.x),
        .y = (uint32_t)(index / sm->grid.x % sm->grid.y),
        .z = (uint32_t)(index / sm->grid.x / sm->grid.y),
    };
    sm->trace = sm->traces && index - sm->traces->first < sm->traces->n_ctas ? sm->traces : NULL;
    sm->n_alive = sm->n_threads;
    sm->n_waiting = 0;
    memset(sm->barriers, 0, sizeof sm->barriers);
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        struct simt_warp *warp = &sm->warps[w];
        simt_warp_start(warp);
        fill(sm, warp, SIMT_SPECIAL_CTAID_X, sm->cta.x);
        fill(sm, warp, SIMT_SPECIAL_CTAID_Y, sm->cta.y);
        fill(sm, warp, SIMT_SPECIAL_CTAID_Z, sm->cta.z);
        fill(sm, warp, SIMT_SPECIAL_SMID, (uint32_t)(index % sm->n_sm));
    }
    if (!sm->checks)
        return;
    sm->order.born = sm->order.cta = simt_tick(sm);
    memset(sm->shared_defined, 0, sm->shared_bytes);
    sm->acquired = sm->acquired_before = 0;
    if (sm->handovers)
        memset(sm->handovers, 0, sm->n_warps * (size_t)SIMT_LANES * sizeof *sm->handovers);
}

/* Gives each warp a turn. False when none can run; `waits` is set when all that can run spin. */
static bool run_warps(struct simt_sm *sm, bool *waits) {
    bool ran = false, moved = false;
    for (uint32_t w = 0; w < sm->n_warps && sm->x.fault == SIMT_OK; w++) {
        if (!simt_warp_pick(&sm->warps[w]))
            continue;
        simt_warp_run(sm, &sm->warps[w]);
        ran = true;
        moved |= !sm->gives_way;
    }
    *waits = ran && !moved;
    return ran;
}

bool simt_cta_run(struct simt_sm *sm) {
    if (sm->checks) {
        sm->order.start = simt_tick(sm);
        simt_turns_add(sm->turns, sm->order.start, sm->cta_index);
    }
    sm->progress = false;
    if (simt_time_is_over(sm))
        simt_too_long(sm);
    while (sm->n_alive && sm->x.fault == SIMT_OK) {
        bool waits, ran = run_warps(sm, &waits);
        if (waits && sm->x.fault == SIMT_OK)
            return false;
        if (ran)
            continue;
        /* Nobody can run: lanes that wait for diverged ones go on without them. */
        for (uint32_t w = 0; w < sm->n_warps; w++)
            ran |= simt_warp_release_joins(&sm->warps[w]);
        if (!ran)
            simt_deadlock(sm);
    }
    return true;
}
