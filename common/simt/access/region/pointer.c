/*
 * From which of a kernel's pointers an address was made, so that an access outside every allocation
 * is told by the array that the program meant, and not by what lies nearest. Found in the PTX: all
 * values of 64 bits that may have gone into the address are followed back, whatever the way through
 * branches, to parameters of the kernel. What a load from memory or a call brought may be any
 * pointer, so then nobody knows.
 */
#include "common/simt/access/region/region.h"

#include <stdlib.h>

struct walk {
    const struct simt_sm *sm;
    const struct ptx_function *function;
    bool *seen;    /* registers */
    int32_t *todo; /* that are to be followed */
    size_t n_todo;
    uint64_t pointer; /* the parameter's value; 0 for none yet */
    uint64_t stray;   /* the value of a parameter that looks like a pointer and points to nothing */
    bool is_unknown;  /* several, or one from elsewhere */
};

static void follow(struct walk *walk, const struct ptx_operand *operand) {
    if (operand->kind != PTX_OP_REG || operand->reg < 0 || walk->seen[operand->reg] ||
        ptx_type_bytes(walk->function->regs[operand->reg].type) != sizeof(uint64_t))
        return;
    walk->seen[operand->reg] = true;
    walk->todo[walk->n_todo++] = operand->reg;
}

static const struct ptx_var *param_of(const struct walk *walk, const struct ptx_operand *source) {
    for (size_t i = 0; source->symbol && i < walk->function->n_params; i++) {
        if (strcmp(walk->function->params[i].name, source->symbol) == 0)
            return &walk->function->params[i];
    }
    return NULL;
}

/* A value of 64 bits that is loaded: a pointer of the kernel's, or a number of its parameters. */
static void take_load(struct walk *walk, const struct ptx_insn *insn) {
    const struct ptx_operand *source = &insn->operands[1];
    const struct ptx_var *param = ptx_has(insn, ISA_DOT_PARAM) ? param_of(walk, source) : NULL;
    uint64_t value;
    if (!param || source->integer < 0 || (uint64_t)source->integer + sizeof value > param->bytes) {
        walk->is_unknown = true;
        return;
    }
    memcpy(&value, walk->sm->params + param->offset + source->integer, sizeof value);
    if (!simt_space_range(walk->sm->space, value, 0)) {
        if (value - walk->sm->space->base < walk->sm->space->reserved)
            walk->stray = value;
        return; /* n, say */
    }
    walk->is_unknown |= walk->pointer && walk->pointer != value;
    walk->pointer = value;
}

static bool writes(const struct ptx_operand *target, int32_t reg) {
    for (size_t i = 0; i < target->n_elements; i++) {
        if (writes(&target->elements[i], reg))
            return true;
    }
    return target->kind == PTX_OP_REG && target->reg == reg;
}

/* What may have gone into a register by this instruction. */
static void look_at(struct walk *walk, const struct ptx_insn *insn, int32_t reg) {
    if (insn->n_operands < 2 || !writes(&insn->operands[0], reg))
        return;
    if (insn->opcode == ISA_LD) {
        take_load(walk, insn);
    } else if (insn->operands[0].kind != PTX_OP_REG) {
        walk->is_unknown = true; /* a call, or several at once */
    } else {
        for (unsigned i = 1; i < insn->n_operands; i++) {
            walk->is_unknown |= insn->operands[i].kind == PTX_OP_SYMBOL; /* a variable's address */
            follow(walk, &insn->operands[i]);
        }
    }
}

static void trace(struct walk *walk, const struct ptx_insn *access) {
    for (unsigned i = 0; i < access->n_operands; i++) {
        const struct ptx_operand *operand = &access->operands[i];
        struct ptx_operand base = {.kind = PTX_OP_REG, .reg = operand->reg};
        if (operand->kind == PTX_OP_ADDRESS)
            follow(walk, &base);
    }
    while (walk->n_todo > 0 && !walk->is_unknown) {
        int32_t reg = walk->todo[--walk->n_todo];
        for (size_t i = 0; i < walk->function->n_insns; i++)
            look_at(walk, &walk->function->insns[i], reg);
    }
}

/* Follows an access back; false where nobody knows. */
static bool walk_back(struct walk *walk, uint32_t index) {
    const struct ptx_function *function = walk->function;
    const struct ptx_insn *access = simt_source(walk->sm, index);
    if (access < function->insns || access >= function->insns + function->n_insns)
        return false; /* of a function that was called */
    walk->seen = calloc(function->n_regs + 1, sizeof *walk->seen);
    walk->todo = calloc(function->n_regs + 1, sizeof *walk->todo);
    const bool is_there = walk->seen && walk->todo;
    if (is_there)
        trace(walk, access);
    free(walk->seen);
    free(walk->todo);
    return is_there && !walk->is_unknown;
}

const struct simt_allocation *simt_pointer_of(const struct simt_sm *sm, uint32_t index) {
    struct walk walk = {.sm = sm, .function = sm->program->function};
    return walk_back(&walk, index) && walk.pointer ? simt_space_range(sm->space, walk.pointer, 0)
                                                   : NULL;
}

bool simt_pointer_is_stray(const struct simt_sm *sm, uint32_t index) {
    struct walk walk = {.sm = sm, .function = sm->program->function};
    return walk_back(&walk, index) && !walk.pointer && walk.stray;
}
