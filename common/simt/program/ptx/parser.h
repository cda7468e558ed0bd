/*
 * What the parser's files share. The parser descends recursively over one token of look-ahead; a
 * syntax error or a lack of memory unwinds to ptx_parse by longjmp, so that the grammar reads
 * straight on. Whatever is malloc'ed hangs on the parser and is freed there.
 */
#pragma once

#include <setjmp.h>

#include "common/simt/program/ptx/lexer.h"
#include "common/simt/program/ptx/ptx.h"

/* A growing array. */
struct ptx_list {
    void *items;
    size_t n, capacity;
};

enum ptx_symbol_kind {
    PTX_SYMBOL_REG,      /* value: index into the function's registers */
    PTX_SYMBOL_VECTOR,   /* `.reg .v4 .f32 x`; value: of x.x, which the others follow */
    PTX_SYMBOL_RANGE,    /* `%r<23>`, by its prefix; value: index into parser->ranges */
    PTX_SYMBOL_VAR,      /* value: index into parser->vars, or PTX_NOT_GLOBAL; perhaps renamed */
    PTX_SYMBOL_FUNCTION, /* value: index into parser->functions */
    PTX_SYMBOL_LABEL,    /* value: index of an instruction */
    PTX_SYMBOL_TABLE,    /* .branchtargets; value: index into parser->tables */
    PTX_SYMBOL_CALL,     /* .callprototype or .calltargets: a name without contents */
};

#define PTX_NOT_GLOBAL UINT32_MAX

/* A declared name. Inner declarations stand behind outer ones and hide them until they are popped.
 */
struct ptx_symbol {
    const char *word; /* interned, as written */
    const char *name; /* as it is known in the tree */
    enum ptx_symbol_kind kind;
    uint32_t value;
    uint32_t n_vector; /* of a vector: its registers */
    uint32_t next;     /* in the chain of the hash table, UINT32_MAX at its end */
};

struct ptx_symbols {
    struct ptx_list entries; /* struct ptx_symbol */
    uint32_t *heads;
    size_t n_heads; /* a power of two */
};

/* Registers of a range get an index when they are first named. */
struct ptx_range {
    enum ptx_type type;
    uint32_t n;
    int32_t *index; /* malloc'ed, -1 where unnamed */
};

struct ptx_table {
    struct ptx_operand *elements;
    size_t n;
};

/* A label used, to be resolved when the scope that declares it ends. */
struct ptx_label_use {
    struct ptx_operand *operand; /* .symbol is the label's name */
    unsigned line;
};

/* One `.loc`; `parent` is the record of inlined_at, UINT32_MAX without. */
struct ptx_loc {
    unsigned file, line, column;
    uint32_t parent;
};
#define PTX_NO_LOC UINT32_MAX

/* Where an open `{` starts in the lists that end with it. */
struct ptx_scope {
    size_t n_symbols, n_uses, n_ranges;
    unsigned line;
};
enum { PTX_MAX_DEPTH = 64 };

struct ptx_parser {
    struct ptx_lexer lexer;
    struct ptx_token token; /* look-ahead */
    struct ptx_arena *arena;
    struct ptx_module *module;
    struct simt_diag *diag;
    jmp_buf failed;
    struct ptx_symbols symbols;
    struct isa_words words;                 /* opcodes and modifiers */
    struct ptx_list functions, vars, files; /* of the module */
    struct ptx_list locs;
    /* Of the function at hand: */
    struct ptx_list regs, locals, insns, ranges, tables, uses;
    struct ptx_list operands, modifiers, fixups, params; /* stacks of what is being collected */
    struct ptx_scope scopes[PTX_MAX_DEPTH];
    unsigned depth;
    uint32_t loc, chain; /* the .loc in force, and the first of its chain of inlined ones */
    unsigned n_renamed;
    size_t last_label;          /* one past the instruction of the last label, 0 without */
    uint64_t n_range_registers; /* over all functions, against absurd sizes */
};

/* arena.c: memory that lives as long as a parsed module: handed out in order, freed in one go.
 * Words are interned, since PTX repeats few words very often. NULL when the host has no memory. */
struct ptx_arena *ptx_arena_create(void);
void ptx_arena_destroy(struct ptx_arena *arena);

/* `bytes` zeroed bytes, aligned to 16. */
void *ptx_arena_alloc(struct ptx_arena *arena, size_t bytes);

/* The one terminated copy of a word; equal words give equal pointers. */
char *ptx_arena_intern(struct ptx_arena *arena, const char *word, size_t length);

/* parser.c: failures, memory, tokens. */
_Noreturn void ptx_fail(struct ptx_parser *p, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void ptx_unsupported(struct ptx_parser *p, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void ptx_fail_memory(struct ptx_parser *p);
_Noreturn void ptx_unexpected(struct ptx_parser *p, const char *wanted);
void *ptx_alloc(struct ptx_parser *p, size_t count, size_t size);
char *ptx_intern(struct ptx_parser *p, const char *word, size_t length);
char *ptx_intern_token(struct ptx_parser *p, const struct ptx_token *token);
void *ptx_list_add(struct ptx_parser *p, struct ptx_list *list, size_t size);
void *ptx_list_keep(struct ptx_parser *p, const struct ptx_list *list, size_t first, size_t size);
struct ptx_token ptx_next(struct ptx_parser *p); /* returns the token passed */
bool ptx_is_punct(const struct ptx_parser *p, char punct);
bool ptx_is_dotted(const struct ptx_parser *p, const char *word);
bool ptx_accept(struct ptx_parser *p, char punct);
void ptx_expect(struct ptx_parser *p, char punct);
struct ptx_token ptx_expect_word(struct ptx_parser *p, const char *what);
uint64_t ptx_expect_int(struct ptx_parser *p, const char *what);
bool ptx_token_is(const struct ptx_token *token, const char *word);

/* symbols.c: declaring fails where the innermost scope has the name already. */
struct ptx_symbol *ptx_symbol_add(struct ptx_parser *p, const char *word,
                                  enum ptx_symbol_kind kind);
struct ptx_symbol *ptx_symbol_declare(struct ptx_parser *p, const char *word,
                                      enum ptx_symbol_kind kind, unsigned line);
struct ptx_symbol *ptx_symbol_find(struct ptx_parser *p, const char *word);
void ptx_scope_open(struct ptx_parser *p);
void ptx_scope_close(struct ptx_parser *p);
/* The register that a word names, -1 where it names none. */
int32_t ptx_register(struct ptx_parser *p, const struct ptx_token *token);

/* declare.c: `.reg`, and variables up to the semicolon (declarators) or to ',' or ')' (params). */
void ptx_parse_reg(struct ptx_parser *p);
void ptx_parse_vars(struct ptx_parser *p, enum ptx_space space, bool is_extern);
void ptx_parse_param(struct ptx_parser *p, struct ptx_list *params);
bool ptx_space_of(const struct ptx_token *token, enum ptx_space *space);

/* init.c: the elements of `= {…}`, which the parser stands before; and the initialiser itself, of a
 * variable whose dimensions are known. */
uint64_t ptx_count_init(const struct ptx_parser *p);
void ptx_parse_init(struct ptx_parser *p, struct ptx_var *var, const uint64_t *dims,
                    unsigned n_dims, uint32_t element_bytes);

/* operand.c */
struct ptx_operand ptx_parse_operand(struct ptx_parser *p, bool is_label);
struct ptx_operand ptx_parse_literal(struct ptx_parser *p);
int64_t ptx_parse_offset(struct ptx_parser *p); /* `+8`, `-8`; 0 where none stands */

/* body.c: from behind the `{` of a function to its `}`. */
void ptx_parse_body(struct ptx_parser *p, struct ptx_function *function);

/* loc.c: source positions. */
void ptx_parse_loc(struct ptx_parser *p);
void ptx_parse_file(struct ptx_parser *p);
void ptx_resolve_locs(struct ptx_parser *p);
