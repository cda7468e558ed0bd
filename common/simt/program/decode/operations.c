/*
 * Plain operations: the key by which an instruction's row of ops/ is found is made of its opcode
 * and its modifiers (variants.h says how). Of mov and cvt the operands choose the row, too.
 */
#include <stdio.h>
#include <string.h>

#include "common/simt/program/decode/decoder.h"

enum { KEY_BYTES = 96 };

/* Modifiers that are no part of a key but bits of imm_flags. */
static const struct {
    bool is_mode;
    uint8_t flags;
} modes[ISA_N_MODIFIERS] = {
    [ISA_DOT_RN] = {true, EXEC_RN << EXEC_ROUND_SHIFT},
    [ISA_DOT_RZ] = {true, EXEC_RZ << EXEC_ROUND_SHIFT},
    [ISA_DOT_RM] = {true, EXEC_RM << EXEC_ROUND_SHIFT},
    [ISA_DOT_RP] = {true, EXEC_RP << EXEC_ROUND_SHIFT},
    [ISA_DOT_FTZ] = {true, EXEC_FTZ},
    [ISA_DOT_SAT] = {true, EXEC_SAT},
};

/* The bits of imm_flags that an instruction's rounding, .ftz and .sat make. */
static uint8_t mode_flags(const struct ptx_insn *source) {
    uint8_t flags = 0;
    for (unsigned i = 0; i < source->n_modifiers; i++)
        flags |= modes[source->modifiers[i]].flags;
    return flags;
}

/* The modifier that stands for another one in a key; with `untyped`, that of its bits. */
static enum isa_modifier key_modifier(enum isa_modifier modifier, bool untyped) {
    static const uint8_t bits[ISA_N_MODIFIERS] = {
        [ISA_DOT_U8] = ISA_DOT_B8,   [ISA_DOT_S8] = ISA_DOT_B8,   [ISA_DOT_U16] = ISA_DOT_B16,
        [ISA_DOT_S16] = ISA_DOT_B16, [ISA_DOT_U32] = ISA_DOT_B32, [ISA_DOT_S32] = ISA_DOT_B32,
        [ISA_DOT_U64] = ISA_DOT_B64, [ISA_DOT_S64] = ISA_DOT_B64,
    };
    if (isa_modifiers[modifier].space == PTX_SHARED)
        return ISA_DOT_SHARED;
    if (modifier == ISA_DOT_PARAM_ENTRY)
        return ISA_DOT_PARAM;
    return untyped && bits[modifier] ? (enum isa_modifier)bits[modifier] : modifier;
}

/* setp and set keep .ftz and the combination in fields that all their rows look at. */
static bool compares(const struct ptx_insn *source) {
    return source->opcode == ISA_SETP || source->opcode == ISA_SET;
}

static enum exec_combine combine_of(enum isa_modifier modifier) {
    return modifier == ISA_DOT_AND   ? EXEC_COMBINE_AND
           : modifier == ISA_DOT_OR  ? EXEC_COMBINE_OR
           : modifier == ISA_DOT_XOR ? EXEC_COMBINE_XOR
                                     : EXEC_COMBINE_NONE;
}

/* A key that grows word by word; one that is too long is none. */
struct key {
    char text[KEY_BYTES];
    size_t length;
};

static void add_word(struct key *key, const char *word) {
    const size_t length = strlen(word), at = key->length ? key->length + 1 : 0;
    if (at + length < KEY_BYTES) {
        if (at)
            key->text[at - 1] = '_';
        memcpy(key->text + at, word, length + 1);
    }
    key->length = at + length;
}

/* Writes the key; bit n of `untyped` is for the n-th modifier from the end that is a type. */
static bool make_key(struct key *key, struct simt_insn *insn, const struct ptx_insn *source,
                     const char *name, unsigned untyped) {
    const bool compare = compares(source);
    unsigned n_types = 0;
    for (unsigned i = 0; i < source->n_modifiers; i++)
        n_types += ptx_modifier_type(source->modifiers[i]) != PTX_NO_TYPE;
    key->length = 0;
    add_word(key, name);
    insn->imm_flags = mode_flags(source);
    for (unsigned i = 0; i < source->n_modifiers; i++) {
        const enum isa_modifier modifier = source->modifiers[i];
        const bool is_type = ptx_modifier_type(modifier) != PTX_NO_TYPE;
        n_types -= is_type;
        if (compare && combine_of(modifier))
            insn->imm = combine_of(modifier);
        else if (!modes[modifier].is_mode)
            add_word(key,
                     isa_modifiers[key_modifier(modifier, is_type && untyped >> n_types & 1)].word);
    }
    if (insn->imm_flags != 0 && !compare)
        add_word(key, "mode");
    return key->length < KEY_BYTES;
}

/* Types as written; then the last, the first, both as bits. */
static const struct exec_variant *find_variant(const struct exec_decoder *decoder,
                                               struct simt_insn *insn,
                                               const struct ptx_insn *source, const char *name) {
    struct key key;
    for (unsigned untyped = 0; untyped < 4; untyped++) {
        if (!make_key(&key, insn, source, name, untyped))
            return NULL;
        const struct exec_variant *const variant = exec_index_find(decoder->index, key.text);
        if (variant)
            return variant;
    }
    return NULL;
}

/* A *_sync operation: the scheduler gathers the lanes first. */
static bool gathers(enum isa_flow flow) {
    return flow == ISA_FLOW_SHUFFLE || flow == ISA_FLOW_VOTE || flow == ISA_FLOW_WARP;
}

bool exec_form_named(struct exec_decoder *decoder, struct simt_insn *insn,
                     const struct ptx_insn *source, const char *name) {
    const struct exec_variant *const variant = find_variant(decoder, insn, source, name);
    if (!variant)
        return false;
    insn->flow = gathers(isa_opcodes[source->opcode].flow) ? SIMT_FLOW_SYNC : SIMT_FLOW_NEXT;
    insn->type = (uint8_t)ptx_insn_type(source, 0);
    return exec_fill(decoder, insn, source, variant);
}

EXEC_FORM(exec_form_operation) {
    return exec_form_named(decoder, insn, source, isa_opcodes[source->opcode].word);
}

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

EXEC_FORM(exec_form_mov) {
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

/* The types between which the general cvt converts. */
static bool can_cast(enum ptx_type type) {
    return (type >= PTX_U8 && type <= PTX_S64) || type == PTX_F32 || type == PTX_F64 ||
           type == PTX_F16 || type == PTX_BF16;
}

/* The conversion of any type to any other, in any mode, a lane at a time. False where a modifier is
 * none that it knows. */
static EXEC_FORM(form_cast) {
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

/* cvt: the vector forms where the registers are just as wide as the types, else the general one. */
EXEC_FORM(exec_form_cvt) {
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
    insn->imm_flags = mode_flags(source);
    insn->flow = SIMT_FLOW_NEXT;
    return form_cast(decoder, insn, source);
}
