/*
 * Instructions that are no plain operation: control flow, barriers, hints that a simulator need not
 * follow.
 */
#include "common/simt/program/decode/decoder.h"

void exec_nothing(struct simt_exec *x, const struct simt_insn *insn) {
    (void)x;
    (void)insn;
}

/* Fences, prefetches, policies of caches, nanosleep: nothing to do, for their operands neither. */
EXEC_FORM(exec_form_hint) {
    insn->flow = SIMT_FLOW_NEXT;
    return true;
}

EXEC_FORM(exec_form_exit) {
    insn->flow = SIMT_FLOW_EXIT;
    return true;
}

EXEC_FORM(exec_form_ret) {
    insn->flow = decoder->function->is_entry ? SIMT_FLOW_EXIT : SIMT_FLOW_RETURN;
    return true;
}

EXEC_FORM(exec_form_trap) {
    insn->flow = SIMT_FLOW_TRAP;
    return true;
}

EXEC_FORM(exec_form_bra) {
    insn->flow = SIMT_FLOW_BRANCH;
    if (source->n_operands != 1 || source->operands[0].kind != PTX_OP_LABEL)
        return false;
    insn->target = (uint32_t)source->operands[0].integer;
    return true;
}

/* brx.idx index, { labels }. */
EXEC_FORM(exec_form_switch) {
    insn->flow = SIMT_FLOW_SWITCH;
    insn->target = 0;
    if (source->n_operands != 2 || source->operands[1].kind != PTX_OP_LIST)
        return false;
    insn->a = exec_source_row(decoder, &source->operands[0], PTX_B32);
    return insn->a != SIMT_NO_ROW;
}

/* bar.warp.sync mask. */
static EXEC_FORM(form_warp_sync) {
    insn->flow = SIMT_FLOW_SYNC;
    if (source->n_operands != 1)
        return false;
    insn->rows[0] = exec_source_row(decoder, &source->operands[0], PTX_B32);
    return insn->rows[0] != SIMT_NO_ROW;
}

/* The modifiers of bar and barrier that choose what it does, and the number of operands. */
static const struct {
    enum isa_modifier modifier;
    uint8_t type; /* enum simt_barrier */
    uint8_t least, most;
} barriers[] = {
    {ISA_DOT_SYNC, SIMT_BARRIER_SYNC, 1, 2}, {ISA_DOT_ARRIVE, SIMT_BARRIER_ARRIVE, 2, 2},
    {ISA_DOT_POPC, SIMT_BARRIER_POPC, 3, 4}, {ISA_DOT_AND, SIMT_BARRIER_AND, 3, 4},
    {ISA_DOT_OR, SIMT_BARRIER_OR, 3, 4},
};

/* d, a, b, c: destination and predicate of a reduction. */
static EXEC_FORM(fill_reduction) {
    const struct ptx_operand *const c = &source->operands[source->n_operands - 1];
    insn->d = insn->type == SIMT_BARRIER_POPC ? exec_target_row(decoder, &source->operands[0], 4)
                                              : exec_pred(decoder, &source->operands[0]);
    insn->c = exec_pred(decoder, c);
    insn->imm_flags = c->negated ? SIMT_INVERTED : 0;
    return insn->d != SIMT_NO_ROW && insn->c != SIMT_NO_ROW;
}

/* The id and the number of threads, which begin at `first`. */
static bool fill_barrier(struct exec_decoder *decoder, struct simt_insn *insn,
                         const struct ptx_operand *first, bool has_threads) {
    if (first->kind == PTX_OP_INT)
        insn->imm = first->integer;
    else
        insn->a = exec_source_row(decoder, first, PTX_B32);
    if (has_threads)
        insn->b = exec_source_row(decoder, first + 1, PTX_B32);
    return (first->kind == PTX_OP_INT ? insn->imm >= 0 && insn->imm < 16
                                      : insn->a != SIMT_NO_ROW) &&
           (!has_threads || insn->b != SIMT_NO_ROW);
}

/* barrier.cluster, of a cluster that is one cta: who waits, waits for all threads of the cta, on a
 * barrier of its own. */
static bool form_cluster_barrier(struct simt_insn *insn, const struct ptx_insn *source) {
    insn->flow = ptx_has(source, ISA_DOT_WAIT) ? SIMT_FLOW_BARRIER : SIMT_FLOW_NEXT;
    insn->type = SIMT_BARRIER_SYNC;
    insn->imm = SIMT_CLUSTER_BARRIER;
    return ptx_has(source, ISA_DOT_WAIT) || ptx_has(source, ISA_DOT_ARRIVE);
}

EXEC_FORM(exec_form_barrier) {
    if (ptx_has(source, ISA_DOT_CLUSTER))
        return form_cluster_barrier(insn, source);
    if (ptx_has(source, ISA_DOT_WARP))
        return form_warp_sync(decoder, insn, source);
    insn->flow = SIMT_FLOW_BARRIER;
    for (size_t i = 0; i < sizeof(barriers) / sizeof(barriers[0]); i++) {
        if (!ptx_has(source, barriers[i].modifier))
            continue;
        insn->type = barriers[i].type;
        if (source->n_operands < barriers[i].least || source->n_operands > barriers[i].most)
            return false;
        const bool reduces = insn->type >= SIMT_BARRIER_POPC;
        return fill_barrier(decoder, insn, &source->operands[reduces],
                            source->n_operands == barriers[i].most && barriers[i].most > 1) &&
               (!reduces || fill_reduction(decoder, insn, source));
    }
    return false;
}

exec_form *exec_form_of(enum isa_opcode opcode) {
    static exec_form *const forms[ISA_N_OPCODES] = {
        [ISA_NO_OPCODE] = exec_form_operation,
#define OPCODE(name, word, form, flow, memory, traits, what) [ISA_##name] = exec_form_##form,
#include "common/simt/program/isa/opcodes.def"
    };
    return forms[opcode];
}
