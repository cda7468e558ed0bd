/*
 * Loads that poll: a loop reads one word again and again until what it holds lets the loop end, as
 *
 *     while ((word = *place) == NOTHING)
 *         ;
 *
 * Such a load may come too early: it sees what was there before, and the loop reads again. So
 * nothing has to tell it that the word is written.
 */
#include <stdlib.h>

#include "common/simt/checks/race/race.h"

/* A loop: the instructions from `head` to the branch `back`, which goes back to the head. */
struct loop {
    const struct simt_program *program;
    uint32_t head, back;
};

static const struct ptx_insn *source_of(const struct loop *loop, uint32_t index) {
    return loop->program->insns[index].source;
}

/* The smallest loop that has the instruction in it and is larger than the one found before
 * (`back` of 0: none was). */
static bool find_loop(struct loop *loop, uint32_t index) {
    const uint32_t inner = loop->back ? loop->back - loop->head : 0;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = index; i < loop->program->n_insns; i++) {
        const struct simt_insn *insn = &loop->program->insns[i];
        if (insn->flow != SIMT_FLOW_BRANCH || !insn->is_back_edge || insn->target > index ||
            i - insn->target <= inner || i - insn->target >= least)
            continue;
        least = i - insn->target;
        loop->head = insn->target;
        loop->back = i;
    }
    return least < UINT32_MAX;
}

static bool has_any(const struct ptx_operand *operand, const bool *set) {
    bool has = operand->reg >= 0 && set[operand->reg];
    for (size_t i = 0; i < operand->n_elements; i++)
        has |= has_any(&operand->elements[i], set);
    return has;
}

/* True when the set has grown. */
static bool add(const struct ptx_operand *operand, bool *set) {
    bool grows = operand->kind == PTX_OP_REG && operand->reg >= 0 && !set[operand->reg];
    if (grows)
        set[operand->reg] = true;
    for (size_t i = 0; i < operand->n_elements; i++)
        grows |= add(&operand->elements[i], set);
    return grows;
}

/* Puts what an instruction computes from the set into the set. True when it has grown. */
static bool pass_on(const struct ptx_insn *source, bool *set) {
    const unsigned n_targets = source->paired ? 2 : 1;
    bool uses = source->guard >= 0 && set[source->guard], grows = false;
    for (unsigned i = n_targets; i < source->n_operands; i++)
        uses |= has_any(&source->operands[i], set);
    for (unsigned i = 0; uses && i < n_targets && i < source->n_operands; i++)
        grows |= add(&source->operands[i], set);
    return grows;
}

/* The set is what the loop computes from the load: does it say whether the loop goes on? */
static bool decides(const struct loop *loop, const bool *set) {
    for (uint32_t i = loop->head; i <= loop->back; i++) {
        const struct simt_insn *insn = &loop->program->insns[i];
        const bool leaves =
            insn->flow == SIMT_FLOW_BRANCH &&
            (i == loop->back || insn->target < loop->head || insn->target > loop->back);
        if (leaves && insn->source->guard >= 0 && set[insn->source->guard])
            return true;
    }
    return false;
}

static bool writes(const struct ptx_insn *source, int32_t reg) {
    const unsigned n_targets = source->paired ? 2 : 1;
    for (unsigned i = 0; i < n_targets && i < source->n_operands; i++) {
        const struct ptx_operand *target = &source->operands[i];
        if (target->kind == PTX_OP_REG && target->reg == reg)
            return true;
        for (size_t e = 0; e < target->n_elements; e++)
            if (target->elements[e].reg == reg)
                return true;
    }
    return false;
}

static int32_t largest_register(const struct ptx_operand *operand) {
    int32_t largest = operand->reg;
    for (size_t i = 0; i < operand->n_elements; i++)
        if (largest_register(&operand->elements[i]) > largest)
            largest = largest_register(&operand->elements[i]);
    return largest;
}

static size_t count_registers(const struct loop *loop) {
    int32_t largest = 0;
    for (uint32_t i = loop->head; i <= loop->back; i++) {
        const struct ptx_insn *source = source_of(loop, i);
        if (source->guard > largest)
            largest = source->guard;
        for (unsigned k = 0; k < source->n_operands; k++)
            if (largest_register(&source->operands[k]) > largest)
                largest = largest_register(&source->operands[k]);
    }
    return (size_t)largest + 1;
}

enum { ADDRESS_STEPS = 8 }; /* that the compiler makes an address in, within a loop */

/* What makes an address of numbers. Each makes the same of the same ones. */
static bool is_of_addresses(const struct ptx_insn *source) {
    static const uint16_t opcodes[] = {ISA_ADD, ISA_SUB, ISA_MUL, ISA_MAD,
                                       ISA_SHL, ISA_CVT, ISA_CVTA};
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (source->opcode == opcodes[i])
            return source->guard < 0;
    return false;
}

/* The register holds the same at each turn of the loop: nothing there writes it, or only what is
 * computed from registers that do so. */
static bool stays(const struct loop *loop, int32_t reg, unsigned steps) {
    for (uint32_t i = loop->head; reg >= 0 && i <= loop->back; i++) {
        const struct ptx_insn *source = source_of(loop, i);
        if (!writes(source, reg))
            continue;
        if (steps == 0 || !is_of_addresses(source))
            return false;
        for (unsigned k = 1; k < source->n_operands; k++)
            if (source->operands[k].kind == PTX_OP_REG &&
                !stays(loop, source->operands[k].reg, steps - 1))
                return false;
    }
    return true;
}

/* The loop reads the same word at each turn, and goes on or not by what it finds. */
static bool waits_for(const struct loop *loop, uint32_t load) {
    if (!stays(loop, source_of(loop, load)->operands[1].reg, ADDRESS_STEPS))
        return false;
    bool *set = calloc(count_registers(loop), sizeof *set);
    if (!set)
        return false;
    add(&source_of(loop, load)->operands[0], set);
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t i = loop->head; i <= loop->back; i++)
            grows |= pass_on(source_of(loop, i), set);
    }
    const bool waits = decides(loop, set);
    free(set);
    return waits;
}

static bool polls_in_a_loop(const struct simt_program *program, uint32_t index) {
    struct loop loop = {.program = program};
    while (find_loop(&loop, index))
        if (waits_for(&loop, index))
            return true;
    return false;
}

/* The compiler may take the first look out of the loop: a load of the same word, before it. */
static bool is_first_look(const struct simt_program *program, uint32_t index) {
    const struct ptx_operand *place = &program->insns[index].source->operands[1];
    for (uint32_t i = index + 1; place->reg >= 0 && i < program->n_insns; i++) {
        const struct simt_insn *insn = &program->insns[i];
        if (insn->source->opcode == ISA_LD && insn->is_strong &&
            insn->source->operands[1].reg == place->reg &&
            insn->source->operands[1].integer == place->integer && polls_in_a_loop(program, i))
            return true;
        if (writes(insn->source, place->reg))
            return false;
    }
    return false;
}

bool simt_polls(const struct simt_sm *sm, uint32_t index) {
    struct simt_step *step = &sm->steps[index];
    const struct simt_insn *insn = &sm->program->insns[index];
    if (step->load == SIMT_LOAD_UNKNOWN && insn->is_strong && insn->source->opcode == ISA_LD)
        step->load = polls_in_a_loop(sm->program, index) || is_first_look(sm->program, index)
                         ? SIMT_LOAD_POLLS
                         : SIMT_LOAD_USUAL;
    return step->load == SIMT_LOAD_POLLS;
}
