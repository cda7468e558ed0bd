/*
 * What is known of PTX's opcodes and modifiers: opcodes.def and modifiers.def as enumerations and
 * as tables. The parser looks each word up once; from then on nobody compares words.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* State spaces, PTX ISA section 5.1. */
enum ptx_space {
    PTX_REG,
    PTX_PARAM,
    PTX_LOCAL,
    PTX_SHARED,
    PTX_GLOBAL,
    PTX_CONST,
    PTX_GENERIC,
};

/* Fundamental types, PTX ISA section 5.2: PTX_PRED, PTX_B8 … PTX_F64. */
enum ptx_type {
    PTX_NO_TYPE,
#define TYPE(name, word, bytes) PTX_##name,
#include "common/simt/program/isa/modifiers.def"
};
/* The size of a type; predicates take none. */
unsigned ptx_type_bytes(enum ptx_type type);
/* "u32" gives PTX_U32; PTX_NO_TYPE when the word names no type. */
enum ptx_type ptx_type_of(const char *word);

/* ISA_DOT_SYNC is `.sync`. Those that name a type have the number of that ptx_type. */
enum isa_modifier {
    ISA_NO_MODIFIER, /* a word that is not in the table */
#define MODIFIER(name, word, traits) ISA_DOT_##name,
#include "common/simt/program/isa/modifiers.def"
    ISA_N_MODIFIERS
};

/* The type that a modifier names, or PTX_NO_TYPE. */
static inline enum ptx_type ptx_modifier_type(enum isa_modifier modifier) {
    return modifier <= ISA_DOT_F64 ? (enum ptx_type)modifier : PTX_NO_TYPE;
}

/* ISA_ADD is `add`. */
enum isa_opcode {
    ISA_NO_OPCODE, /* a word that is not in the table */
#define OPCODE(name, word, form, flow, memory, traits, what) ISA_##name,
#include "common/simt/program/isa/opcodes.def"
    ISA_N_OPCODES
};

/* Where a thread goes on, and with whom. */
enum isa_flow {
    ISA_FLOW_NEXT,    /* with the next instruction */
    ISA_FLOW_BRANCH,  /* at a label */
    ISA_FLOW_SWITCH,  /* at one label of a list */
    ISA_FLOW_CALL,    /* in a function, then with the next instruction */
    ISA_FLOW_RETURN,  /* behind the call; nowhere in a kernel */
    ISA_FLOW_EXIT,    /* nowhere */
    ISA_FLOW_TRAP,    /* nowhere, and the launch has failed */
    ISA_FLOW_BARRIER, /* with the next one, together with threads of the cta */
    ISA_FLOW_SHUFFLE, /* with the next one, together with lanes of the warp: they swap values … */
    ISA_FLOW_VOTE,    /* … they agree on a value … */
    ISA_FLOW_WARP,    /* … anything else */
};

/* What an instruction does with memory. */
enum isa_memory {
    ISA_MEMORY_NONE,
    ISA_MEMORY_LOAD,      /* reads */
    ISA_MEMORY_STORE,     /* writes */
    ISA_MEMORY_ATOMIC,    /* reads and writes at once, gives the old value */
    ISA_MEMORY_REDUCTION, /* reads and writes at once */
    ISA_MEMORY_COPY,      /* reads and writes, while the thread goes on */
    ISA_MEMORY_MBARRIER,  /* reads and writes an mbarrier */
    ISA_MEMORY_FENCE,     /* touches nothing, orders what is before and behind it */
};

enum isa_trait {
    /* A strong access: another thread may wait for it, and it for another thread. */
    ISA_STRONG = 1,
    /* What the thread did before is seen by whoever sees this access. */
    ISA_RELEASES = 2,
    /* Several of it, of one operation on integers, give the same in any order: host threads may run
     * them side by side. */
    ISA_COMMUTES = 4,
};

/* What the simulator does not run, in families; ISA_INSIDE: all else. */
enum isa_family {
    ISA_INSIDE,
#define FAMILY(name, text) ISA_OUTSIDE_##name,
#include "common/simt/program/isa/opcodes.def"
    ISA_N_FAMILIES
};
/* "tensor cores", as in the README's table. */
extern const char *const isa_families[ISA_N_FAMILIES];

struct isa_opcode_facts {
    const char *word;
    uint8_t flow;   /* enum isa_flow */
    uint8_t memory; /* enum isa_memory */
    uint8_t traits; /* enum isa_trait */
};
extern const struct isa_opcode_facts isa_opcodes[ISA_N_OPCODES];

/* True for an opcode behind which the next instruction never follows, unless under a guard. */
static inline bool isa_goes_elsewhere(enum isa_opcode opcode) {
    switch (isa_opcodes[opcode].flow) {
    case ISA_FLOW_BRANCH:
    case ISA_FLOW_SWITCH:
    case ISA_FLOW_RETURN:
    case ISA_FLOW_EXIT:
    case ISA_FLOW_TRAP:
        return true;
    default:
        return false;
    }
}

struct isa_modifier_facts {
    const char *word;
    uint8_t traits; /* enum isa_trait */
    uint8_t space;  /* enum ptx_space; PTX_REG: it names none */
};
extern const struct isa_modifier_facts isa_modifiers[ISA_N_MODIFIERS];

/* The family of an instruction that the simulator does not run whatever its operands are. */
enum isa_family isa_family_of(enum isa_opcode opcode, const enum isa_modifier *modifiers,
                              unsigned n_modifiers);

/* How many machine instructions a GPU needs for it: an estimate, 1 for most. */
unsigned isa_machine_instructions(enum isa_opcode opcode, const enum isa_modifier *modifiers,
                                  unsigned n_modifiers);

/* The tables by their words: hash tables with open addressing, which hold numbers. */
struct isa_words {
    uint16_t opcodes[512], modifiers[512];
};
void isa_words_init(struct isa_words *words);
/* A word of `length` bytes; ISA_NO_OPCODE, ISA_NO_MODIFIER where it is none. */
enum isa_opcode isa_opcode_of(const struct isa_words *words, const char *word, size_t length);
enum isa_modifier isa_modifier_of(const struct isa_words *words, const char *word, size_t length);
