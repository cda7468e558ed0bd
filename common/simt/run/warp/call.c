/*
 * Calls of device functions. The instructions that leave a function and come back, or choose among
 * many ways: call, ret of a device function, brx.idx. Lanes that call different functions do so one
 * after the other, and meet behind the call. Frames are few and short-lived, so they are looked for
 * one by one.
 */
#include "common/simt/run/warp/call.h"

#include <stdlib.h>
#include <string.h>

#include "common/simt/run/counting.h"
#include "common/simt/run/limits.h"
#include "common/simt/run/stop.h"
#include "common/simt/run/warp/runtime.h"
#include "common/simt/run/warp/splits.h"

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

uint32_t simt_stack_bytes(const struct simt_program *program) {
    uint32_t bytes = (program->local_bytes + 15) & ~15u;
    if (program->n_callees == 0)
        return bytes;
    return program->stack_bytes ? (program->stack_bytes + 15) & ~15u : bytes + SIMT_STACK_BYTES;
}

bool simt_frames_open(struct simt_sm *sm, struct simt_warp *warp, uint8_t *rows, uint32_t *preds) {
    warp->frames = calloc(1, sizeof *warp->frames);
    struct simt_area *area = calloc(1, sizeof *area);
    if (!warp->frames || !area) {
        free(area);
        return false;
    }
    *area = (struct simt_area){.program = sm->program, .rows = rows, .preds = preds};
    warp->areas = warp->frames[0].area = area;
    warp->n_frames = 1;
    simt_area_fill(sm, warp, area);
    return true;
}

void simt_frames_close(struct simt_warp *warp) {
    for (struct simt_area *area = warp->areas, *next; area; area = next) {
        next = area->next;
        if (area->depth) { /* the kernel's lies with those of all warps */
            free(area->rows);
            free(area->preds);
        }
        free(area);
    }
    free(warp->frames);
}

void simt_frames_start(struct simt_sm *sm, struct simt_warp *warp) {
    for (uint32_t i = 1; i < warp->n_frames; i++)
        warp->frames[i].area = NULL;
    simt_area_start(sm, warp->frames[0].area);
}

static struct simt_area *new_area(struct simt_sm *sm, struct simt_warp *warp,
                                  const struct simt_program *program, uint32_t depth) {
    struct simt_area *area = calloc(1, sizeof *area);
    if (!area)
        return NULL;
    *area = (struct simt_area){.program = program, .depth = depth};
    area->preds = calloc(program->n_preds + 1, sizeof *area->preds);
    void *rows = NULL;
    if (!area->preds || posix_memalign(&rows, 64, program->row_file_bytes + 64) != 0) {
        free(area->preds);
        free(area);
        return NULL;
    }
    area->rows = memset(rows, 0, program->row_file_bytes);
    area->next = warp->areas;
    warp->areas = area;
    simt_area_fill(sm, warp, area);
    simt_area_start(sm, area);
    return area;
}

static struct simt_area *find_area(struct simt_sm *sm, const struct simt_program *program,
                                   uint32_t depth) {
    for (struct simt_area *area = sm->warp->areas; area; area = area->next) {
        if (area->depth != depth || area->program != program)
            continue;
        if (area->cta_index != sm->cta_index)
            simt_area_start(sm, area);
        return area;
    }
    return new_area(sm, sm->warp, program, depth);
}

/* The index of a free frame; 0 when the host has no memory. */
static uint32_t new_frame(struct simt_warp *warp) {
    for (uint32_t i = 1; i < warp->n_frames; i++)
        if (!warp->frames[i].area)
            return i;
    uint32_t room = 2 * warp->n_frames;
    struct simt_frame *frames = realloc(warp->frames, room * sizeof *frames);
    if (!frames)
        return 0;
    memset(frames + warp->n_frames, 0, (room - warp->n_frames) * sizeof *frames);
    uint32_t first = warp->n_frames;
    warp->frames = frames;
    warp->n_frames = room;
    return first;
}

/* Where a lane's frame begins. */
static uint32_t base_of(const struct simt_area *area, uint32_t lane) {
    if (area->depth == 0)
        return 0;
    return ((const uint32_t *)(area->rows + area->program->frame_row))[lane];
}

static uint8_t *bytes_of(const struct simt_sm *sm, const struct simt_area *area, uint32_t lane,
                         uint32_t offset) {
    size_t thread = sm->warp->index * (size_t)SIMT_LANES + lane;
    return sm->local + thread * sm->local_bytes + base_of(area, lane) + offset;
}

uint8_t *simt_frame_bytes(const struct simt_sm *sm, const struct simt_split *split, uint32_t lane,
                          uint32_t offset) {
    return bytes_of(sm, sm->warp->frames[split->frame].area, lane, offset);
}

static uint32_t least(uint32_t p, uint32_t q) {
    return p < q ? p : q;
}

/* Gives each lane its new frame, with the arguments in it. */
static void hand_over(struct simt_sm *sm, uint32_t lanes, const struct simt_call *call,
                      const struct simt_area *from, const struct simt_area *to) {
    uint32_t frame_bytes = (from->program->local_bytes + 15) & ~15u;
    uint32_t *bases = (uint32_t *)(to->rows + to->program->frame_row);
    uint32_t n = least(call->n_arguments, (uint32_t)to->program->function->n_params);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        bases[lane] = base_of(from, lane) + frame_bytes;
        if (bases[lane] + to->program->local_bytes > sm->local_used)
            sm->local_used = bases[lane] + to->program->local_bytes;
        for (uint32_t i = 0; i < n; i++) {
            const struct simt_slot *argument = &call->arguments[i],
                                   *param = &to->program->params[i];
            memcpy(bytes_of(sm, to, lane, param->offset),
                   bytes_of(sm, from, lane, argument->offset),
                   least(argument->bytes, param->bytes));
        }
    }
}

/* The first lane whose frames would take too much; SIMT_LANES when there is none. */
static uint32_t find_overflow(const struct simt_sm *sm, uint32_t lanes,
                              const struct simt_area *caller, const struct simt_program *callee) {
    uint32_t more = ((caller->program->local_bytes + 15) & ~15u) + callee->local_bytes;
    if (caller->depth == SIMT_MAX_DEPTH)
        return (uint32_t)__builtin_ctz(lanes);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (base_of(caller, lane) + more > sm->local_bytes)
            return lane;
    }
    return SIMT_LANES;
}

bool simt_frame_enter(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn,
                      const struct simt_call *call, const struct simt_program *callee) {
    struct simt_warp *warp = sm->warp;
    const struct simt_area *from = warp->frames[split->frame].area;
    uint32_t deep = find_overflow(sm, split->mask, from, callee);
    if (deep < SIMT_LANES) {
        simt_overflowed(sm, insn, deep, from->depth);
        return false;
    }
    struct simt_area *area = find_area(sm, callee, from->depth + 1);
    uint32_t index = area ? new_frame(warp) : 0;
    if (!index) {
        simt_exhausted(sm, insn);
        return false;
    }
    hand_over(sm, split->mask, call, from, area);
    warp->frames[index] = (struct simt_frame){
        .area = area,
        .call = call,
        .parent = split->frame,
        .return_pc = split->pc + 1,
        .expected = split->mask,
        .join = split->join,
    };
    split->pc = callee->first;
    split->frame = index;
    split->join = SIMT_NO_JOIN;
    return true;
}

/* The lanes that have returned go on in the caller. */
static void resume(struct simt_warp *warp, uint32_t index) {
    struct simt_frame *frame = &warp->frames[index];
    simt_add_split(warp, &(struct simt_split){
                             .pc = frame->return_pc,
                             .mask = frame->arrived,
                             .join = frame->join,
                             .frame = frame->parent,
                         });
    frame->expected &= ~frame->arrived;
    frame->arrived = 0;
    if (!frame->expected)
        frame->area = NULL;
}

void simt_frame_return(struct simt_sm *sm, struct simt_split *split, uint32_t lanes) {
    struct simt_warp *warp = sm->warp;
    uint32_t index = split->frame;
    struct simt_frame *frame = &warp->frames[index];
    const struct simt_area *callee = frame->area, *caller = warp->frames[frame->parent].area;
    const struct simt_slot *from = &callee->program->result, *to = &frame->call->result;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        memcpy(bytes_of(sm, caller, lane, to->offset), bytes_of(sm, callee, lane, from->offset),
               least(from->bytes, to->bytes));
    }
    simt_warp_leave(warp, split, lanes, index);
    frame->arrived |= lanes;
    if (frame->arrived == frame->expected)
        resume(warp, index);
}

void simt_frames_leave(struct simt_warp *warp, uint32_t lanes) {
    for (uint32_t i = 1; i < warp->n_frames; i++) {
        struct simt_frame *frame = &warp->frames[i];
        if (!frame->area)
            continue;
        frame->expected &= ~lanes;
        if (!frame->expected)
            frame->area = NULL;
        else if (frame->arrived == frame->expected)
            resume(warp, i);
    }
}

bool simt_frames_release(struct simt_warp *warp) {
    bool any = false;
    for (uint32_t i = 1; i < warp->n_frames; i++) {
        if (!warp->frames[i].area || !warp->frames[i].arrived)
            continue;
        resume(warp, i);
        any = true;
    }
    return any;
}
