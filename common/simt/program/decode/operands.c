/*
 * The operands of an instruction: each becomes a row, a predicate or an immediate, by the type that
 * the signature of its variant gives it.
 */
#include <string.h>

#include "common/simt/program/decode/decoder.h"

static const struct ptx_reg *reg_of(const struct exec_decoder *decoder,
                                    const struct ptx_operand *operand) {
    return &decoder->function->regs[operand->reg];
}

/* A literal of `type`: cut to the cell, floating point converted where its width is another. */
static uint32_t literal_row(struct exec_decoder *decoder, uint64_t value, enum ptx_type type) {
    const unsigned bytes = exec_cell_bytes(type);
    const struct simt_constant constant = {.bytes = (uint8_t)bytes,
                                           .value = bytes == 4 ? (uint32_t)value : value};
    return exec_constant_row(decoder, &constant);
}

static uint32_t float_row(struct exec_decoder *decoder, const struct ptx_operand *operand,
                          enum ptx_type type) {
    const uint64_t bits = (uint64_t)operand->integer;
    const unsigned wanted = exec_cell_bytes(type), given = exec_cell_bytes(operand->type);
    if (wanted == given)
        return literal_row(decoder, bits, type);
    union {
        uint64_t bits;
        double value;
    } wide = {.bits = bits};
    union {
        uint32_t bits;
        float value;
    } narrow = {.bits = (uint32_t)bits};
    if (wanted == 4)
        narrow.value = (float)wide.value;
    else
        wide.value = narrow.value;
    return literal_row(decoder, wanted == 4 ? narrow.bits : wide.bits, type);
}

static uint32_t symbol_row(struct exec_decoder *decoder, const struct ptx_operand *operand,
                           enum ptx_type type) {
    struct simt_symbol symbol;
    const struct ptx_var *const param = exec_find_param(decoder, operand->symbol);
    if (param)
        return literal_row(decoder, param->offset + (uint64_t)operand->integer, type);
    if (!exec_find_symbol(decoder, operand->symbol, &symbol) ||
        (symbol.space == PTX_LOCAL && !decoder->function->is_entry))
        return SIMT_NO_ROW;
    return literal_row(decoder, symbol.address + (uint64_t)operand->integer, type);
}

uint32_t exec_source_row(struct exec_decoder *decoder, const struct ptx_operand *operand,
                         enum ptx_type type) {
    switch (operand->kind) {
    case PTX_OP_REG:
        return exec_target_row(decoder, operand, exec_cell_bytes(type));
    case PTX_OP_INT:
        return literal_row(decoder, (uint64_t)operand->integer, type);
    case PTX_OP_FLOAT:
        return float_row(decoder, operand, type);
    case PTX_OP_SYMBOL:
        return symbol_row(decoder, operand, type);
    case PTX_OP_SPECIAL:
        return exec_cell_bytes(type) == 4 ? exec_special_row(decoder, operand->symbol)
                                          : SIMT_NO_ROW;
    default:
        return SIMT_NO_ROW;
    }
}

uint32_t exec_target_row(struct exec_decoder *decoder, const struct ptx_operand *operand,
                         unsigned cell_bytes) {
    if (operand->kind == PTX_OP_SINK) {
        uint32_t *const sink = cell_bytes == 4 ? &decoder->sink32 : &decoder->sink64;
        if (*sink == SIMT_NO_ROW)
            *sink = exec_new_row(decoder, cell_bytes);
        return *sink;
    }
    if (operand->kind != PTX_OP_REG || operand->negated)
        return SIMT_NO_ROW;
    const enum ptx_type type = reg_of(decoder, operand)->type;
    const bool fits = type != PTX_PRED && ptx_type_bytes(type) <= 8;
    return fits && exec_cell_bytes(type) == cell_bytes ? decoder->places[operand->reg]
                                                       : SIMT_NO_ROW;
}

uint32_t exec_wide_row(struct exec_decoder *decoder, const struct ptx_operand *operand) {
    if (operand->kind == PTX_OP_SINK)
        return exec_new_row(decoder, EXEC_WIDE_BYTES);
    const bool fits = operand->kind == PTX_OP_REG && !operand->negated &&
                      reg_of(decoder, operand)->type == PTX_B128;
    return fits ? decoder->places[operand->reg] : SIMT_NO_ROW;
}

/* A predicate that stands for none in PTX. */
static uint32_t hidden_pred(struct exec_decoder *decoder, uint32_t *pred) {
    if (*pred == SIMT_NO_ROW)
        *pred = decoder->program->n_preds++;
    return *pred;
}

uint32_t exec_pred(struct exec_decoder *decoder, const struct ptx_operand *operand) {
    if (operand->kind == PTX_OP_SINK)
        return hidden_pred(decoder, &decoder->sink_pred);
    const bool fits = operand->kind == PTX_OP_REG && reg_of(decoder, operand)->type == PTX_PRED;
    return fits ? decoder->places[operand->reg] : SIMT_NO_ROW;
}

/* Walk of a signature: the next word, and the slots that sources go to. */
struct filling {
    struct exec_decoder *decoder;
    struct simt_insn *insn;
    const struct ptx_insn *source;
    unsigned next;  /* operand */
    unsigned slots; /* sources filled so far */
};

/* One word of a signature that is an operand. */
static bool fill_operand(struct filling *f, const char *word) {
    const struct ptx_operand *const operand = &f->source->operands[f->next++];
    if (strcmp(word, "imm") == 0) {
        f->insn->imm = operand->integer;
        return operand->kind == PTX_OP_INT;
    }
    if (strcmp(word, "member") == 0) {
        f->insn->rows[0] = exec_source_row(f->decoder, operand, PTX_B32);
        return f->insn->rows[0] != SIMT_NO_ROW;
    }
    uint32_t *const slots[] = {&f->insn->a, &f->insn->b, &f->insn->c, &f->insn->rows[1]};
    if (f->slots == sizeof(slots) / sizeof(slots[0]))
        return false;
    uint32_t *const slot = slots[f->slots];
    const enum ptx_type type = ptx_type_of(word);
    if (type == PTX_PRED && operand->negated)
        f->insn->imm_flags |= (uint8_t)(1u << f->slots);
    *slot = type == PTX_PRED ? exec_pred(f->decoder, operand)
                             : exec_source_row(f->decoder, operand, type);
    f->slots++;
    return *slot != SIMT_NO_ROW;
}

static bool fill_word(struct filling *f, const char *word) {
    if (word[0] == '#') {
        f->insn->imm = word[1] - '0';
        return true;
    }
    if (strcmp(word, "carry") == 0) {
        f->insn->d2 = hidden_pred(f->decoder, &f->decoder->carry_pred);
        return true;
    }
    const bool optional = word[0] == '?';
    if (f->next >= f->source->n_operands)
        return optional;
    return fill_operand(f, word + optional);
}

/* The destination, and with d|p the predicate. */
static bool fill_target(struct filling *f, const char *word) {
    const struct ptx_insn *const source = f->source;
    if (source->n_operands == 0 || (source->paired && source->n_operands < 2))
        return false;
    const enum ptx_type type = ptx_type_of(word);
    f->insn->d = type == PTX_PRED
                     ? exec_pred(f->decoder, &source->operands[0])
                     : exec_target_row(f->decoder, &source->operands[0], exec_cell_bytes(type));
    f->next = 1;
    if (source->paired)
        f->insn->d2 = exec_pred(f->decoder, &source->operands[f->next++]);
    return f->insn->d != SIMT_NO_ROW && (!source->paired || f->insn->d2 != SIMT_NO_ROW);
}

bool exec_fill(struct exec_decoder *decoder, struct simt_insn *insn, const struct ptx_insn *source,
               const struct exec_variant *variant) {
    struct filling f = {.decoder = decoder, .insn = insn, .source = source};
    const char *at = variant->signature;
    for (bool first = true; *at; first = false) {
        char word[16];
        const size_t length = strcspn(at, ",");
        if (length >= sizeof(word))
            return false;
        memcpy(word, at, length);
        word[length] = '\0';
        if (!(first ? fill_target(&f, word) : fill_word(&f, word)))
            return false;
        at += length + (at[length] == ',');
    }
    insn->run_full = variant->full;
    insn->run_part = variant->part;
    return f.next == source->n_operands;
}
