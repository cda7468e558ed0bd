/*
 * From an instruction to its variant: the key is made of opcode and modifiers (variants.h says
 * how), and a few opcodes have a key of their own making.
 */
#include <stdio.h>
#include <string.h>

#include "common/simt/decode/decoder.h"

enum { KEY_BYTES = 96 };

/* Modifiers that are no part of a key. */
static const struct {
    const char *word;
    uint8_t flags;
} modes[] = {
    {"rn", EXEC_RN << EXEC_ROUND_SHIFT},
    {"rz", EXEC_RZ << EXEC_ROUND_SHIFT},
    {"rm", EXEC_RM << EXEC_ROUND_SHIFT},
    {"rp", EXEC_RP << EXEC_ROUND_SHIFT},
    {"ftz", EXEC_FTZ},
    {"sat", EXEC_SAT},
};

static const struct {
    const char *word;
    enum exec_combine combine;
} combines[] = {{"and", EXEC_COMBINE_AND}, {"or", EXEC_COMBINE_OR}, {"xor", EXEC_COMBINE_XOR}};

/* Takes a modifier that is a mode. */
static bool take_mode(struct simt_insn *insn, const char *word) {
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (strcmp(modes[i].word, word) == 0) {
            insn->imm_flags |= modes[i].flags;
            return true;
        }
    }
    return false;
}

uint8_t exec_mode_flags(const struct ptx_insn *source) {
    struct simt_insn insn = {0};
    for (unsigned i = 0; i < source->n_modifiers; i++)
        take_mode(&insn, source->modifiers[i]);
    return insn.imm_flags;
}

static bool take_combine(struct simt_insn *insn, const char *word) {
    for (size_t i = 0; i < sizeof(combines) / sizeof(combines[0]); i++) {
        if (strcmp(combines[i].word, word) == 0) {
            insn->imm = combines[i].combine;
            return true;
        }
    }
    return false;
}

/* The word that stands for a modifier in a key; with `untyped`, that of its bits. */
static const char *key_word(const char *word, bool untyped) {
    static const char *const bits[][2] = {
        {"u16", "b16"}, {"s16", "b16"}, {"u32", "b32"}, {"s32", "b32"},
        {"u64", "b64"}, {"s64", "b64"}, {"u8", "b8"},   {"s8", "b8"},
    };
    /* A cluster of one cta has no other's shared memory. */
    if (strcmp(word, "shared::cta") == 0 || strcmp(word, "shared::cluster") == 0)
        return "shared";
    if (strcmp(word, "param::entry") == 0)
        return "param";
    for (size_t i = 0; untyped && i < sizeof(bits) / sizeof(bits[0]); i++) {
        if (strcmp(bits[i][0], word) == 0)
            return bits[i][1];
    }
    return word;
}

/* setp and set keep .ftz and the combination in fields that all their rows look at. */
static bool compares(const struct ptx_insn *source) {
    return strcmp(source->opcode, "setp") == 0 || strcmp(source->opcode, "set") == 0;
}

/* Writes the key; bit n of `untyped` is for the n-th modifier from the end that is a type. */
static bool make_key(char key[KEY_BYTES], struct simt_insn *insn, const struct ptx_insn *source,
                     unsigned untyped) {
    const bool compare = compares(source);
    unsigned n_types = 0;
    for (unsigned i = 0; i < source->n_modifiers; i++)
        n_types += ptx_type_of(source->modifiers[i]) != PTX_NO_TYPE;
    int length = snprintf(key, KEY_BYTES, "%s", source->opcode);
    insn->imm_flags = 0;
    for (unsigned i = 0; i < source->n_modifiers && length < KEY_BYTES; i++) {
        const char *const word = source->modifiers[i];
        const bool is_type = ptx_type_of(word) != PTX_NO_TYPE;
        n_types -= is_type;
        if (take_mode(insn, word) || (compare && take_combine(insn, word)))
            continue;
        length += snprintf(key + length, KEY_BYTES - (size_t)length, "_%s",
                           key_word(word, is_type && untyped >> n_types & 1));
    }
    if (insn->imm_flags != 0 && !compare && length < KEY_BYTES)
        length += snprintf(key + length, KEY_BYTES - (size_t)length, "_mode");
    return length < KEY_BYTES;
}

/* Types as written; then the last, the first, both as bits. */
static const struct exec_variant *find_variant(const struct exec_decoder *decoder,
                                               struct simt_insn *insn,
                                               const struct ptx_insn *source) {
    static const unsigned attempts[] = {0, 1, 2, 3};
    char key[KEY_BYTES];
    for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
        if (!make_key(key, insn, source, attempts[i]))
            return NULL;
        const struct exec_variant *const variant = exec_index_find(decoder->index, key);
        if (variant)
            return variant;
    }
    return NULL;
}

/* A *_sync operation: the scheduler gathers the lanes first. */
static bool gathers(const struct exec_variant *variant) {
    return strstr(variant->signature, "member") != NULL;
}

bool exec_form_operation(struct exec_decoder *decoder, struct simt_insn *insn,
                         const struct ptx_insn *source) {
    const struct exec_variant *const variant = find_variant(decoder, insn, source);
    if (!variant)
        return false;
    insn->flow = gathers(variant) ? SIMT_FLOW_SYNC : SIMT_FLOW_NEXT;
    insn->type = (uint8_t)ptx_insn_type(source, 0);
    return exec_fill(decoder, insn, source, variant);
}
