/*
 * cp.async: copies of 4, 8 or 16 bytes from global to shared memory. The simulator copies at once,
 * so waiting for a group has nothing to do.
 */
#include <string.h>

#include "common/simt/exec/decoder.h"

/* The row of an address register; SIMT_NO_ROW where the operand is no [register + bytes]. */
static uint32_t address_row(const struct exec_decoder *decoder, const struct ptx_operand *operand,
                            unsigned *cell_bytes) {
    if (operand->kind != PTX_OP_ADDRESS || operand->reg < 0 || operand->n_elements)
        return SIMT_NO_ROW;
    *cell_bytes = exec_cell_bytes(decoder->function->regs[operand->reg].type);
    return decoder->places[operand->reg];
}

static bool fill_copy(struct exec_decoder *decoder, struct simt_insn *insn,
                      const struct ptx_insn *source) {
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

bool exec_form_copy(struct exec_decoder *decoder, struct simt_insn *insn,
                    const struct ptx_insn *source) {
    insn->flow = SIMT_FLOW_NEXT;
    if (!ptx_has(source, "async") || ptx_has(source, "bulk") || ptx_has(source, "mbarrier"))
        return false;
    if (ptx_has(source, "commit_group") || ptx_has(source, "wait_group") ||
        ptx_has(source, "wait_all"))
        return true;
    insn->flow = SIMT_FLOW_MEMORY;
    if (source->n_operands < 3 || source->n_operands > 4 || !fill_copy(decoder, insn, source))
        return false;
    if (source->n_operands == 4) /* how many bytes come from memory; the rest is zero */
        insn->c = exec_source_row(decoder, &source->operands[3], PTX_U32);
    return (source->n_operands == 3 || insn->c != SIMT_NO_ROW) && simt_memory_op(insn, source);
}
