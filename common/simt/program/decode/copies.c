/*
 * cp.async: copies of 4, 8 or 16 bytes from global to shared memory. The simulator copies at once;
 * only the checks look at the waits for groups. So it does with cp.async.bulk, copies of any
 * multiple of 16 bytes by one thread.
 *
 * mbarrier: where the operands are. What it does with the object in shared memory is the memory
 * subsystem's (simt_memory_op). d is the row of the state that arrive returns (SIMT_NO_ROW: none),
 * or the predicate of a test; b is the row of the count, of the bytes, of the token or of the
 * parity. register_bytes tells the last two apart: 8 for a token, 4 otherwise.
 */
#include "common/simt/program/decode/decoder.h"

/* The row of an address register; SIMT_NO_ROW where the operand is no [register + bytes]. */
static uint32_t address_row(const struct exec_decoder *decoder, const struct ptx_operand *operand,
                            unsigned *cell_bytes) {
    if (operand->kind != PTX_OP_ADDRESS || operand->reg < 0 || operand->n_elements)
        return SIMT_NO_ROW;
    *cell_bytes = exec_cell_bytes(decoder->function->regs[operand->reg].type);
    return decoder->places[operand->reg];
}

static EXEC_FORM(fill_copy) {
    const struct ptx_operand *const to = &source->operands[0], *const from = &source->operands[1];
    const int64_t bytes = source->operands[2].integer;
    unsigned to_bytes = 0, from_bytes = 0;
    insn->a = address_row(decoder, to, &to_bytes);
    insn->b = address_row(decoder, from, &from_bytes);
    if (insn->a == SIMT_NO_ROW || insn->b == SIMT_NO_ROW || from_bytes != 8 ||
        source->operands[2].kind != PTX_OP_INT || (bytes != 4 && bytes != 8 && bytes != 16))
        return false;
    insn->imm = to->integer;
    insn->target = (uint32_t)(int32_t)from->integer;
    insn->address_bytes = (uint8_t)to_bytes;
    insn->register_bytes = 4;
    insn->type = PTX_B32;
    insn->space = PTX_SHARED;
    insn->n_elements = (uint8_t)(bytes / 4);
    for (unsigned k = 0; k < insn->n_elements; k++)
        insn->rows[k] = exec_new_row(decoder, 4);
    return true;
}

/* cp.async.bulk: [to], [from], bytes, and [mbarrier] where one is told. */
static EXEC_FORM(form_bulk) {
    const bool to_global = source->n_modifiers > 2 && source->modifiers[2] == ISA_DOT_GLOBAL;
    const bool tells = ptx_has(source, ISA_DOT_COMPLETES);
    const bool from_global = !to_global && ptx_has(source, ISA_DOT_GLOBAL);
    unsigned to_bytes = 0, from_bytes = 0, told_bytes = 4;
    if (ptx_has(source, ISA_DOT_PREFETCH))
        return true;
    if (to_global == from_global || source->n_operands != 3u + tells)
        return false; /* within shared memory: between the ctas of a cluster */
    const struct ptx_operand *const operands = source->operands;
    insn->flow = SIMT_FLOW_MEMORY;
    insn->type = PTX_B32;
    insn->register_bytes = 4;
    insn->n_elements = 4;
    insn->space = to_global ? PTX_GLOBAL : PTX_SHARED;
    insn->imm_flags = from_global ? PTX_GLOBAL : PTX_SHARED;
    insn->a = address_row(decoder, &operands[0], &to_bytes);
    insn->b = address_row(decoder, &operands[1], &from_bytes);
    insn->c = exec_source_row(decoder, &operands[2], PTX_U32);
    insn->imm = operands[0].integer;
    insn->target = (uint32_t)(int32_t)operands[1].integer;
    insn->address_bytes = (uint8_t)to_bytes;
    if (tells) {
        insn->d = address_row(decoder, &operands[3], &told_bytes);
        insn->reconverge = (uint32_t)(int32_t)operands[3].integer;
    }
    for (unsigned k = 0; k < insn->n_elements; k++)
        insn->rows[k] = exec_new_row(decoder, 4);
    return insn->a != SIMT_NO_ROW && insn->b != SIMT_NO_ROW && insn->c != SIMT_NO_ROW &&
           (!tells || insn->d != SIMT_NO_ROW) && to_bytes == (to_global ? 8 : 4) &&
           from_bytes == (from_global ? 8 : 4) && told_bytes == 4 && simt_memory_op(insn, source);
}

/* How many bytes come from memory, or a predicate by which none do; the rest is zero. */
static bool fill_part(struct exec_decoder *decoder, struct simt_insn *insn,
                      const struct ptx_operand *operand) {
    const bool is_pred =
        operand->kind == PTX_OP_REG && decoder->function->regs[operand->reg].type == PTX_PRED;
    if (is_pred)
        insn->d = exec_pred(decoder, operand);
    else
        insn->c = exec_source_row(decoder, operand, PTX_U32);
    return !operand->negated && (is_pred ? insn->d : insn->c) != SIMT_NO_ROW;
}

/* d = pending_count of a state. */
static EXEC_FORM(form_pending_count) {
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
static EXEC_FORM(form_test) {
    if (source->n_operands < 3)
        return false;
    insn->register_bytes = ptx_has(source, ISA_DOT_PARITY) ? 4 : 8;
    insn->d = exec_pred(decoder, &source->operands[0]);
    return insn->d != SIMT_NO_ROW && exec_fill_address(decoder, insn, &source->operands[1]) &&
           fill_operand(decoder, insn, &source->operands[2],
                        insn->register_bytes == 8 ? PTX_B64 : PTX_B32);
}

EXEC_FORM(exec_form_mbarrier) {
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
static EXEC_FORM(form_copy_arrive) {
    if (ptx_has(source, ISA_DOT_NOINC))
        return exec_form_mbarrier(decoder, insn, source);
    insn->flow = SIMT_FLOW_NEXT;
    insn->space = PTX_SHARED;
    return simt_memory_op(insn, source);
}

EXEC_FORM(exec_form_copy) {
    insn->flow = SIMT_FLOW_NEXT;
    if (!ptx_has(source, ISA_DOT_ASYNC))
        return false;
    if (ptx_has(source, ISA_DOT_COMMIT_GROUP) || ptx_has(source, ISA_DOT_WAIT_GROUP) ||
        ptx_has(source, ISA_DOT_WAIT_ALL)) {
        insn->space = PTX_SHARED;
        insn->imm = source->n_operands == 1 ? source->operands[0].integer : 0;
        return simt_memory_op(insn, source);
    }
    if (ptx_has(source, ISA_DOT_BULK))
        return form_bulk(decoder, insn, source);
    if (ptx_has(source, ISA_DOT_MBARRIER))
        return form_copy_arrive(decoder, insn, source);
    insn->flow = SIMT_FLOW_MEMORY;
    if (source->n_operands < 3 || source->n_operands > 4 || !fill_copy(decoder, insn, source))
        return false;
    return (source->n_operands == 3 || fill_part(decoder, insn, &source->operands[3])) &&
           simt_memory_op(insn, source);
}
