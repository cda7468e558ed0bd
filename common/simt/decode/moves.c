/*
 * mov and cvt: their operands choose the variant, not their modifiers alone.
 */
#include <stdio.h>
#include <string.h>

#include "common/simt/decode/decoder.h"

/* mov between one register and a vector of smaller ones: pack_b64_b32, unpack_b32_b16 … */
static bool form_vector_mov(struct exec_decoder *decoder, struct simt_insn *insn,
                            const struct ptx_insn *source, bool packs) {
    const struct ptx_operand *const vector = &source->operands[packs];
    const unsigned bytes = ptx_type_bytes(ptx_insn_type(source, 0));
    const size_t n = vector->n_elements;
    if (n == 0 || n > 4)
        return false;
    char key[32];
    const unsigned part_bytes = bytes / (unsigned)n;
    const enum ptx_type part = part_bytes == 8   ? PTX_B64
                               : part_bytes == 4 ? PTX_B32
                               : part_bytes == 2 ? PTX_B16
                                                 : PTX_B8;
    snprintf(key, sizeof(key), "%s_b%u_b%u", packs ? "pack" : "unpack", 8 * bytes, 8 * part_bytes);
    const struct exec_variant *const variant = exec_index_find(decoder->index, key);
    if (!variant)
        return false;
    for (size_t k = 0; k < n; k++) {
        const struct ptx_operand *const element = &vector->elements[k];
        insn->rows[k] = packs ? exec_source_row(decoder, element, part)
                              : exec_target_row(decoder, element, exec_cell_bytes(part));
        if (insn->rows[k] == SIMT_NO_ROW)
            return false;
    }
    const enum ptx_type whole = bytes == 8 ? PTX_B64 : PTX_B32;
    const uint32_t row =
        bytes == EXEC_WIDE_BYTES ? exec_wide_row(decoder, &source->operands[!packs])
        : packs ? exec_target_row(decoder, &source->operands[0], exec_cell_bytes(whole))
                : exec_source_row(decoder, &source->operands[1], whole);
    *(packs ? &insn->d : &insn->a) = row;
    insn->run_full = variant->full;
    insn->run_part = variant->part;
    return row != SIMT_NO_ROW;
}

/* A mov whose source is no row: its own variant, and cells of the destination. */
static bool form_odd_mov(struct exec_decoder *decoder, struct simt_insn *insn,
                         const struct ptx_insn *source, const char *key) {
    const struct exec_variant *const variant = exec_index_find(decoder->index, key);
    if (!variant)
        return false;
    struct ptx_insn without = *source;
    without.n_operands = 1;
    return exec_fill(decoder, insn, &without, variant);
}

/* mov of the address of a local variable, in a device function: relative to the frame. */
static bool form_frame_mov(struct exec_decoder *decoder, struct simt_insn *insn,
                           const struct ptx_insn *source, uint64_t offset) {
    const bool is_wide = ptx_type_bytes(ptx_insn_type(source, 0)) == 8;
    insn->a = exec_frame_row(decoder);
    insn->imm = (int64_t)offset + source->operands[1].integer;
    return form_odd_mov(decoder, insn, source, is_wide ? "frame_u64" : "frame_u32");
}

bool exec_form_mov(struct exec_decoder *decoder, struct simt_insn *insn,
                   const struct ptx_insn *source) {
    /* Special registers that change while the warp lives. */
    static const struct {
        const char *word, *key;
    } clocks[] = {
        {"%clock", "clock_u32"},
        {"%clock64", "clock_u64"},
        {"%clock_hi", "clock_hi_u32"},
        {"%globaltimer", "globaltimer_u64"},
        {"%globaltimer_lo", "globaltimer_u32"},
        {"%globaltimer_hi", "globaltimer_hi_u32"},
    };
    if (source->n_operands != 2)
        return false;
    insn->flow = SIMT_FLOW_NEXT;
    const struct ptx_operand *const from = &source->operands[1];
    if (source->operands[0].kind == PTX_OP_VECTOR || from->kind == PTX_OP_VECTOR)
        return form_vector_mov(decoder, insn, source, from->kind == PTX_OP_VECTOR);
    /* Each cta is a cluster that nobody asked for. */
    if (from->kind == PTX_OP_SPECIAL && strcmp(from->symbol, "%is_explicit_cluster") == 0)
        return form_odd_mov(decoder, insn, source, "false_pred");
    if (ptx_insn_type(source, 0) == PTX_PRED && from->kind == PTX_OP_INT)
        return form_odd_mov(decoder, insn, source, from->integer ? "true_pred" : "false_pred");
    struct simt_symbol symbol;
    if (from->kind == PTX_OP_SYMBOL && !decoder->function->is_entry) {
        if (!exec_find_symbol(decoder, from->symbol, &symbol))
            return false;
        if (symbol.space == PTX_LOCAL)
            return form_frame_mov(decoder, insn, source, symbol.address);
    }
    for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
        if (from->kind == PTX_OP_SPECIAL && strcmp(from->symbol, clocks[i].word) == 0)
            return form_odd_mov(decoder, insn, source, clocks[i].key);
    }
    return exec_form_operation(decoder, insn, source);
}

/* The types that cast.c reads and writes. */
static bool can_cast(enum ptx_type type) {
    return (type >= PTX_U8 && type <= PTX_S64) || type == PTX_F32 || type == PTX_F64 ||
           type == PTX_F16 || type == PTX_BF16;
}

/* The conversion of any type to any other, in any mode: cast.c. False where a modifier is none
 * that it knows. */
static bool form_cast(struct exec_decoder *decoder, struct simt_insn *insn,
                      const struct ptx_insn *source) {
    static const bool known[ISA_N_MODIFIERS] = {
        [ISA_DOT_RN] = true,  [ISA_DOT_RZ] = true,  [ISA_DOT_RM] = true,   [ISA_DOT_RP] = true,
        [ISA_DOT_RNI] = true, [ISA_DOT_RZI] = true, [ISA_DOT_RMI] = true,  [ISA_DOT_RPI] = true,
        [ISA_DOT_FTZ] = true, [ISA_DOT_SAT] = true, [ISA_DOT_RELU] = true,
    };
    static const uint8_t whole[ISA_N_MODIFIERS] = {
        [ISA_DOT_RNI] = 1, [ISA_DOT_RZI] = 2, [ISA_DOT_RMI] = 3, [ISA_DOT_RPI] = 4};
    for (unsigned i = 0; i < source->n_modifiers; i++) {
        const enum isa_modifier modifier = source->modifiers[i];
        if (!known[modifier] && ptx_modifier_type(modifier) == PTX_NO_TYPE)
            return false;
        insn->n_elements |= modifier == ISA_DOT_RELU;
        if (whole[modifier])
            insn->imm = whole[modifier];
    }
    const enum ptx_type to = ptx_insn_type(source, 0), from = ptx_insn_type(source, 1);
    const struct ptx_operand *const d = &source->operands[0], *const a = &source->operands[1];
    const struct exec_variant *const variant = exec_index_find(decoder->index, "cvt");
    if (!variant || !can_cast(to) || !can_cast(from) || d->kind != PTX_OP_REG)
        return false;
    const struct ptx_reg *const regs = decoder->function->regs;
    const enum ptx_type source_cell = a->kind == PTX_OP_REG ? regs[a->reg].type : from;
    insn->type = (uint8_t)to;
    insn->rows[1] = from;
    insn->register_bytes = (uint8_t)ptx_type_bytes(regs[d->reg].type);
    insn->address_bytes = (uint8_t)exec_cell_bytes(source_cell);
    insn->d = exec_target_row(decoder, d, exec_cell_bytes(regs[d->reg].type));
    insn->a = exec_source_row(decoder, a, source_cell);
    insn->run_full = variant->full;
    insn->run_part = variant->part;
    return insn->d != SIMT_NO_ROW && insn->a != SIMT_NO_ROW;
}

/* cvt: the vector forms where the registers are just as wide as the types, else cast.c. */
bool exec_form_cvt(struct exec_decoder *decoder, struct simt_insn *insn,
                   const struct ptx_insn *source) {
    if (source->n_operands == 3) /* two floats to a pair */
        return exec_form_operation(decoder, insn, source);
    if (source->n_operands != 2)
        return false;
    const struct simt_insn blank = *insn;
    const struct ptx_operand *const d = &source->operands[0];
    const enum ptx_type to = ptx_insn_type(source, 0);
    if (d->kind == PTX_OP_REG &&
        ptx_type_bytes(decoder->function->regs[d->reg].type) == ptx_type_bytes(to) &&
        exec_form_operation(decoder, insn, source))
        return true;
    *insn = blank;
    insn->imm_flags = exec_mode_flags(source);
    insn->flow = SIMT_FLOW_NEXT;
    return form_cast(decoder, insn, source);
}
