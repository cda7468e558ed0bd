/*
 * Which instructions write a register. A list for all registers makes that quick while many are
 * asked for; an edit, which changes the code, looks through it.
 */
#include <stdlib.h>

#include "common/simt/program/ptx/ptx.h"

bool ptx_writes(const struct ptx_insn *insn, unsigned i) {
    const bool has_value = insn->n_operands > 1 || insn->opcode == ISA_ACTIVEMASK;

    return has_value && i < 1u + insn->paired && i < insn->n_operands &&
           (insn->operands[i].kind == PTX_OP_REG || insn->operands[i].kind == PTX_OP_VECTOR);
}

/* Calls `take` with each register that an instruction writes, until that is true. */
typedef bool register_take(void *context, int32_t reg);

static bool take_written(const struct ptx_insn *insn, register_take *take, void *context) {
    for (unsigned i = 0; ptx_writes(insn, i); i++) {
        const struct ptx_operand *d = &insn->operands[i];
        if (d->kind == PTX_OP_REG && take(context, d->reg))
            return true;
        for (size_t e = 0; e < d->n_elements; e++)
            if (d->elements[e].kind == PTX_OP_REG && take(context, d->elements[e].reg))
                return true;
    }
    return false;
}

static bool is_wanted(void *context, int32_t reg) {
    const int32_t *wanted = context;

    return reg == *wanted;
}

const struct ptx_insn *ptx_next_writer(const struct ptx_function *function, int32_t reg,
                                       size_t *at) {
    const struct ptx_writers *writers = function->writers;
    if (writers) {
        const size_t i = writers->first[reg] + (*at)++;
        return i < writers->first[reg + 1] ? &function->insns[writers->insns[i]] : NULL;
    }
    while (*at < function->n_insns)
        if (take_written(&function->insns[(*at)++], is_wanted, &reg))
            return &function->insns[*at - 1];
    return NULL;
}

/* Lists that are counted, then filled: that of register r begins at first[r + 1], which moves on
 * meanwhile, and ends where that of r + 1 begins. */
struct listing {
    struct ptx_writers *writers;
    uint32_t index;
};

static bool count(void *context, int32_t reg) {
    const struct listing *listing = context;

    listing->writers->first[reg + 2]++;
    return false;
}

static bool enter(void *context, int32_t reg) {
    const struct listing *listing = context;
    struct ptx_writers *writers = listing->writers;

    writers->insns[writers->first[reg + 1]++] = listing->index;
    return false;
}

static void take_all(struct ptx_writers *writers, const struct ptx_function *function,
                     register_take *take) {
    struct listing listing = {.writers = writers};

    for (; listing.index < function->n_insns; listing.index++)
        take_written(&function->insns[listing.index], take, &listing);
}

bool ptx_writers_init(struct ptx_writers *writers, const struct ptx_function *function) {
    const size_t n_regs = function->n_regs;

    *writers = (struct ptx_writers){.first = calloc(n_regs + 2, sizeof *writers->first)};
    if (!writers->first)
        return false;
    take_all(writers, function, count);
    for (size_t r = 0; r < n_regs; r++)
        writers->first[r + 2] += writers->first[r + 1];
    writers->insns = calloc(writers->first[n_regs + 1] + 1u, sizeof *writers->insns);
    if (writers->insns)
        take_all(writers, function, enter);
    return writers->insns;
}

void ptx_writers_finish(struct ptx_writers *writers) {
    free(writers->first);
    free(writers->insns);
}
