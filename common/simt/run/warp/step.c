/*
 * The loop over instructions: straight runs in bulk, the rest by the kind of flow.
 */
#include "common/simt/run/warp/step.h"

#include <string.h>

#include "common/simt/run/counting.h"
#include "common/simt/run/limits.h"
#include "common/simt/run/stop.h"
#include "common/simt/run/warp/call.h"
#include "common/simt/run/warp/schedule.h"
#include "common/simt/run/warp/splits.h"
#include "common/simt/run/warp/sync.h"

/*
 * A split spins when it goes round without changing memory, but reads what others may change. Then
 * it gives way: after so many rounds with an atomic or volatile read, or a lot more with plain
 * ones.
 */
enum { SPINS_LIMIT = SIMT_WAITS, STRONG_SPIN = 1 << 8 };

/* Runs an operation for some of the split's lanes. */
static void run_for(struct simt_exec *x, const struct simt_insn *insn, uint32_t lanes) {
    if (!lanes)
        return;
    simt_need_mask(x, lanes);
    (lanes == SIMT_FULL_MASK ? insn->run_full : insn->run_part)(x, insn);
}

/* Each of these runs one instruction of its kind; false when another split's turn has come. */
typedef bool handler(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);

static bool do_next(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn) {
    uint32_t lanes = simt_guarded(&sm->x, insn, split->mask);
    simt_count(sm, insn, lanes);
    simt_fence(sm, insn, lanes);
    run_for(&sm->x, insn, lanes);
    split->pc++;
    return true;
}

static bool do_memory(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn) {
    uint32_t lanes = simt_guarded(&sm->x, insn, split->mask);
    simt_count(sm, insn, lanes);
    simt_fence(sm, insn, lanes);
    run_for(&sm->x, insn, lanes);
    split->pc++;
    return sm->x.fault == SIMT_OK;
}

/* Lanes go back in a loop: true when the split has to give way. */
static bool goes_round(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    if (simt_is_over(sm, 1)) {
        simt_endless(sm, insn, (uint32_t)__builtin_ctz(lanes));
        return true;
    }
    if (sm->limits.watches_host && simt_host_memory_is_over(sm))
        return true;
    sm->progress |= sm->modified;
    if (sm->modified)
        sm->spins = 0;
    else if (sm->looked != SIMT_LOOKED_NOWHERE)
        sm->spins += sm->looked == SIMT_LOOKED_STRONG ? STRONG_SPIN : 1;
    sm->modified = false;
    sm->looked = SIMT_LOOKED_NOWHERE;
    return sm->spins >= SPINS_LIMIT;
}

static bool do_branch(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn) {
    uint32_t mask = split->mask, taken = simt_guarded(&sm->x, insn, mask);
    simt_count(sm, insn, mask);
    bool gives_way = insn->is_back_edge && taken && goes_round(sm, insn, taken);
    bool same_split = true;
    if (taken == mask) {
        split->pc = insn->target;
    } else if (!taken) {
        split->pc++;
    } else {
        sm->counters[insn->index].divergent_branches++;
        same_split = simt_warp_diverge(sm->warp, split, insn, taken);
    }
    if (gives_way) {
        sm->spins = 0;
        sm->gives_way = true;
        if (same_split)
            simt_warp_rotate(sm->warp, split);
        simt_warp_release_joins(sm->warp);
        if (sm->schedule) /* lanes that it has parted wait for the same, and are one again */
            simt_warp_converge(sm->warp);
    }
    return same_split && !gives_way;
}

static bool do_exit(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn) {
    uint32_t lanes = simt_guarded(&sm->x, insn, split->mask);
    simt_count(sm, insn, lanes);
    if (!lanes) {
        split->pc++;
        return true;
    }
    sm->n_alive -= simt_popcount(lanes);
    simt_warp_exit(sm->warp, split, lanes);
    simt_sync_left(sm, lanes, insn->index);
    simt_sync_retry(sm, sm->warp);
    if (sm->n_waiting)
        simt_barrier_retry(sm);
    return false;
}

static bool do_trap(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn) {
    uint32_t lanes = simt_guarded(&sm->x, insn, split->mask);
    simt_count(sm, insn, lanes);
    split->pc++;
    if (!lanes)
        return true;
    simt_trapped(sm, insn, (uint32_t)__builtin_ctz(lanes));
    return false;
}

static handler *const handlers[] = {
    [SIMT_FLOW_NEXT] = do_next,          [SIMT_FLOW_MEMORY] = do_memory,
    [SIMT_FLOW_SYNC] = simt_sync,        [SIMT_FLOW_BRANCH] = do_branch,
    [SIMT_FLOW_BARRIER] = simt_barrier,  [SIMT_FLOW_EXIT] = do_exit,
    [SIMT_FLOW_TRAP] = do_trap,          [SIMT_FLOW_UNSUPPORTED] = do_trap,
    [SIMT_FLOW_CALL] = simt_do_call,     [SIMT_FLOW_RETURN] = simt_do_return,
    [SIMT_FLOW_SWITCH] = simt_do_switch,
};

/* A fault ended the run before this instruction, so that the rest of it does not count. */
static void cut_short(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *next) {
    sm->steps[next->index].entries--;
    sm->steps[next->index].lanes -= sm->x.n_lanes;
    split->pc = next->index;
}

static bool goes_on(const struct simt_exec *x) {
    return (unsigned)x->fault + x->has_undefined == 0;
}

/* The same where values that nobody wrote are followed: the instruction where a fault ended it. */
static const struct simt_insn *run_watched(struct simt_sm *sm, const struct simt_insn *insn,
                                           const struct simt_insn *end, uint32_t mask) {
    do {
        sm->hooks->undefined_step(sm, insn, mask);
        insn->run_part(&sm->x, insn);
    } while (++insn < end && sm->x.fault == SIMT_OK);
    return insn;
}

static void run_straight(struct simt_sm *sm, struct simt_split *split, struct simt_step *step) {
    struct simt_exec *x = &sm->x;
    const struct simt_insn *insn = &sm->program->insns[split->pc], *end = insn + step->straight;
    simt_need_mask(x, split->mask);
    step->entries++;
    step->lanes += x->n_lanes;
    split->pc += step->straight;
    if (x->has_undefined)
        insn = run_watched(sm, insn, end, split->mask);
    else if (split->mask == SIMT_FULL_MASK)
        do
            insn->run_full(x, insn);
        while (++insn < end && goes_on(x));
    else
        do
            insn->run_part(x, insn);
        while (++insn < end && goes_on(x));
    if (insn < end && x->fault == SIMT_OK)
        insn = run_watched(sm, insn, end, split->mask);
    if (insn < end)
        cut_short(sm, split, insn);
}

/* A drawn order may end the split's turn: false; what it does next is traced. */
static bool watch(struct simt_sm *sm, struct simt_split *split) {
    if (sm->schedule && simt_schedule_step(sm, split))
        return false;
    uint32_t straight = sm->steps[split->pc].straight;
    if (sm->trace)
        simt_trace_note(sm, split->pc, straight ? straight : 1, split->mask);
    return true;
}

/* Where the split meets others. */
static uint32_t meeting_of(const struct simt_warp *warp, const struct simt_split *split) {
    return split->join == SIMT_NO_JOIN ? FLOW_EXIT : warp->joins[split->join].pc;
}

/* Runs the split until another one's turn has come. */
static void run_split(struct simt_sm *sm, struct simt_split *split) {
    struct simt_warp *warp = sm->warp;
    const struct simt_area *area = warp->frames[split->frame].area;
    sm->x.rows = area->rows;
    sm->x.preds = area->preds;
    const bool is_watched = sm->trace || sm->schedule;
    for (;;) {
        while (split->pc == meeting_of(warp, split))
            if (!simt_warp_meet(warp, split))
                return;
        struct simt_step *step = &sm->steps[split->pc];
        if (is_watched && !watch(sm, split))
            return;
        if (step->straight) {
            run_straight(sm, split, step);
            if (sm->x.fault != SIMT_OK)
                return;
            continue;
        }
        const struct simt_insn *insn = &sm->program->insns[split->pc];
        if (sm->x.has_undefined)
            sm->hooks->undefined_step(sm, insn, split->mask);
        if (!handlers[insn->flow](sm, split, insn))
            return;
    }
}

void simt_warp_run(struct simt_sm *sm, struct simt_warp *warp) {
    sm->warp = warp;
    sm->x.warp = warp;
    if (sm->hooks)
        sm->hooks->warp_turn(sm, warp);
    sm->gives_way = sm->is_interrupted = false;
    sm->spins = 0;
    struct simt_split *split;
    while (!sm->gives_way && sm->x.fault == SIMT_OK && (split = simt_warp_pick(warp)))
        run_split(sm, split);
    sm->progress |= sm->modified;
}

static enum simt_step_kind kind_of(const struct simt_program *program,
                                   const struct simt_insn *insn) {
    const struct isa_opcode_facts *opcode = &isa_opcodes[insn->source->opcode];
    if (opcode->flow == ISA_FLOW_SHUFFLE)
        return SIMT_STEP_SHUFFLE;
    if (opcode->flow == ISA_FLOW_VOTE)
        return SIMT_STEP_VOTE;
    if (opcode->memory == ISA_MEMORY_FENCE)
        return SIMT_STEP_FENCE;
    if (insn->flow == SIMT_FLOW_CALL) {
        const struct ptx_function *callee = program->calls[insn->imm].callee;
        return callee && callee->is_declaration ? SIMT_STEP_HOST : SIMT_STEP_PLAIN;
    }
    /* A release is a fence before the access. */
    const bool releases = (opcode->traits | ptx_modifier_traits(insn->source)) & ISA_RELEASES;
    return insn->flow == SIMT_FLOW_MEMORY && releases ? SIMT_STEP_FENCE : SIMT_STEP_PLAIN;
}

/* A load, or an atomic with a result. */
static bool reads_strongly(const struct simt_insn *insn) {
    enum isa_memory memory = isa_opcodes[insn->source->opcode].memory;
    return insn->is_strong && insn->space != PTX_SHARED &&
           (memory == ISA_MEMORY_LOAD || memory == ISA_MEMORY_ATOMIC);
}

bool simt_steps_prepare(struct simt_sm *sm) {
    const struct simt_program *program = sm->program;
    struct simt_step *steps = sm->steps;
    bool talks = false;
    for (uint32_t i = 0; i < program->n_insns; i++) {
        const struct simt_insn *insn = &program->insns[i];
        steps[i].kind = (uint8_t)kind_of(program, insn);
        /* A drawn order may put other warps between any two accesses. */
        bool is_plain =
            insn->flow == SIMT_FLOW_NEXT || (insn->flow == SIMT_FLOW_MEMORY && !sm->schedule);
        steps[i].straight = is_plain && insn->guard < 0 && steps[i].kind != SIMT_STEP_FENCE;
        if (insn->flow == SIMT_FLOW_MEMORY)
            steps[i].bytes = (uint8_t)(ptx_type_bytes(insn->type) * insn->n_elements);
        steps[i].sees = reads_strongly(insn);
        talks |= steps[i].kind == SIMT_STEP_FENCE || steps[i].sees;
    }
    for (uint32_t i = 0; i < program->n_insns; i++) {
        uint32_t meet = program->insns[i].reconverge;
        uint8_t flow = program->insns[i].flow;
        bool is_branch = flow == SIMT_FLOW_BRANCH || flow == SIMT_FLOW_SWITCH;
        if (is_branch && meet != FLOW_EXIT && meet > 0 && steps[meet - 1].straight)
            steps[meet - 1].straight = UINT32_MAX; /* the last of its run */
    }
    for (uint32_t i = program->n_insns; i-- > 0;) {
        if (steps[i].straight == UINT32_MAX)
            steps[i].straight = 1;
        else if (steps[i].straight && i + 1 < program->n_insns)
            steps[i].straight += steps[i + 1].straight;
    }
    return talks;
}
