/*
 * Which instructions write a register. An index of a function makes that quick while all of its
 * operands are asked for; an edit, which changes the code, looks through it.
 */
#include <stdlib.h>

#include "common/simt/program/edit/rewrite.h"

static bool writes(const struct ptx_insn *insn, int32_t reg) {
    for (unsigned i = 0; i < insn->n_operands && i < 1u + insn->paired; i++) {
        const struct ptx_operand *d = &insn->operands[i];
        if (d->kind == PTX_OP_REG && d->reg == reg)
            return true;
        for (size_t e = 0; e < d->n_elements; e++)
            if (d->elements[e].reg == reg)
                return true;
    }
    return false;
}

const struct ptx_insn *edit_next_writer(const struct ptx_function *function, int32_t reg,
                                        size_t *at) {
    const struct ptx_writers *writers = function->writers;
    if (writers) {
        const size_t i = writers->first[reg] + (*at)++;
        return i < writers->first[reg + 1] ? &function->insns[writers->insns[i]] : NULL;
    }
    while (*at < function->n_insns)
        if (writes(&function->insns[(*at)++], reg))
            return &function->insns[*at - 1];
    return NULL;
}

/* Counts the registers that an instruction writes, or enters it in their lists: the list of
 * register r begins at first[r + 1], which moves on as it is filled and ends where that of r + 1
 * begins. */
static void take(struct ptx_writers *writers, const struct ptx_insn *insn, uint32_t index) {
    for (unsigned i = 0; i < insn->n_operands && i < 1u + insn->paired; i++) {
        const struct ptx_operand *d = &insn->operands[i];
        for (size_t e = 0; e < 1 + d->n_elements; e++) {
            const struct ptx_operand *one = e == 0 ? d : &d->elements[e - 1];
            if (one->kind != PTX_OP_REG)
                continue;
            if (writers->insns)
                writers->insns[writers->first[one->reg + 1]++] = index;
            else
                writers->first[one->reg + 2]++;
        }
    }
}

bool edit_writers_init(struct ptx_writers *writers, const struct ptx_function *function) {
    const size_t n_regs = function->n_regs;
    *writers = (struct ptx_writers){.first = calloc(n_regs + 2, sizeof *writers->first)};
    for (size_t i = 0; writers->first && i < function->n_insns; i++)
        take(writers, &function->insns[i], (uint32_t)i);
    for (size_t r = 0; writers->first && r < n_regs; r++)
        writers->first[r + 2] += writers->first[r + 1];
    writers->insns =
        writers->first ? calloc(writers->first[n_regs + 1] + 1u, sizeof *writers->insns) : NULL;
    for (size_t i = 0; writers->insns && i < function->n_insns; i++)
        take(writers, &function->insns[i], (uint32_t)i);
    return writers->insns;
}

void edit_writers_finish(struct ptx_writers *writers) {
    free(writers->first);
    free(writers->insns);
}
