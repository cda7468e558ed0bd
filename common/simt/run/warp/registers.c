/*
 * What the registers of an area begin with: special registers, constants, what nobody wrote.
 */
#include <string.h>

#include "common/simt/run/warp/call.h"
#include "common/simt/state/sm.h"

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
    /* PTX ISA: %warpid is where a warp has been put, no number of its own in the cta. In orders
     * that are drawn it is another one. */
    fill(area, SIMT_SPECIAL_WARPID, sm->schedule ? (warp->index + 1) % SIMT_LANES : warp->index);
    fill(area, SIMT_SPECIAL_NWARPID, sm->n_warps);
    fill(area, SIMT_SPECIAL_NSMID, sm->n_sm);
    uint32_t dynamic = sm->all_shared_bytes - sm->program->static_shared_bytes;
    fill(area, SIMT_SPECIAL_DYNAMIC_SMEM, dynamic);
    fill(area, SIMT_SPECIAL_TOTAL_SMEM, sm->all_shared_bytes);
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

/* What a register holds before it is written: on a device anything, here always the same, and no 0,
 * with which a variable that was never set would be right by chance. As an int or a float it is
 * large. What another cta left there would depend on which ctas a host thread has run. */
enum { UNWRITTEN_BYTE = 0x4b };

/* Sets the registers that the function may read before it writes them. */
static void poison_registers(const struct simt_area *area) {
    for (uint32_t i = 0; i < area->program->n_live_in; i++) {
        const struct simt_live_in *live_in = &area->program->live_in[i];
        if (live_in->bytes)
            memset(area->rows + live_in->place, UNWRITTEN_BYTE, live_in->bytes);
        else
            area->preds[live_in->place] = 0;
    }
}

void simt_area_start(struct simt_sm *sm, struct simt_area *area) {
    poison_registers(area);
    area->cta_index = sm->cta_index;
    fill(area, SIMT_SPECIAL_CTAID_X, sm->cta.x);
    fill(area, SIMT_SPECIAL_CTAID_Y, sm->cta.y);
    fill(area, SIMT_SPECIAL_CTAID_Z, sm->cta.z);
    fill(area, SIMT_SPECIAL_SMID, (uint32_t)(sm->cta_index % sm->n_sm));
}
