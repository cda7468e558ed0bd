/*
 * Which products ptxas fuses into the sums that follow. PTX allows it where neither names its
 * rounding, and results differ in the last bit, so the simulator does as ptxas. Its rule, as found
 * from what it does (common/simt/tests/proof/kernels/contraction.cu):
 *
 * A product is fused only if every use of it is a sum in its own basic block, of the same .ftz, so
 * that no mul is left; the mul has no .sat, nothing stands under a guard, and a neg may lie
 * between. Of two products in one sum the left one is fused, unless it has further uses and the
 * right one has not. What lies between must leave the factors alone, since they are read again.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/program/decode/decoder.h"

enum { NOBODY = UINT32_MAX };

/* What is known of a register. */
struct value {
    uint32_t n_writes, n_reads;
    uint32_t writer, reader; /* the last instruction that does */
};

struct contraction {
    const struct ptx_function *function;
    const struct flow_graph *graph;
    struct value *values;
    bool *is_product; /* per instruction: a mul that may still be fused */
    struct exec_fusion *fusions;
};

static bool is_plain(const struct ptx_insn *insn, enum isa_opcode opcode) {
    static const enum isa_modifier forbidden[] = {ISA_DOT_RN, ISA_DOT_RZ, ISA_DOT_RM, ISA_DOT_RP};
    const enum ptx_type type = ptx_insn_type(insn, 0);
    bool names_rounding = false;
    for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++)
        names_rounding |= ptx_has(insn, forbidden[i]);
    return insn->opcode == opcode && insn->guard < 0 && !names_rounding &&
           (type == PTX_F32 || type == PTX_F64) && insn->operands[0].kind == PTX_OP_REG;
}

static bool is_sum(const struct ptx_insn *insn) {
    return (is_plain(insn, ISA_ADD) || is_plain(insn, ISA_SUB)) && insn->n_operands == 3;
}

static void note_operand(struct contraction *c, const struct ptx_operand *operand, uint32_t index,
                         bool is_written) {
    for (size_t i = 0; i < operand->n_elements; i++)
        note_operand(c, &operand->elements[i], index, is_written);
    if (operand->reg < 0)
        return;
    struct value *const value = &c->values[operand->reg];
    if (is_written && operand->kind != PTX_OP_ADDRESS) {
        value->n_writes++;
        value->writer = index;
    } else {
        value->n_reads++;
        value->reader = index;
    }
}

/* Counts writes and reads. Who is in doubt whether an operand is written may take it for read: a
 * product with such a use is not fused. */
static void note_insn(struct contraction *c, uint32_t index) {
    const struct ptx_insn *const insn = &c->function->insns[index];
    const struct isa_opcode_facts *const facts = &isa_opcodes[insn->opcode];
    const bool has_target = facts->memory != ISA_MEMORY_STORE &&
                            facts->memory != ISA_MEMORY_REDUCTION && facts->flow != ISA_FLOW_BRANCH;
    for (unsigned i = 0; i < insn->n_operands; i++)
        note_operand(c, &insn->operands[i], index,
                     has_target && (i == 0 || (i == 1 && insn->paired)));
    if (insn->guard >= 0)
        c->values[insn->guard].n_reads++;
}

/* True when no instruction from `first` up to `end` writes the register. */
static bool is_kept(const struct contraction *c, const struct ptx_operand *operand, uint32_t first,
                    uint32_t end) {
    if (operand->kind != PTX_OP_REG || c->values[operand->reg].n_writes <= 1)
        return true;
    for (uint32_t i = first; i < end; i++) {
        const struct ptx_insn *const insn = &c->function->insns[i];
        if (insn->n_operands > 0 && insn->operands[0].reg == operand->reg)
            return false;
    }
    return true;
}

/* The mul behind an operand of the sum `index`, by way of a neg or not; NOBODY where there is none
 * that can be fused there. */
static uint32_t product_of(const struct contraction *c, uint32_t index, unsigned slot,
                           bool *negated) {
    const struct ptx_insn *const insns = c->function->insns;
    const struct ptx_operand *operand = &insns[index].operands[slot];
    *negated = false;
    if (operand->kind != PTX_OP_REG || c->values[operand->reg].n_writes != 1)
        return NOBODY;
    uint32_t writer = c->values[operand->reg].writer;
    const bool ftz = ptx_has(&insns[index], ISA_DOT_FTZ);
    if (is_plain(&insns[writer], ISA_NEG) && c->values[operand->reg].n_reads == 1 &&
        ptx_has(&insns[writer], ISA_DOT_FTZ) == ftz &&
        c->graph->block_of[writer] == c->graph->block_of[index]) {
        operand = &insns[writer].operands[1];
        if (operand->kind != PTX_OP_REG || c->values[operand->reg].n_writes != 1)
            return NOBODY;
        writer = c->values[operand->reg].writer;
        *negated = true;
    }
    const struct ptx_insn *const mul = &insns[writer];
    const bool fits = c->is_product[writer] && writer < index && ptx_has(mul, ISA_DOT_FTZ) == ftz &&
                      ptx_insn_type(mul, 0) == ptx_insn_type(&insns[index], 0) &&
                      c->graph->block_of[writer] == c->graph->block_of[index] &&
                      is_kept(c, &mul->operands[1], writer, index) &&
                      is_kept(c, &mul->operands[2], writer, index);
    return fits ? writer : NOBODY;
}

static uint32_t n_uses(const struct contraction *c, uint32_t product) {
    return c->values[c->function->insns[product].operands[0].reg].n_reads;
}

/* Fuses one of a sum's products, if it has any. */
static void fuse(struct contraction *c, uint32_t index) {
    const struct ptx_insn *const sum = &c->function->insns[index];
    bool left_negated, right_negated;
    const uint32_t left = product_of(c, index, 1, &left_negated);
    const uint32_t right = product_of(c, index, 2, &right_negated);
    c->fusions[index].how = EXEC_NOT_FUSED;
    if (left == right) /* none, or the same twice, which stays a sum */
        return;
    const bool takes_left =
        right == NOBODY || (left != NOBODY && (n_uses(c, left) == 1 || n_uses(c, right) > 1));
    const bool is_sub = sum->opcode == ISA_SUB;
    const bool product_negated = takes_left ? left_negated : is_sub != right_negated;
    const bool addend_negated = is_sub && takes_left;
    if (product_negated && addend_negated) /* -(a * b) - c: never seen */
        return;
    c->fusions[index] = (struct exec_fusion){
        .how = product_negated  ? EXEC_FMA_FROM
               : addend_negated ? EXEC_FMA_MINUS
                                : EXEC_FMA,
        .product = takes_left ? left : right,
        .addend = takes_left ? 2 : 1,
    };
}

/* One round: fuses where it can, then drops the products that some use keeps alive. True when it
 * dropped any, so that other sums have to choose again. */
static bool settle(struct contraction *c, uint32_t *n_fused) {
    const uint32_t n = (uint32_t)c->function->n_insns;
    bool dropped = false;
    memset(n_fused, 0, n * sizeof(*n_fused));
    for (uint32_t i = 0; i < n; i++) {
        if (is_sum(&c->function->insns[i]))
            fuse(c, i);
        if (c->fusions[i].how)
            n_fused[c->fusions[i].product]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (c->is_product[i] && n_fused[i] != n_uses(c, i)) {
            c->is_product[i] = false;
            dropped = true;
        }
    }
    return dropped;
}

/* Marks all products that may be fused; false where there is none. */
static bool find_products(struct contraction *c) {
    bool found = false;
    for (uint32_t i = 0; i < c->function->n_insns; i++)
        note_insn(c, i);
    for (uint32_t i = 0; i < c->function->n_insns; i++) {
        const struct ptx_insn *const insn = &c->function->insns[i];
        c->is_product[i] = is_plain(insn, ISA_MUL) && !ptx_has(insn, ISA_DOT_SAT) &&
                           insn->n_operands == 3 && c->values[insn->operands[0].reg].n_writes == 1;
        found |= c->is_product[i];
    }
    return found;
}

struct exec_fusion *exec_contract(const struct ptx_function *function,
                                  const struct flow_graph *graph) {
    const size_t n = function->n_insns + 1;
    uint32_t *const n_fused = calloc(n, sizeof(*n_fused));
    struct contraction c = {
        .function = function,
        .graph = graph,
        .values = calloc(function->n_regs + 1, sizeof(*c.values)),
        .is_product = calloc(n, sizeof(*c.is_product)),
        .fusions = calloc(n, sizeof(*c.fusions)),
    };
    if (n_fused && c.values && c.is_product && c.fusions) {
        bool again = find_products(&c);
        while (again)
            again = settle(&c, n_fused);
    } else {
        free(c.fusions);
        c.fusions = NULL;
    }
    free(n_fused);
    free(c.values);
    free(c.is_product);
    return c.fusions;
}

/* The sum as an fma of the product's factors. */
EXEC_FORM(exec_form_fused) {
    static const char *const names[] = {
        [EXEC_FMA] = "fma", [EXEC_FMA_MINUS] = "fma_minus", [EXEC_FMA_FROM] = "fma_from"};
    const struct exec_fusion *const fusion = &decoder->fusions[insn->index];
    const struct ptx_insn *const mul = &decoder->function->insns[fusion->product];
    struct ptx_operand operands[4] = {source->operands[0], mul->operands[1], mul->operands[2],
                                      source->operands[fusion->addend]};
    struct ptx_insn fma = *source;
    fma.opcode = ISA_FMA;
    fma.operands = operands;
    fma.n_operands = 4;
    return exec_form_named(decoder, insn, &fma, names[fusion->how]);
}
