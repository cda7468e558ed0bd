/*
 * mbarrier: where the operands are. What it does with the object in shared memory is the memory
 * subsystem's (simt_memory_op).
 *
 * d is the row of the state that arrive returns (SIMT_NO_ROW: none), or the predicate of a test; b
 * is the row of the count, of the bytes, of the token or of the parity. register_bytes tells the
 * last two apart: 8 for a token, 4 otherwise.
 */
#include "common/simt/decode/decoder.h"

/* d = pending_count of a state. */
static bool form_pending_count(struct exec_decoder *decoder, struct simt_insn *insn,
                               const struct ptx_insn *source) {
    const struct exec_variant *const variant = exec_index_find(decoder->index, "pending_count");
    insn->flow = SIMT_FLOW_NEXT;
    return variant && source->n_operands == 2 && exec_fill(decoder, insn, source, variant);
}

static bool fill_operand(struct exec_decoder *decoder, struct simt_insn *insn,
                         const struct ptx_operand *operand, enum ptx_type type) {
    insn->b = exec_source_row(decoder, operand, type);
    return insn->b != SIMT_NO_ROW;
}

/* p, [address], token or parity; try_wait may name a time after it, which means nothing here. */
static bool form_test(struct exec_decoder *decoder, struct simt_insn *insn,
                      const struct ptx_insn *source) {
    if (source->n_operands < 3)
        return false;
    insn->register_bytes = ptx_has(source, ISA_DOT_PARITY) ? 4 : 8;
    insn->d = exec_pred(decoder, &source->operands[0]);
    return insn->d != SIMT_NO_ROW && exec_fill_address(decoder, insn, &source->operands[1]) &&
           fill_operand(decoder, insn, &source->operands[2],
                        insn->register_bytes == 8 ? PTX_B64 : PTX_B32);
}

bool exec_form_mbarrier(struct exec_decoder *decoder, struct simt_insn *insn,
                        const struct ptx_insn *source) {
    if (ptx_has(source, ISA_DOT_PENDING_COUNT))
        return form_pending_count(decoder, insn, source);
    unsigned next = 0;
    insn->flow = SIMT_FLOW_MEMORY;
    insn->type = PTX_B64;
    insn->n_elements = 1;
    insn->register_bytes = 4;
    insn->space = (uint8_t)exec_space_of(source);
    if (ptx_has(source, ISA_DOT_TEST_WAIT) || ptx_has(source, ISA_DOT_TRY_WAIT))
        return form_test(decoder, insn, source) && simt_memory_op(insn, source);
    if (source->n_operands > 0 && source->operands[0].kind == PTX_OP_SINK) {
        next++;
    } else if (source->n_operands > 0 && source->operands[0].kind == PTX_OP_REG) {
        insn->d = exec_target_row(decoder, &source->operands[next++], 8);
        if (insn->d == SIMT_NO_ROW)
            return false;
    }
    if (next == source->n_operands ||
        !exec_fill_address(decoder, insn, &source->operands[next++]) ||
        (next < source->n_operands &&
         !fill_operand(decoder, insn, &source->operands[next++], PTX_B32)))
        return false;
    return next == source->n_operands && simt_memory_op(insn, source);
}

/* cp.async.mbarrier.arrive: copies are done at once, so .noinc arrives at once; without it, the
 * arrival that it adds is one more to wait for, and nothing is left to do. */
bool exec_form_copy_arrive(struct exec_decoder *decoder, struct simt_insn *insn,
                           const struct ptx_insn *source) {
    if (ptx_has(source, ISA_DOT_NOINC))
        return exec_form_mbarrier(decoder, insn, source);
    insn->flow = SIMT_FLOW_NEXT;
    insn->space = PTX_SHARED;
    return simt_memory_op(insn, source);
}
