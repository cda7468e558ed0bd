/*
 * Follows undefined values through registers. The rules: what is computed from one is undefined; a
 * selection only if what it selects is; `and` and `or` of predicates only if the other one leaves
 * it open. All else that reads one uses it.
 */
#include "common/simt/checks/definedness.h"

#include <stdlib.h>
#include <string.h>

#include "common/simt/access/region/region.h"
#include "common/simt/checks/check.h"
#include "common/simt/program/isa/shuffle.h"

/* The register that takes an element of a load; -1: none. */
static int32_t target_of(const struct ptx_insn *source, unsigned element) {
    const struct ptx_operand *target = &source->operands[0];
    if (source->n_operands == 0)
        return -1;
    if (target->kind == PTX_OP_VECTOR)
        target = element < target->n_elements ? &target->elements[element] : NULL;
    return target && target->kind == PTX_OP_REG ? target->reg : -1;
}

static struct simt_undefined *add(struct simt_sm *sm, int32_t reg, uint32_t load) {
    struct simt_warp *warp = sm->warp;
    if (warp->n_undefined == SIMT_MAX_UNDEFINED)
        return NULL;
    if (!warp->undefined &&
        !(warp->undefined = calloc(SIMT_MAX_UNDEFINED, sizeof *warp->undefined)))
        return NULL;
    struct simt_undefined *value = &warp->undefined[warp->n_undefined++];
    sm->x.has_undefined = true;
    *value = (struct simt_undefined){.rows = sm->x.rows, .reg = reg, .load = load};
    return value;
}

bool simt_undefined_load(struct simt_sm *sm, const struct simt_request *request, unsigned element,
                         uint32_t lane, uint64_t offset) {
    const struct simt_insn *insn = request->insn;
    int32_t reg = target_of(insn->source, element);
    if (reg < 0 || request->touch != SIMT_READS ||
        isa_opcodes[insn->source->opcode].memory != ISA_MEMORY_LOAD)
        return false;
    struct simt_warp *warp = sm->warp;
    struct simt_undefined *value = NULL;
    for (uint32_t i = 0; i < warp->n_undefined && !value; i++)
        if (warp->undefined[i].rows == sm->x.rows && warp->undefined[i].reg == reg &&
            warp->undefined[i].load == insn->index)
            value = &warp->undefined[i];
    if (!value && !(value = add(sm, reg, insn->index)))
        return false;
    const uint32_t own = UINT32_C(1) << lane;
    const bool is_hollow = sm->shared_defined[offset] == SIMT_HOLLOW;
    value->mask |= own;
    value->hollow = (value->hollow & ~own) | (is_hollow ? own : 0);
    value->offset[lane] = (uint32_t)offset;
    return true;
}

/* Where an undefined value stems from. */
enum origin { ANYWHERE, A_LOAD, A_SHUFFLE };

static bool stems_from(const struct simt_sm *sm, const struct simt_undefined *value,
                       enum origin origin) {
    return origin == ANYWHERE || simt_is_shuffled(sm, value) == (origin == A_SHUFFLE);
}

/* The lanes in which a register is undefined. */
static uint32_t lanes_of(const struct simt_sm *sm, int32_t reg, enum origin origin) {
    uint32_t lanes = 0;
    for (uint32_t i = 0; reg >= 0 && i < sm->warp->n_undefined; i++) {
        const struct simt_undefined *value = &sm->warp->undefined[i];
        if (value->reg == reg && value->rows == sm->x.rows && stems_from(sm, value, origin))
            lanes |= value->mask;
    }
    return lanes;
}

static uint32_t lanes_of_operand(const struct simt_sm *sm, const struct ptx_operand *operand,
                                 enum origin origin) {
    uint32_t lanes = 0;
    if (operand->kind == PTX_OP_REG || operand->kind == PTX_OP_ADDRESS)
        lanes = lanes_of(sm, operand->reg, origin);
    for (size_t i = 0; i < operand->n_elements; i++)
        lanes |= lanes_of_operand(sm, &operand->elements[i], origin);
    return lanes;
}

static void drop_settled(struct simt_sm *sm) {
    struct simt_warp *warp = sm->warp;
    uint32_t n = 0;
    for (uint32_t i = 0; i < warp->n_undefined; i++) {
        if (!warp->undefined[i].mask)
            continue;
        if (n != i)
            warp->undefined[n] = warp->undefined[i];
        n++;
    }
    warp->n_undefined = n;
    sm->x.has_undefined = n > 0;
}

/* Lanes of a register get a new value. */
static void settle(struct simt_sm *sm, const struct ptx_operand *operand, uint32_t lanes) {
    for (size_t i = 0; i < operand->n_elements; i++)
        settle(sm, &operand->elements[i], lanes);
    if (operand->kind != PTX_OP_REG)
        return;
    for (uint32_t i = 0; i < sm->warp->n_undefined; i++)
        if (sm->warp->undefined[i].reg == operand->reg && sm->warp->undefined[i].rows == sm->x.rows)
            sm->warp->undefined[i].mask &= ~lanes;
}

/* Lanes whose undefined register, with a value of this origin, decides something. */
static void use_from(struct simt_sm *sm, int32_t reg, const struct simt_insn *user, uint32_t lanes,
                     enum origin origin) {
    for (uint32_t i = 0; reg >= 0 && i < sm->warp->n_undefined; i++) {
        struct simt_undefined *value = &sm->warp->undefined[i];
        if (value->reg != reg || value->rows != sm->x.rows || !stems_from(sm, value, origin))
            continue;
        for (uint32_t rest = value->mask & lanes; rest; rest &= rest - 1)
            simt_report_unwritten(sm, value, (uint32_t)__builtin_ctz(rest), user->index);
        value->mask &= ~lanes;
    }
}

static void use(struct simt_sm *sm, int32_t reg, const struct simt_insn *user, uint32_t lanes) {
    use_from(sm, reg, user, lanes, ANYWHERE);
}

static void use_operand(struct simt_sm *sm, const struct ptx_operand *operand,
                        const struct simt_insn *user, uint32_t lanes) {
    if (operand->kind == PTX_OP_REG || operand->kind == PTX_OP_ADDRESS)
        use(sm, operand->reg, user, lanes);
    for (size_t i = 0; i < operand->n_elements; i++)
        use_operand(sm, &operand->elements[i], user, lanes);
}

static uint32_t pred_of(const struct simt_sm *sm, const struct simt_insn *insn, unsigned slot) {
    const uint32_t slots[] = {insn->a, insn->b, insn->c};
    return sm->x.preds[slots[slot]] ^ (0u - (insn->imm_flags >> slot & 1u));
}

/* The lanes in which the result of an instruction is undefined. */
static uint32_t lanes_of_result(const struct simt_sm *sm, const struct simt_insn *insn) {
    const struct ptx_insn *source = insn->source;
    uint32_t from[4] = {0}, all = 0, first = source->paired ? 2 : 1;
    for (unsigned i = first; i < source->n_operands; i++) {
        uint32_t lanes = lanes_of_operand(sm, &source->operands[i], ANYWHERE);
        all |= lanes;
        if (i - first < 4)
            from[i - first] = lanes;
    }
    if (!all)
        return 0;
    if (source->opcode == ISA_SELP) {
        uint32_t chosen = pred_of(sm, insn, 2);
        return from[2] | (chosen & from[0]) | (~chosen & from[1]);
    }
    bool is_logic = ptx_insn_type(source, 0) == PTX_PRED;
    if (is_logic && source->opcode == ISA_AND)
        return all & (from[0] | pred_of(sm, insn, 0)) & (from[1] | pred_of(sm, insn, 1));
    if (is_logic && source->opcode == ISA_OR)
        return all & (from[0] | ~pred_of(sm, insn, 0)) & (from[1] | ~pred_of(sm, insn, 1));
    if (source->opcode == ISA_SETP && source->n_operands - first == 3) {
        uint32_t third = pred_of(sm, insn, 2);
        uint32_t open = ptx_has(source, ISA_DOT_AND)  ? third
                        : ptx_has(source, ISA_DOT_OR) ? ~third
                                                      : UINT32_MAX;
        return all & (from[2] | open);
    }
    return all;
}

/* Whether the target is undefined follows from the sources'. */
static void follow(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    const struct ptx_insn *source = insn->source;
    struct simt_warp *warp = sm->warp;
    uint32_t n_before = warp->n_undefined, taken = 0;
    uint32_t result = lanes_of_result(sm, insn) & lanes;
    uint32_t n_targets = source->n_operands == 0 ? 0 : source->paired ? 2 : 1;
    for (uint32_t i = 0; i < n_before && result & ~taken; i++) {
        const struct simt_undefined *from = &warp->undefined[i];
        bool is_read = false;
        for (unsigned k = n_targets; k < source->n_operands; k++)
            is_read |=
                source->operands[k].kind == PTX_OP_REG && source->operands[k].reg == from->reg;
        uint32_t mask = from->mask & result & ~taken;
        if (!is_read || from->rows != sm->x.rows || !mask)
            continue;
        for (uint32_t k = 0; k < n_targets; k++) {
            struct simt_undefined *to = add(sm, -2 - (int32_t)k, from->load);
            if (!to) {
                use(sm, from->reg, insn, mask);
                continue;
            }
            to->mask = mask;
            to->hollow = from->hollow;
            memcpy(to->offset, from->offset, sizeof to->offset);
        }
        taken |= mask;
    }
    for (uint32_t k = 0; k < n_targets; k++)
        settle(sm, &source->operands[k], lanes);
    for (uint32_t i = n_before; i < warp->n_undefined; i++)
        warp->undefined[i].reg = source->operands[-2 - warp->undefined[i].reg].reg;
}

uint32_t simt_undefined_stored(const struct simt_sm *sm, const struct simt_insn *insn,
                               uint32_t mask) {
    return sm->warp->n_undefined && insn->source->n_operands > 1
               ? lanes_of_operand(sm, &insn->source->operands[1], ANYWHERE) & mask
               : 0;
}

uint32_t simt_undefined_kept(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    const uint32_t shuffled = lanes_of_operand(sm, &insn->source->operands[1], A_SHUFFLE) & lanes;
    if (shuffled)
        simt_undefined_seen(sm, insn, shuffled);
    return lanes & ~shuffled;
}

void simt_undefined_seen(struct simt_sm *sm, const struct simt_insn *insn, uint32_t mask) {
    use_operand(sm, &insn->source->operands[1], insn, mask);
}

/* A load or store uses its address, and a load has a new value; what a store does with its value is
 * found where its memory is. */
static void step_memory(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    const struct ptx_insn *source = insn->source;
    enum isa_memory memory = isa_opcodes[source->opcode].memory;
    bool is_load = memory == ISA_MEMORY_LOAD, is_plain = is_load || memory == ISA_MEMORY_STORE;
    for (unsigned i = is_load ? 1 : 0; i < source->n_operands; i++)
        if (!is_plain || source->operands[i].kind == PTX_OP_ADDRESS)
            use_operand(sm, &source->operands[i], insn, lanes);
    if (is_load || memory == ISA_MEMORY_ATOMIC)
        settle(sm, &source->operands[0], lanes);
    if (insn->space == PTX_PARAM && !is_load && is_plain)
        simt_undefined_seen(sm, insn, lanes);
}

/* Other lanes see what a shuffle or vote reads; what a shuffle hands on of another one is followed
 * when it does. */
static void step_sync(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lanes) {
    const struct ptx_insn *source = insn->source;
    const bool is_shuffle = sm->steps[insn->index].kind == SIMT_STEP_SHUFFLE;
    unsigned n_targets = source->paired ? 2 : source->n_operands > 1 ? 1 : 0;
    for (unsigned i = n_targets; i < source->n_operands; i++)
        if (is_shuffle && i == n_targets)
            use_from(sm, source->operands[i].reg, insn, lanes, A_LOAD);
        else
            use_operand(sm, &source->operands[i], insn, lanes);
    for (unsigned i = 0; !is_shuffle && i < n_targets; i++)
        settle(sm, &source->operands[i], lanes);
}

/* The lanes of x.mask that get an undefined value of this register from other lanes. */
static uint32_t lanes_handed(const struct simt_sm *sm, const struct simt_insn *insn,
                             uint32_t undefined) {
    uint32_t lanes = 0;
    for (uint32_t rest = undefined ? sm->x.mask : 0; rest; rest &= rest - 1) {
        bool valid;
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const unsigned from = shuffle_source(&sm->x, insn, insn->imm, lane, &valid);
        if (undefined >> from & 1)
            lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

void simt_undefined_shuffle(struct simt_sm *sm, const struct simt_insn *insn, uint32_t strays) {
    const struct ptx_insn *source = insn->source;
    const unsigned n_targets = source->paired ? 2 : 1;
    const struct ptx_operand *handed = &source->operands[n_targets];
    const uint32_t n_before = sm->warp->n_undefined;
    const int32_t no_register = -2;
    for (uint32_t i = 0; handed->kind == PTX_OP_REG && i < n_before; i++) {
        const struct simt_undefined *from = &sm->warp->undefined[i];
        if (from->reg != handed->reg || from->rows != sm->x.rows)
            continue;
        const uint32_t mask = lanes_handed(sm, insn, from->mask) & ~strays;
        struct simt_undefined *to = mask ? add(sm, no_register, from->load) : NULL;
        if (to)
            to->mask = mask;
        else if (mask)
            use(sm, handed->reg, insn, from->mask);
    }
    struct simt_undefined *to = strays ? add(sm, no_register, insn->index) : NULL;
    const struct simt_undefined unfollowed = {.load = insn->index};
    if (to)
        to->mask = strays;
    else if (strays)
        simt_report_unwritten(sm, &unfollowed, (uint32_t)__builtin_ctz(strays), insn->index);
    for (unsigned i = 0; i < n_targets; i++)
        settle(sm, &source->operands[i], sm->x.mask);
    for (uint32_t i = n_before; i < sm->warp->n_undefined; i++) {
        struct simt_undefined *value = &sm->warp->undefined[i];
        value->reg = source->operands[0].reg;
        if (source->operands[0].kind != PTX_OP_REG) /* nobody gets it */
            value->mask = 0;
    }
    drop_settled(sm);
}

void simt_undefined_step(struct simt_sm *sm, const struct simt_insn *insn, uint32_t mask) {
    const struct ptx_insn *source = insn->source;
    uint32_t lanes = simt_guarded(&sm->x, insn, mask);
    use(sm, source->guard, insn, mask);
    switch (insn->flow) {
    case SIMT_FLOW_NEXT:
        follow(sm, insn, lanes);
        break;
    case SIMT_FLOW_MEMORY:
        step_memory(sm, insn, lanes);
        break;
    case SIMT_FLOW_SYNC:
        step_sync(sm, insn, lanes);
        break;
    case SIMT_FLOW_SWITCH:
        use_operand(sm, &source->operands[0], insn, lanes);
        break;
    default: /* barriers, whose operands are literals, and calls, which hand on what is stored */
        break;
    }
    drop_settled(sm);
}

static bool slot_open(struct simt_sm *sm) {
    const size_t bytes = sm->shared_bytes + SIMT_SHARED_SPARE_BYTES;
    if (posix_memalign((void **)&sm->shared_defined, 64, bytes) != 0)
        return false;
    memset(sm->shared_defined, 0, bytes);
    return true;
}

static void slot_close(struct simt_sm *sm) {
    for (uint32_t w = 0; sm->warps && w < sm->n_warps; w++)
        free(sm->warps[w].undefined);
    free(sm->shared_defined);
}

/* Nothing is written yet, but for what the runtime keeps in shared memory for cooperative groups.
 */
static void cta_begins(struct simt_sm *sm) {
    for (uint32_t w = 0; w < sm->n_warps; w++)
        sm->warps[w].n_undefined = 0;
    memset(sm->shared_defined, 0, sm->shared_bytes);
    simt_cells_undefine(&sm->shared_cells, 0, sm->shared_bytes + 1);
    for (uint32_t i = 0; i < sm->program->n_shared; i++) {
        const struct simt_placed *placed = &sm->program->shared[i];
        if (placed->name[0] == '%')
            memset(sm->shared_defined + placed->offset, 1, placed->bytes);
    }
}

const struct simt_check simt_check_definedness = {
    .slot_open = slot_open,
    .slot_close = slot_close,
    .cta_begins = cta_begins,
};
