/*
 * Threads that return while others go on: with the edit they stay. A predicate says who would have
 * gone, and keeps those from memory.
 */
#include "common/simt/program/edit/rewrite.h"

static bool is_end(const struct ptx_insn *insn) {
    const uint8_t flow = isa_opcodes[insn->opcode].flow;
    return flow == ISA_FLOW_RETURN || flow == ISA_FLOW_EXIT;
}

/* Whether threads may return here while others go on. */
static bool leaves(const struct ptx_function *function, size_t index) {
    const struct ptx_insn *insn = &function->insns[index];
    if (insn->guard < 0 || insn->line == 0)
        return false;
    if (isa_opcodes[insn->opcode].flow != ISA_FLOW_BRANCH)
        return is_end(insn);
    const struct ptx_insn *target = &function->insns[flow_target(insn, 0)];
    return is_end(target) && target->guard < 0;
}

/* A predicate that is computed before an instruction, from one or two others. */
static int32_t put_pred(struct edit_body *body, size_t index, enum isa_opcode opcode, int32_t a,
                        int32_t b) {
    static const enum isa_modifier type[4] = {ISA_DOT_PRED};
    const int32_t d = edit_new_register(body, PTX_PRED);
    struct ptx_operand operands[3] = {edit_register(body, d), edit_register(body, a)};
    if (b >= 0)
        operands[2] = edit_register(body, b);
    edit_put_before(body, index, edit_insn(body, opcode, type, operands, b >= 0 ? 3 : 2));
    return d;
}

/* The predicate under which an instruction runs, as one that is not negated. */
static int32_t guard_of(struct edit_body *body, size_t index, const struct ptx_insn *insn) {
    return insn->guard_negated ? put_pred(body, index, ISA_NOT, insn->guard, -1) : insn->guard;
}

/* Those who are gone have zeros where the instruction would give them a value. */
static void put_zeros(struct edit_body *body, size_t index, const struct ptx_operand *d) {
    for (size_t e = 0; e < d->n_elements; e++)
        put_zeros(body, index, &d->elements[e]);
    if (d->kind != PTX_OP_REG)
        return;
    const unsigned bytes = ptx_type_bytes(body->function->regs[d->reg].type);
    const enum isa_modifier modifiers[4] = {bytes == 8   ? ISA_DOT_B64
                                            : bytes == 4 ? ISA_DOT_B32
                                                         : ISA_DOT_B16};
    const struct ptx_operand operands[] = {edit_register(body, d->reg), edit_integer(0)};
    struct ptx_insn move = edit_insn(body, ISA_MOV, modifiers, operands, 2);
    move.guard = body->gone;
    edit_put_before(body, index, move);
}

/* An access that only those make who are not gone. */
static void keep_from(struct edit_body *body, size_t index) {
    struct ptx_insn *insn = &body->function->insns[index];
    if (isa_opcodes[insn->opcode].memory == ISA_MEMORY_LOAD ||
        isa_opcodes[insn->opcode].memory == ISA_MEMORY_ATOMIC)
        put_zeros(body, index, &insn->operands[0]);
    if (insn->guard < 0) {
        insn->guard = body->gone;
        insn->guard_negated = true;
        return;
    }
    const int32_t here = put_pred(body, index, ISA_NOT, body->gone, -1);
    insn->guard = put_pred(body, index, ISA_AND, guard_of(body, index, insn), here);
    insn->guard_negated = false;
}

/* At first nobody is gone. */
static void begin(struct edit_body *body) {
    static const enum isa_modifier differs[4] = {ISA_DOT_NE, ISA_DOT_U32};
    body->gone = edit_new_register(body, PTX_PRED);
    const struct ptx_operand operands[] = {edit_register(body, body->gone), edit_integer(0),
                                           edit_integer(0)};
    edit_put_before(body, 0, edit_insn(body, ISA_SETP, differs, operands, 3));
    for (size_t i = 0; i < body->function->n_insns; i++) {
        const struct ptx_insn *insn = &body->function->insns[i];
        if (edit_is_access(insn) && (body->edit->from == 1 || !edit_is_shared_access(insn)))
            keep_from(body, i);
    }
}

void edit_stay(struct edit_body *body, size_t index) {
    static const enum isa_modifier type[4] = {ISA_DOT_PRED};
    if (!leaves(body->function, index))
        return;
    if (body->gone < 0)
        begin(body);
    const struct ptx_insn *insn = &body->function->insns[index];
    const struct ptx_operand operands[] = {edit_register(body, body->gone),
                                           edit_register(body, body->gone),
                                           edit_register(body, guard_of(body, index, insn))};
    edit_put_before(body, index, edit_insn(body, ISA_OR, type, operands, 3));
    body->is_dropped[index] = true;
}

void edit_ask_leave(struct edit_asked *asked) {
    if (!leaves(asked->function, asked->index))
        return;
    edit_propose(asked, SIMT_EDIT_STAY, 0, 0);
    edit_propose(asked, SIMT_EDIT_STAY, 1, 0);
}
