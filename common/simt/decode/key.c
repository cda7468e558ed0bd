/*
 * From an instruction to its variant: the key is made of opcode and modifiers (variants.h says
 * how), and a few opcodes have a key of their own making.
 */
#include <string.h>

#include "common/simt/decode/decoder.h"

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

uint8_t exec_mode_flags(const struct ptx_insn *source) {
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
    insn->imm_flags = exec_mode_flags(source);
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

bool exec_form_operation(struct exec_decoder *decoder, struct simt_insn *insn,
                         const struct ptx_insn *source) {
    return exec_form_named(decoder, insn, source, isa_opcodes[source->opcode].word);
}
