/* Goes from instruction to instruction in the order of their distance. */
#include "common/simt/program/slice/slice.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/program/decode/flow/flow.h"
#include "common/simt/program/isa/opcodes.h"

/* Steps to an operand, to a word's writer, to a condition, to an address; kernels seldom read from
 * global memory what they write there. */
enum {
    TO_OPERAND = 1,
    TO_WRITER = 1,
    TO_CONDITION = 2,
    TO_ADDRESS = 3,
    TO_GLOBAL_WRITER = 8,
    MOST_STEPS = 48,
};

/* Of longer functions, which libraries have, nothing is asked: it would take long. */
enum { MOST_INSNS = 4096 };

struct slice {
    const struct ptx_function *function;
    uint8_t *distance; /* per instruction; MOST_STEPS: not reached */
    struct ptx_writers writers;
    uint32_t *branches; /* indices of conditional ones */
    size_t n_branches;
};

static bool is_memory(const struct ptx_insn *insn, enum isa_memory memory) {
    return isa_opcodes[insn->opcode].memory == memory;
}

static bool is_store(const struct ptx_insn *insn) {
    return is_memory(insn, ISA_MEMORY_STORE) || is_memory(insn, ISA_MEMORY_REDUCTION);
}

static bool list_branches(struct slice *slice) {
    const struct ptx_function *function = slice->function;
    slice->branches = calloc(function->n_insns + 1, sizeof *slice->branches);
    for (uint32_t i = 0; slice->branches && i < function->n_insns; i++)
        if (function->insns[i].guard >= 0 && flow_n_targets(&function->insns[i]) > 0)
            slice->branches[slice->n_branches++] = i;
    return slice->branches;
}

static void reach(struct slice *slice, uint32_t index, uint32_t distance) {
    if (distance < slice->distance[index])
        slice->distance[index] = (uint8_t)distance;
}

static void reach_writers(struct slice *slice, int32_t reg, uint32_t distance) {
    const struct ptx_writers *writers = &slice->writers;
    for (uint32_t i = writers->first[reg]; i < writers->first[reg + 1]; i++)
        reach(slice, writers->insns[i], distance);
}

/* What writes the registers of an operand. */
static void reach_operand(struct slice *slice, const struct ptx_operand *operand,
                          uint32_t distance) {
    if (operand->reg >= 0 && (size_t)operand->reg < slice->function->n_regs)
        reach_writers(slice, operand->reg, distance);
    for (size_t i = 0; i < operand->n_elements; i++)
        reach_operand(slice, &operand->elements[i], distance);
}

/* What may have written the word that is loaded: stores to the same space. */
static void reach_stores(struct slice *slice, const struct ptx_insn *load, uint32_t distance) {
    static const struct {
        enum isa_modifier space;
        uint32_t steps;
    } spaces[] = {{ISA_DOT_SHARED, TO_WRITER},
                  {ISA_DOT_LOCAL, TO_WRITER},
                  {ISA_DOT_GLOBAL, TO_GLOBAL_WRITER}};
    for (uint32_t i = 0; i < slice->function->n_insns; i++) {
        const struct ptx_insn *insn = &slice->function->insns[i];
        if (!is_store(insn) && !is_memory(insn, ISA_MEMORY_ATOMIC))
            continue;
        for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
            if (ptx_has(load, spaces[k].space) && ptx_has(insn, spaces[k].space))
                reach(slice, i, distance + spaces[k].steps);
    }
}

/* Branches that pass over an instruction, or go round a loop that it is in. */
static void reach_conditions(struct slice *slice, uint32_t index, uint32_t distance) {
    for (size_t b = 0; b < slice->n_branches; b++) {
        const uint32_t i = slice->branches[b];
        const struct ptx_insn *insn = &slice->function->insns[i];
        for (uint32_t k = 0; k < flow_n_targets(insn); k++) {
            const uint32_t target = flow_target(insn, k);
            if ((i < index && target > index) || (i > index && target <= index))
                reach_writers(slice, insn->guard, distance);
        }
    }
}

static void expand(struct slice *slice, uint32_t index) {
    const struct ptx_insn *insn = &slice->function->insns[index];
    const uint32_t distance = slice->distance[index];
    for (unsigned i = 0; i < insn->n_operands; i++) {
        const bool is_address = insn->operands[i].kind == PTX_OP_ADDRESS;
        if (!ptx_writes(insn, i))
            reach_operand(slice, &insn->operands[i],
                          distance + (is_address ? TO_ADDRESS : TO_OPERAND));
    }
    if (insn->guard >= 0)
        reach_writers(slice, insn->guard, distance + TO_CONDITION);
    reach_conditions(slice, index, distance + TO_CONDITION);
    if (is_memory(insn, ISA_MEMORY_LOAD) || is_memory(insn, ISA_MEMORY_ATOMIC))
        reach_stores(slice, insn, distance);
}

/* The place of an access alone: what its address and its condition, or mask, are made of. */
static void expand_place(struct slice *slice, uint32_t index) {
    const struct ptx_insn *insn = &slice->function->insns[index];
    bool has_address = false;
    for (unsigned i = 0; i < insn->n_operands; i++)
        has_address |= insn->operands[i].kind == PTX_OP_ADDRESS;
    for (unsigned i = 0; i < insn->n_operands; i++)
        if (!ptx_writes(insn, i) && (!has_address || insn->operands[i].kind == PTX_OP_ADDRESS))
            reach_operand(slice, &insn->operands[i], TO_OPERAND);
    if (insn->guard >= 0)
        reach_writers(slice, insn->guard, TO_CONDITION);
    reach_conditions(slice, index, TO_CONDITION);
}

static void walk(struct slice *slice) {
    for (uint32_t distance = 0; distance < MOST_STEPS; distance++) {
        for (uint32_t i = 0; i < slice->function->n_insns; i++)
            if (slice->distance[i] == distance)
                expand(slice, i);
    }
}

static bool is_listed(const unsigned *lines, size_t n, unsigned line) {
    for (size_t i = 0; i < n; i++)
        if (lines[i] == line)
            return true;
    return false;
}

/* The lines of what was reached, the nearest first; of equally near ones the last in the text. */
static size_t list_lines(const struct slice *slice, size_t index, unsigned *lines, size_t room) {
    const struct ptx_insn *insns = slice->function->insns;
    size_t n = 0;
    for (unsigned distance = 0; distance < MOST_STEPS && n < room; distance++)
        for (size_t i = slice->function->n_insns; i-- > 0 && n < room;)
            if (slice->distance[i] == distance && insns[i].line != 0 &&
                insns[i].file == insns[index].file && insns[i].line != insns[index].line &&
                !is_listed(lines, n, insns[i].line))
                lines[n++] = insns[i].line;
    return n;
}

size_t slice_behind(const struct ptx_function *function, const struct ptx_insn *insn,
                    enum slice_of what, unsigned *lines, size_t room) {
    struct slice slice = {.function = function};
    size_t n = 0;
    if (insn < function->insns || insn >= function->insns + function->n_insns ||
        function->n_insns > MOST_INSNS)
        return 0;
    const uint32_t index = (uint32_t)(insn - function->insns);
    slice.distance = malloc(function->n_insns);
    if (slice.distance && ptx_writers_init(&slice.writers, function) && list_branches(&slice)) {
        memset(slice.distance, MOST_STEPS, function->n_insns);
        if (what == SLICE_OF_PLACE)
            expand_place(&slice, index);
        else
            slice.distance[index] = 0;
        walk(&slice);
        n = list_lines(&slice, index, lines, room);
    }
    free(slice.distance);
    ptx_writers_finish(&slice.writers);
    free(slice.branches);
    return n;
}
