/*
 * Loads, stores and atomics: where the rows of the address and of the elements are. What they do is
 * the memory subsystem's (simt_memory_op); only parameters are read here, as constants.
 */
#include <stdlib.h>

#include "common/simt/program/decode/decoder.h"

enum ptx_space exec_space_of(const struct ptx_insn *source) {
    for (unsigned i = 0; i < source->n_modifiers; i++) {
        const enum ptx_space space = isa_modifiers[source->modifiers[i]].space;
        if (space != PTX_REG)
            return space;
    }
    return PTX_GENERIC;
}

/* [register + bytes], [symbol + bytes] or [bytes]. */
bool exec_fill_address(struct exec_decoder *decoder, struct simt_insn *insn,
                       const struct ptx_operand *operand) {
    struct simt_symbol symbol;
    if (operand->kind != PTX_OP_ADDRESS || operand->n_elements != 0 || insn->space == PTX_REG)
        return false;
    insn->imm = operand->integer;
    if (operand->reg >= 0) {
        const enum ptx_type type = decoder->function->regs[operand->reg].type;
        if (type == PTX_PRED || ptx_type_bytes(type) < 4)
            return false;
        insn->a = decoder->places[operand->reg];
        insn->address_bytes = (uint8_t)exec_cell_bytes(type);
    } else if (operand->symbol) {
        if (exec_find_param(decoder, operand->symbol) ||
            !exec_find_symbol(decoder, operand->symbol, &symbol))
            return false;
        insn->imm += (int64_t)symbol.address;
        insn->address_bytes = 8;
        if (symbol.space == PTX_LOCAL) { /* relative to the frame */
            insn->a = exec_frame_row(decoder);
            insn->address_bytes = 4;
        }
    }
    return true;
}

/* The elements of a vector, or the operand itself as the only one. */
static const struct ptx_operand *elements_of(const struct ptx_operand *operand, size_t *n) {
    const bool is_vector = operand->kind == PTX_OP_VECTOR;
    *n = is_vector ? operand->n_elements : 1;
    return is_vector ? operand->elements : operand;
}

/* The rows of the elements; all registers of an access have cells of one size. */
static bool fill_elements(struct exec_decoder *decoder, struct simt_insn *insn,
                          const struct ptx_operand *operand, enum ptx_type type, bool is_load) {
    size_t n;
    const struct ptx_operand *const elements = elements_of(operand, &n);
    if (n != 1 && n != 2 && n != 4)
        return false;
    enum ptx_type cell = type;
    for (size_t k = 0; k < n; k++) {
        if (elements[k].kind == PTX_OP_REG)
            cell = decoder->function->regs[elements[k].reg].type;
    }
    insn->n_elements = (uint8_t)n;
    insn->register_bytes = (uint8_t)exec_cell_bytes(cell);
    for (size_t k = 0; k < n; k++) {
        if (is_load && elements[k].kind == PTX_OP_SINK)
            continue;
        insn->rows[k] = is_load ? exec_target_row(decoder, &elements[k], insn->register_bytes)
                                : exec_source_row(decoder, &elements[k], cell);
        if (insn->rows[k] == SIMT_NO_ROW)
            return false;
    }
    return true;
}

/* ld.param of a kernel: moves rows that hold the parameter's elements. */
static bool load_param(struct exec_decoder *decoder, struct simt_insn *insn,
                       const struct ptx_operand *address) {
    const enum ptx_type type = (enum ptx_type)insn->type;
    const struct ptx_var *const param =
        address->symbol && address->reg < 0 ? exec_find_param(decoder, address->symbol) : NULL;
    const unsigned bytes = ptx_type_bytes(type);
    const uint64_t all = (uint64_t)bytes * insn->n_elements;
    const struct exec_variant *const variant =
        exec_index_find(decoder->index, insn->register_bytes == 8 ? "param_b64" : "param_b32");
    if (!param || !variant || address->integer < 0 || bytes > 8 ||
        (uint64_t)address->integer + all > param->bytes)
        return false;
    uint32_t *const from[] = {&insn->a, &insn->b, &insn->c, &insn->d};
    for (unsigned k = 0; k < insn->n_elements; k++) {
        const struct simt_constant constant = {
            .bytes = insn->register_bytes,
            .is_param = true,
            .is_signed = type >= PTX_S8 && type <= PTX_S64,
            .param_bytes = (uint8_t)bytes,
            .value = param->offset + (uint64_t)address->integer + k * bytes,
        };
        *from[k] = exec_constant_row(decoder, &constant);
    }
    insn->flow = SIMT_FLOW_NEXT;
    insn->run_full = variant->full;
    insn->run_part = variant->part;
    return true;
}

/* A parameter that is none of the kernel's, seen by its name: a device function's own, or one of a
 * call. They lie in the frame. So do those of a device function when they are seen by address. */
static bool is_in_frame(const struct exec_decoder *decoder, const struct ptx_operand *address) {
    return address->reg >= 0 ? !decoder->function->is_entry
                             : address->symbol && !exec_find_param(decoder, address->symbol);
}

EXEC_FORM(exec_form_load) {
    insn->flow = SIMT_FLOW_MEMORY;
    insn->type = (uint8_t)ptx_insn_type(source, 0);
    insn->space = (uint8_t)exec_space_of(source);
    if (source->n_operands < 2 || insn->type == PTX_NO_TYPE)
        return false;
    const struct ptx_operand *const address = &source->operands[1];
    if (insn->space == PTX_PARAM && is_in_frame(decoder, address))
        insn->space = PTX_LOCAL;
    if (!fill_elements(decoder, insn, &source->operands[0], (enum ptx_type)insn->type, true))
        return false;
    if (insn->space == PTX_PARAM && address->reg < 0)
        return load_param(decoder, insn, address);
    return exec_fill_address(decoder, insn, address) && simt_memory_op(insn, source);
}

EXEC_FORM(exec_form_store) {
    insn->flow = SIMT_FLOW_MEMORY;
    insn->type = (uint8_t)ptx_insn_type(source, 0);
    insn->space = (uint8_t)exec_space_of(source);
    if (insn->space == PTX_PARAM && source->n_operands == 2 &&
        is_in_frame(decoder, &source->operands[0]))
        insn->space = PTX_LOCAL;
    return source->n_operands >= 2 && insn->type != PTX_NO_TYPE && insn->space != PTX_PARAM &&
           fill_elements(decoder, insn, &source->operands[1], (enum ptx_type)insn->type, false) &&
           exec_fill_address(decoder, insn, &source->operands[0]) && simt_memory_op(insn, source);
}

/* The operands of an atomic of a vector, and where the old values go: NULL for red. */
static bool fill_vector(struct exec_decoder *decoder, struct simt_insn *insn,
                        const struct ptx_operand *values, const struct ptx_operand *old) {
    const enum ptx_type type = (enum ptx_type)insn->type;
    const size_t n = values->n_elements, bytes = ptx_type_bytes(type);
    const bool wants_old = old && old->kind == PTX_OP_VECTOR;
    struct simt_vector *const vector = calloc(1, sizeof(*vector));
    if (!vector) {
        decoder->failed = SIMT_NO_MEMORY;
        return false;
    }
    vector->next = decoder->program->vectors;
    decoder->program->vectors = vector;
    if ((n != 2 && n != 4 && n != 8) || n * bytes > 16 || bytes > 4 ||
        (old && old->kind != PTX_OP_SINK && !wants_old) || (wants_old && old->n_elements != n))
        return false;
    insn->n_elements = (uint8_t)n;
    insn->vector = vector;
    for (size_t k = 0; k < n; k++) {
        const bool is_kept = wants_old && old->elements[k].kind != PTX_OP_SINK;
        vector->operands[k] = exec_source_row(decoder, &values->elements[k], type);
        vector->old[k] = is_kept ? exec_target_row(decoder, &old->elements[k], 4) : SIMT_NO_ROW;
        if (vector->operands[k] == SIMT_NO_ROW || (is_kept && vector->old[k] == SIMT_NO_ROW))
            return false;
    }
    return true;
}

/* A value of an atomic. */
static uint32_t value_row(struct exec_decoder *decoder, const struct ptx_operand *operand,
                          enum ptx_type type) {
    return type == PTX_B128 ? exec_wide_row(decoder, operand)
                            : exec_source_row(decoder, operand, type);
}

/* The address and the operands after it. */
static bool fill_atomic(struct exec_decoder *decoder, struct simt_insn *insn,
                        const struct ptx_insn *source, unsigned address) {
    const enum ptx_type type = (enum ptx_type)insn->type;
    uint32_t *const slots[] = {&insn->b, &insn->c};
    insn->flow = SIMT_FLOW_MEMORY;
    insn->space = (uint8_t)exec_space_of(source);
    insn->n_elements = 1;
    insn->register_bytes = (uint8_t)exec_cell_bytes(type);
    if (!exec_fill_address(decoder, insn, &source->operands[address]))
        return false;
    const struct ptx_operand *const values = &source->operands[address + 1];
    if (values->kind == PTX_OP_VECTOR)
        return fill_vector(decoder, insn, values, address ? &source->operands[0] : NULL) &&
               simt_memory_op(insn, source);
    for (unsigned k = 0; k < 2 && address + 1 + k < source->n_operands; k++) {
        *slots[k] = value_row(decoder, &source->operands[address + 1 + k], type);
        if (*slots[k] == SIMT_NO_ROW)
            return false;
    }
    return simt_memory_op(insn, source);
}

EXEC_FORM(exec_form_atomic) {
    insn->type = (uint8_t)ptx_insn_type(source, 0);
    if (source->n_operands < 3 || insn->type == PTX_NO_TYPE)
        return false;
    const struct ptx_operand *const old = &source->operands[0];
    if (old->kind != PTX_OP_SINK && old->kind != PTX_OP_VECTOR) {
        insn->d = insn->type == PTX_B128
                      ? exec_wide_row(decoder, old)
                      : exec_target_row(decoder, old, exec_cell_bytes((enum ptx_type)insn->type));
        if (insn->d == SIMT_NO_ROW)
            return false;
    }
    return fill_atomic(decoder, insn, source, 1);
}

EXEC_FORM(exec_form_reduction) {
    insn->type = (uint8_t)ptx_insn_type(source, 0);
    return source->n_operands >= 2 && insn->type != PTX_NO_TYPE &&
           fill_atomic(decoder, insn, source, 0);
}
