/*
 * The instructions that leave a function and come back, or choose among many ways: call, ret of a
 * device function, brx.idx. Lanes that call different functions do so one after the other, and meet
 * behind the call.
 */
#include "common/simt/run/sm.h"

/* The lanes of `lanes` that have the same cell as the first of them. */
static uint32_t same_cell32(const uint32_t *row, uint32_t lanes) {
    uint32_t first = row[__builtin_ctz(lanes)], same = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        same |= (uint32_t)(row[__builtin_ctz(rest)] == first) << __builtin_ctz(rest);
    return same;
}

static uint32_t same_cell64(const uint64_t *row, uint32_t lanes) {
    uint64_t first = row[__builtin_ctz(lanes)];
    uint32_t same = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        same |= (uint32_t)(row[__builtin_ctz(rest)] == first) << __builtin_ctz(rest);
    return same;
}

/* The function at an address, NULL when there is none that a kernel may call. */
static const struct ptx_function *function_at(const struct simt_sm *sm, uint64_t address) {
    const struct ptx_module *module = sm->program->module;
    uint64_t number = (address - SIMT_CODE_WINDOW) / SIMT_CODE_STEP;
    if (address % SIMT_CODE_STEP || number == 0 || number > module->n_functions)
        return NULL;
    return &module->functions[number - 1];
}

static const struct simt_program *decoded(const struct simt_sm *sm,
                                          const struct ptx_function *function) {
    for (uint32_t i = 0; i < sm->program->n_callees; i++)
        if (sm->program->callees[i]->function == function)
            return sm->program->callees[i];
    return NULL;
}

bool simt_do_call(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn) {
    uint32_t lanes = simt_guarded(&sm->x, insn, split->mask);
    if (!lanes) {
        simt_count(sm, insn, 0);
        split->pc++;
        return true;
    }
    const struct simt_call *call = &sm->program->calls[insn->imm];
    const struct ptx_function *function = call->callee;
    uint32_t on = lanes;
    if (!function) {
        const uint64_t *row = (const uint64_t *)(sm->x.rows + insn->a);
        on = same_cell64(row, lanes);
        function = function_at(sm, row[__builtin_ctz(on)]);
    }
    simt_count(sm, insn, on);
    bool is_whole = on == split->mask;
    if (!is_whole) {
        uint32_t off = split->mask & ~lanes, later = lanes & ~on;
        simt_warp_fork(sm->warp, split, split->pc + 1, insn->index);
        if (later) /* they come to the call again */
            simt_split_off(sm->warp, split, later);
        if (off)
            simt_split_off(sm->warp, split, off)->pc++;
    }
    const struct simt_program *callee = function ? decoded(sm, function) : NULL;
    if (callee && simt_is_over(sm, 1)) {
        simt_endless(sm, insn, (uint32_t)__builtin_ctz(on));
    } else if (callee) {
        simt_frame_enter(sm, split, insn, call, callee);
    } else if (function && simt_builtin_of(function)) {
        simt_built_in(sm, split, insn, simt_builtin_of(function));
        split->pc++;
        return is_whole && sm->x.fault == SIMT_OK;
    } else {
        simt_lost(sm, insn, (uint32_t)__builtin_ctz(on));
    }
    return false;
}

bool simt_do_return(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn) {
    uint32_t lanes = simt_guarded(&sm->x, insn, split->mask);
    simt_count(sm, insn, lanes);
    if (!lanes) {
        split->pc++;
        return true;
    }
    simt_frame_return(sm, split, lanes);
    return false;
}

bool simt_do_switch(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn) {
    const struct ptx_operand *labels = &insn->source->operands[1];
    const uint32_t *row = (const uint32_t *)(sm->x.rows + insn->a);
    uint32_t lanes = simt_guarded(&sm->x, insn, split->mask), mask = split->mask;
    simt_count(sm, insn, lanes);
    sm->counters[insn->index].branches++;
    if (!lanes || same_cell32(row, lanes) != mask) {
        sm->counters[insn->index].divergent_branches += lanes != 0;
        if (lanes && insn->reconverge != FLOW_EXIT)
            simt_warp_fork(sm->warp, split, insn->reconverge, insn->index);
    }
    for (uint32_t rest = lanes, on; rest; rest &= ~on) {
        on = same_cell32(row, rest);
        uint32_t index = row[__builtin_ctz(on)];
        if (index >= labels->n_elements) {
            simt_lost(sm, insn, (uint32_t)__builtin_ctz(on));
            return false;
        }
        struct simt_split *part = on == split->mask ? split : simt_split_off(sm->warp, split, on);
        part->pc = insn->target + (uint32_t)labels->elements[index].integer;
    }
    if (lanes != mask)
        split->pc++;
    return false;
}
