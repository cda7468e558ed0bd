/*
 * The fundamental types by their words, and questions about an instruction's modifiers.
 */
#include "common/simt/ptx/ptx.h"

#include <string.h>

static const struct {
    const char *word;
    unsigned bytes;
} types[] = {
    [PTX_NO_TYPE] = {"", 0},      [PTX_PRED] = {"pred", 0},   [PTX_B8] = {"b8", 1},
    [PTX_B16] = {"b16", 2},       [PTX_B32] = {"b32", 4},     [PTX_B64] = {"b64", 8},
    [PTX_B128] = {"b128", 16},    [PTX_U8] = {"u8", 1},       [PTX_U16] = {"u16", 2},
    [PTX_U32] = {"u32", 4},       [PTX_U64] = {"u64", 8},     [PTX_S8] = {"s8", 1},
    [PTX_S16] = {"s16", 2},       [PTX_S32] = {"s32", 4},     [PTX_S64] = {"s64", 8},
    [PTX_F16] = {"f16", 2},       [PTX_F16X2] = {"f16x2", 4}, [PTX_BF16] = {"bf16", 2},
    [PTX_BF16X2] = {"bf16x2", 4}, [PTX_F32] = {"f32", 4},     [PTX_F64] = {"f64", 8},
};
enum { N_TYPES = sizeof types / sizeof *types };

unsigned ptx_type_bytes(enum ptx_type type) {
    return (unsigned)type < N_TYPES ? types[type].bytes : 0;
}

enum ptx_type ptx_type_of(const char *word) {
    for (unsigned i = 1; i < N_TYPES; i++)
        if (!strcmp(types[i].word, word))
            return (enum ptx_type)i;
    return PTX_NO_TYPE;
}

bool ptx_has(const struct ptx_insn *insn, const char *modifier) {
    for (unsigned i = 0; i < insn->n_modifiers; i++)
        if (!strcmp(insn->modifiers[i], modifier))
            return true;
    return false;
}

enum ptx_type ptx_insn_type(const struct ptx_insn *insn, unsigned n) {
    for (unsigned i = 0; i < insn->n_modifiers; i++) {
        enum ptx_type type = ptx_type_of(insn->modifiers[i]);
        if (type != PTX_NO_TYPE && !n--)
            return type;
    }
    return PTX_NO_TYPE;
}
