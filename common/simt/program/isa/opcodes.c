/*
 * The tables of opcodes and modifiers, and look-ups in them.
 */
#include "common/simt/program/isa/opcodes.h"

#include <string.h>

const struct isa_opcode_facts isa_opcodes[ISA_N_OPCODES] = {
    [ISA_NO_OPCODE] = {"?", ISA_FLOW_NEXT, ISA_MEMORY_NONE, 0},
#define OPCODE(name, word, form, flow, memory, traits, what)                                       \
    [ISA_##name] = {word, ISA_FLOW_##flow, ISA_MEMORY_##memory, traits},
#include "common/simt/program/isa/opcodes.def"
};

const struct isa_modifier_facts isa_modifiers[ISA_N_MODIFIERS] = {
    [ISA_NO_MODIFIER] = {"?", 0, PTX_REG},
#define MODIFIER(name, word, traits)  [ISA_DOT_##name] = {word, traits, PTX_REG},
#define SPACE(name, word, space_name) [ISA_DOT_##name] = {word, 0, PTX_##space_name},
#include "common/simt/program/isa/modifiers.def"
};

const char *const isa_families[ISA_N_FAMILIES] = {
    [ISA_INSIDE] = "",
#define FAMILY(name, text) [ISA_OUTSIDE_##name] = text,
#include "common/simt/program/isa/opcodes.def"
};

static const uint8_t type_bytes[] = {
    [PTX_NO_TYPE] = 0,
#define TYPE(name, word, bytes) [PTX_##name] = bytes,
#include "common/simt/program/isa/modifiers.def"
};
enum { N_TYPES = sizeof type_bytes };
_Static_assert((int)ISA_DOT_F64 == (int)PTX_F64, "types are the first modifiers");

unsigned ptx_type_bytes(enum ptx_type type) {
    return (unsigned)type < N_TYPES ? type_bytes[type] : 0;
}

enum ptx_type ptx_type_of(const char *word) {
    for (unsigned i = 1; i < N_TYPES; i++)
        if (strcmp(isa_modifiers[i].word, word) == 0)
            return (enum ptx_type)i;
    return PTX_NO_TYPE;
}

static bool has(const enum isa_modifier *modifiers, unsigned n, enum isa_modifier wanted) {
    for (unsigned i = 0; i < n; i++)
        if (modifiers[i] == wanted)
            return true;
    return false;
}

enum isa_family isa_family_of(enum isa_opcode opcode, const enum isa_modifier *modifiers,
                              unsigned n_modifiers) {
    static const uint8_t whole[ISA_N_OPCODES] = {
#define OPCODE(name, word, form, flow, memory, traits, what)
#define OUTSIDE(name, word, family) [ISA_##name] = ISA_OUTSIDE_##family,
#include "common/simt/program/isa/opcodes.def"
    };
    static const struct {
        enum isa_opcode opcode;
        enum isa_modifier modifier;
        enum isa_family family;
    } parts[] = {
#define OUTSIDE_WITH(name, modifier, family) {ISA_##name, ISA_DOT_##modifier, ISA_OUTSIDE_##family},
#include "common/simt/program/isa/opcodes.def"
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].opcode == opcode && has(modifiers, n_modifiers, parts[i].modifier))
            return parts[i].family;
    return (enum isa_family)whole[opcode];
}

unsigned isa_machine_instructions(enum isa_opcode opcode, const enum isa_modifier *modifiers,
                                  unsigned n_modifiers) {
    static const struct {
        enum isa_opcode opcode;
        enum isa_modifier modifier, other;
        unsigned n;
    } costs[] = {
#define COST(name, modifier, other, n) {ISA_##name, ISA_DOT_##modifier, ISA_DOT_##other, n},
#include "common/simt/program/isa/opcodes.def"
    };
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (costs[i].opcode == opcode && has(modifiers, n_modifiers, costs[i].modifier) &&
            has(modifiers, n_modifiers, costs[i].other))
            return costs[i].n;
    return 1;
}

enum { N_SLOTS = sizeof((struct isa_words *)0)->opcodes / sizeof(uint16_t) };
_Static_assert((int)ISA_N_OPCODES < N_SLOTS / 2 && (int)ISA_N_MODIFIERS < N_SLOTS / 2,
               "a hash table is at most half full");

/* FNV-1a: the first slot to look at. */
static uint32_t first_slot(const char *word, size_t length) {
    uint32_t h = UINT32_C(2166136261);
    for (size_t i = 0; i < length; i++)
        h = (h ^ (uint8_t)word[i]) * UINT32_C(16777619);
    return (h ^ h >> 15) % N_SLOTS;
}

static void insert(uint16_t *slots, const char *word, unsigned number) {
    uint32_t at = first_slot(word, strlen(word));
    while (slots[at])
        at = (at + 1) % N_SLOTS;
    slots[at] = (uint16_t)number;
}

void isa_words_init(struct isa_words *words) {
    memset(words, 0, sizeof *words);
    for (unsigned i = 1; i < ISA_N_OPCODES; i++)
        insert(words->opcodes, isa_opcodes[i].word, i);
    for (unsigned i = 1; i < ISA_N_MODIFIERS; i++)
        insert(words->modifiers, isa_modifiers[i].word, i);
}

static bool is_word(const char *known, const char *word, size_t length) {
    return strncmp(known, word, length) == 0 && known[length] == '\0';
}

enum isa_opcode isa_opcode_of(const struct isa_words *words, const char *word, size_t length) {
    uint32_t at = first_slot(word, length);
    while (words->opcodes[at] && !is_word(isa_opcodes[words->opcodes[at]].word, word, length))
        at = (at + 1) % N_SLOTS;
    return (enum isa_opcode)words->opcodes[at];
}

enum isa_modifier isa_modifier_of(const struct isa_words *words, const char *word, size_t length) {
    uint32_t at = first_slot(word, length);
    while (words->modifiers[at] && !is_word(isa_modifiers[words->modifiers[at]].word, word, length))
        at = (at + 1) % N_SLOTS;
    return (enum isa_modifier)words->modifiers[at];
}
