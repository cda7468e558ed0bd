/*
 * One cta: its special registers, then its warps in turn until all have left.
 */
#include "common/simt/run/grid/cta.h"

#include <string.h>

#include "common/simt/run/warp/call.h"
#include "common/simt/run/counting.h"
#include "common/simt/run/grid/limits.h"
#include "common/simt/run/warp/step.h"
#include "common/simt/run/stop.h"

/* What %clock advances from cta to cta. */
enum { CTA_CYCLES_SHIFT = 12 };

/* As how many turns of a loop a cta's own turn counts. */
enum { CTA_TURNS = 64 };

/* Sets a special register's row, where the function has one, to the same value in all lanes. */
static void fill(struct simt_area *area, enum simt_special special, uint32_t value) {
    uint32_t row = area->program->special_rows[special];
    if (row == SIMT_NO_ROW)
        return;
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++)
        ((uint32_t *)(area->rows + row))[lane] = value;
}

static void put(struct simt_area *area, enum simt_special special, uint32_t lane, uint32_t value) {
    uint32_t row = area->program->special_rows[special];
    if (row != SIMT_NO_ROW)
        ((uint32_t *)(area->rows + row))[lane] = value;
}

/* Literals, and the parameters that the kernel reads by name. */
static void fill_constants(const struct simt_sm *sm, const struct simt_area *area) {
    for (uint32_t i = 0; i < area->program->n_constants; i++) {
        const struct simt_constant *constant = &area->program->constants[i];
        uint64_t value = constant->value;
        if (constant->is_param) {
            uint8_t bytes = constant->param_bytes;
            value = 0;
            memcpy(&value, sm->params + constant->value, bytes);
            unsigned unused = 64 - 8u * bytes;
            if (constant->is_signed && unused < 64)
                value = (uint64_t)((int64_t)(value << unused) >> unused);
        }
        for (unsigned lane = 0; lane < SIMT_LANES; lane++)
            memcpy(area->rows + constant->row + lane * constant->bytes, &value, constant->bytes);
    }
}

void simt_area_fill(struct simt_sm *sm, const struct simt_warp *warp, struct simt_area *area) {
    fill_constants(sm, area);
    fill(area, SIMT_SPECIAL_NTID_X, sm->block.x);
    fill(area, SIMT_SPECIAL_NTID_Y, sm->block.y);
    fill(area, SIMT_SPECIAL_NTID_Z, sm->block.z);
    fill(area, SIMT_SPECIAL_NCTAID_X, sm->grid.x);
    fill(area, SIMT_SPECIAL_NCTAID_Y, sm->grid.y);
    fill(area, SIMT_SPECIAL_NCTAID_Z, sm->grid.z);
    fill(area, SIMT_SPECIAL_WARPID, warp->index);
    fill(area, SIMT_SPECIAL_NWARPID, sm->n_warps);
    fill(area, SIMT_SPECIAL_NSMID, sm->n_sm);
    uint32_t dynamic = sm->shared_bytes - sm->program->static_shared_bytes;
    fill(area, SIMT_SPECIAL_DYNAMIC_SMEM, dynamic);
    fill(area, SIMT_SPECIAL_TOTAL_SMEM, sm->shared_bytes);
    fill(area, SIMT_SPECIAL_ENVREG1, (uint32_t)(sm->grid_workspace >> 32));
    fill(area, SIMT_SPECIAL_ENVREG2, (uint32_t)sm->grid_workspace);
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++) {
        struct simt_dim3 tid = simt_thread_index(sm->block, warp->index * SIMT_LANES + lane);
        uint32_t bit = UINT32_C(1) << lane;
        put(area, SIMT_SPECIAL_TID_X, lane, tid.x);
        put(area, SIMT_SPECIAL_TID_Y, lane, tid.y);
        put(area, SIMT_SPECIAL_TID_Z, lane, tid.z);
        put(area, SIMT_SPECIAL_LANEID, lane, lane);
        put(area, SIMT_SPECIAL_LANEMASK_EQ, lane, bit);
        put(area, SIMT_SPECIAL_LANEMASK_LT, lane, bit - 1);
        put(area, SIMT_SPECIAL_LANEMASK_LE, lane, bit | (bit - 1));
        put(area, SIMT_SPECIAL_LANEMASK_GT, lane, ~(bit | (bit - 1)));
        put(area, SIMT_SPECIAL_LANEMASK_GE, lane, ~(bit - 1));
    }
}

/* Registers that the function may read before it writes them begin as zeros: what another cta left
 * there would depend on which ctas a host thread has run. */
static void clear_registers(const struct simt_area *area) {
    for (uint32_t i = 0; i < area->program->n_live_in; i++) {
        const struct simt_live_in *live_in = &area->program->live_in[i];
        if (live_in->bytes)
            memset(area->rows + live_in->place, 0, live_in->bytes);
        else
            area->preds[live_in->place] = 0;
    }
}

void simt_area_start(struct simt_sm *sm, struct simt_area *area) {
    clear_registers(area);
    area->cta_index = sm->cta_index;
    fill(area, SIMT_SPECIAL_CTAID_X, sm->cta.x);
    fill(area, SIMT_SPECIAL_CTAID_Y, sm->cta.y);
    fill(area, SIMT_SPECIAL_CTAID_Z, sm->cta.z);
    fill(area, SIMT_SPECIAL_SMID, (uint32_t)(sm->cta_index % sm->n_sm));
}

/* Memory of the cta begins as zeros: what another one left there would depend on which ctas a host
 * thread has run. Of a stack only the frames that were there before have anything to clear. */
static void clear_memory(struct simt_sm *sm) {
    memset(sm->shared, 0, sm->shared_bytes);
    for (size_t i = 0; i < (sm->local_used ? sm->n_warps * (size_t)SIMT_LANES : 0); i++)
        memset(sm->local + i * sm->local_bytes, 0, sm->local_used);
}

/* What the runtime keeps in shared memory for cooperative groups counts as written. */
static void define_reserved(struct simt_sm *sm) {
    for (uint32_t i = 0; i < sm->program->n_shared; i++) {
        const struct simt_placed *placed = &sm->program->shared[i];
        if (placed->name[0] == '%')
            memset(sm->shared_defined + placed->offset, 1, placed->bytes);
    }
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
        warp->n_doubts = 0;
        if (warp->copies) {
            warp->copies->n = 0;
            memset(warp->copies->n_groups, 0, sizeof warp->copies->n_groups);
        }
        simt_frames_start(sm, warp);
    }
    clear_memory(sm);
    if (!sm->checks)
        return;
    sm->order.born = sm->order.cta = simt_tick(sm);
    memset(sm->shared_defined, 0, sm->shared_bytes);
    sm->deliveries.n = sm->leavings.n = 0;
    define_reserved(sm);
    sm->acquired = sm->acquired_before = sm->published = 0;
    sm->seen = sm->seen_before = (struct simt_sights){{0}, {0}};
    if (sm->handovers) {
        size_t n = sm->n_warps * (size_t)SIMT_LANES;
        memset(sm->handovers, 0, n * sizeof *sm->handovers);
        memset(sm->sights, 0, n * sizeof *sm->sights);
    }
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
    if (sm->checks) {
        sm->order.start = simt_tick(sm);
        simt_turns_add(sm->turns, sm->order.start, sm->cta_index);
    }
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
    return true;
}
