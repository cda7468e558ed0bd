/*
 * PTX text as a tree: what nvcc emits, parsed once, names resolved within the module.
 * Source of the grammar: NVIDIA, "PTX ISA" (version 9.0), chapters 4 to 9.
 */
#pragma once

#include "common/simt/program/isa/opcodes.h"
#include "common/simt/simt.h"

/* A register of a function: `%rd7` of `.reg .b64 %rd<14>`. */
struct ptx_reg {
    char *name;
    enum ptx_type type;
};

/* A variable in memory: kernel parameter, shared, local, global or constant array. */
struct ptx_var {
    char *name;
    enum ptx_space space;
    enum ptx_type type;
    uint32_t align; /* bytes */
    uint64_t bytes; /* 0 for `extern .shared x[]` */
    bool is_extern;
    bool is_pointer; /* params: declared as one, .ptr */
    uint64_t offset; /* params: in the packed block; locals and shared: set by the loader */
    uint8_t *init;   /* `bytes` long, or NULL for zero */
    struct ptx_fixup *fixups; /* addresses of other symbols inside init */
    size_t n_fixups;
};
struct ptx_fixup {
    uint64_t offset; /* where in init (8 bytes) */
    char *symbol;    /* variable or function whose address goes there */
    int64_t addend;
    bool generic;
};

enum ptx_operand_kind {
    PTX_OP_REG,     /* index of a ptx_reg in .reg */
    PTX_OP_INT,     /* literal in .integer */
    PTX_OP_FLOAT,   /* literal bits in .integer, 32 or 64 wide by .type (0f…, 0d…) */
    PTX_OP_SPECIAL, /* special register, name in .symbol: "%tid.x" */
    PTX_OP_SYMBOL,  /* variable or function, name in .symbol, plus .integer bytes */
    PTX_OP_LABEL,   /* branch target: index of an instruction in .integer */
    PTX_OP_ADDRESS, /* [base + .integer]: base is register .reg (>= 0), or .symbol, or absent;
                       of textures and tensors also the coordinates, in .elements */
    PTX_OP_VECTOR,  /* {a, b, c, d}: elements in .elements */
    PTX_OP_LIST,    /* (a, b) of a call: elements in .elements */
    PTX_OP_SINK,    /* `_` */
};
struct ptx_operand {
    enum ptx_operand_kind kind;
    enum ptx_type type;
    int32_t reg;  /* -1 where there is none */
    bool negated; /* `!%p1` */
    int64_t integer;
    char *symbol;
    struct ptx_operand *elements;
    size_t n_elements;
};

/* One instruction: `@!%p1 ld.global.v4.u32 {…}, [%rd1+16];`
 * opcode ISA_LD, modifiers ISA_DOT_GLOBAL, ISA_DOT_V4, ISA_DOT_U32; guard register with its sense.
 * `d|p` destinations (shfl, setp, match) become operand 0 and operand 1, with `paired` set.
 * A call has the operands (results) if it has any, the callee, (arguments) if it has any, and the
 * prototype of an indirect call. The label table of brx.idx is a LIST of LABELs. */
struct ptx_insn {
    enum isa_opcode opcode;
    const enum isa_modifier *modifiers;
    unsigned n_modifiers;
    int32_t guard; /* predicate register, -1 for none */
    bool guard_negated;
    bool paired;
    struct ptx_operand *operands;
    unsigned n_operands;
    unsigned file, line; /* the student's source position, see below; 0 for none */
    unsigned ptx_line;   /* line of the PTX text */
    const char *text;    /* the instruction as written, without the semicolon */
};

/* Which instructions write each register, in their order: of register r those from
 * `insns[first[r]]` up to `insns[first[r + 1]]`. */
struct ptx_writers {
    uint32_t *first, *insns;
};

/*
 * Source positions. An instruction inlined from a header of the toolkit or of the host's compiler
 * (an intrinsic such as __shfl_down_sync) counts for the line that calls it; one inlined from the
 * program's own function keeps the line of that function. Where the compiler names no line (`.loc 1
 * 0 0`), the one before it in the function holds.
 *
 * Names. A variable of an inner scope, or one that hides a variable of the module, is renamed
 * ("param0@3"), in its declaration and wherever it is used: within a function names are unique.
 * Registers are known by index; of a range `%r<23>` only those exist that the body names.
 *
 * The last instruction of a body never falls through and no label lies behind it: where the text
 * lacks the final `ret`, one is added.
 */

struct ptx_function {
    char *name; /* mangled */
    bool is_entry;
    bool is_declaration;    /* extern: vprintf, malloc … */
    struct ptx_var *params; /* inputs */
    size_t n_params;
    uint64_t param_bytes;
    struct ptx_var *results; /* a device function's return slots */
    size_t n_results;
    struct ptx_reg *regs;
    size_t n_regs;
    struct ptx_var
        *vars; /* local and shared variables of the body, also call parameters (.param) */
    size_t n_vars;
    struct ptx_insn *insns;
    size_t n_insns;
    const struct ptx_writers *writers; /* while many are asked for; else NULL */
    uint32_t max_cta_threads;          /* .maxntid or .reqntid product, 0 for none */
    uint32_t cluster_ctas;             /* .reqnctapercluster product, 0 for none */
    unsigned ptx_line;                 /* where the function's name stands */
};

struct ptx_file {
    unsigned index;
    char *path;
};

/* An entry of a module's index of names. */
struct ptx_name {
    const char *name;
    void *item;
};

struct ptx_module {
    unsigned version_major, version_minor, target; /* 9, 0, 75 */
    struct ptx_function *functions;
    size_t n_functions;
    struct ptx_var *vars; /* module scope: global, const, shared */
    size_t n_vars;
    struct ptx_file *files;
    size_t n_files;
    struct ptx_name *function_names, *var_names; /* sorted, for the look-ups below */
    struct ptx_arena *arena;                     /* owns every string and array above */
};

/* Parses `bytes` of PTX; zero bytes at their end are no part of it. The caller frees the module,
 * which keeps nothing of the text. NULL when there is none, with `diag` filled: SIMT_BAD_PTX for
 * malformed text and for a register, label or other name that is not declared, SIMT_UNSUPPORTED for
 * valid PTX that has no place in the tree, each with the line of the PTX in `diag->line`
 * (`diag->file` is empty) and what was expected there; SIMT_NO_MEMORY. */
struct ptx_module *ptx_parse(const char *text, size_t bytes, struct simt_diag *diag);
void ptx_free(struct ptx_module *module);

/* A function by its mangled name, a variable of the module, the path of a file index; NULL if none.
 */
struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name);
struct ptx_var *ptx_find_var(const struct ptx_module *module, const char *name);
const char *ptx_file_path(const struct ptx_module *module, unsigned index);

/* True when the instruction has the modifier: ptx_has(i, ISA_DOT_SYNC). */
bool ptx_has(const struct ptx_insn *insn, enum isa_modifier modifier);
/* The traits (isa_trait) that its modifiers have between them. */
unsigned ptx_modifier_traits(const struct ptx_insn *insn);
/* The n-th modifier that names a type, counted from 0; PTX_NO_TYPE when there are fewer. */
enum ptx_type ptx_insn_type(const struct ptx_insn *insn, unsigned n);

/* Whether operand `i` is one that the instruction writes: its first, and the second of a pair. */
bool ptx_writes(const struct ptx_insn *insn, unsigned i);
/* The next instruction that writes a register, in the order of the code; NULL after the last one.
 * `*at` is 0 for the first, and says how far the search has come. */
const struct ptx_insn *ptx_next_writer(const struct ptx_function *function, int32_t reg,
                                       size_t *at);
/* For `function->writers`, which makes that quick; the caller hands it to ptx_writers_finish. False
 * when the host has no memory. */
bool ptx_writers_init(struct ptx_writers *writers, const struct ptx_function *function);
void ptx_writers_finish(struct ptx_writers *writers);
