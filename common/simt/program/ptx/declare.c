/*
 * Declarations: registers, and variables in all state spaces. Source: PTX ISA, section 5.4.
 */
#include "common/simt/program/ptx/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMS = 8, MAX_REGISTERS = 1 << 20 };
#define MAX_RANGE_REGISTERS (1ull << 25) /* in a module */
#define MAX_VAR_BYTES       (1ull << 40)

/* What stands between the state space and the name. */
struct declaration {
    enum ptx_space space;
    enum ptx_type type;
    uint32_t align, n_vector;
    bool is_extern, is_pointer;
};

bool ptx_space_of(const struct ptx_token *token, enum ptx_space *space) {
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {
        {"reg", PTX_REG},       {"param", PTX_PARAM},   {"local", PTX_LOCAL},
        {"shared", PTX_SHARED}, {"global", PTX_GLOBAL}, {"const", PTX_CONST},
    };
    if (token->kind != PTX_TOKEN_DOTTED)
        return false;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (ptx_token_is(token, spaces[i].word)) {
            *space = spaces[i].space;
            return true;
        }
    }
    return false;
}

static void parse_align(struct ptx_parser *p, struct declaration *declaration) {
    uint64_t align = ptx_expect_int(p, "an alignment");
    if (!align || (align & (align - 1)) || align > 1 << 20)
        ptx_fail(p, p->token.line, "the alignment is no power of two");
    declaration->align = (uint32_t)align;
}

/* `.attribute(.managed)`: passed over. */
static void skip_parenthesised(struct ptx_parser *p) {
    ptx_expect(p, '(');
    while (!ptx_accept(p, ')')) {
        if (p->token.kind == PTX_TOKEN_END || p->token.kind == PTX_TOKEN_MALFORMED)
            ptx_unexpected(p, "')'");
        ptx_next(p);
    }
}

static void parse_directives(struct ptx_parser *p, struct declaration *declaration) {
    bool is_pointer = false;
    declaration->n_vector = 1;
    while (p->token.kind == PTX_TOKEN_DOTTED) {
        struct ptx_token token = ptx_next(p);
        enum ptx_space pointee;
        enum ptx_type type =
            ptx_modifier_type(isa_modifier_of(&p->words, token.start, token.length));
        if (type != PTX_NO_TYPE)
            declaration->type = type;
        else if (ptx_token_is(&token, "align") && is_pointer)
            ptx_expect_int(p, "an alignment"); /* of what it points to */
        else if (ptx_token_is(&token, "align"))
            parse_align(p, declaration);
        else if (ptx_token_is(&token, "v2") || ptx_token_is(&token, "v4") ||
                 ptx_token_is(&token, "v8"))
            declaration->n_vector = (uint32_t)(token.start[1] - '0');
        else if (ptx_token_is(&token, "ptr"))
            declaration->is_pointer = is_pointer = true;
        else if (ptx_token_is(&token, "attribute"))
            skip_parenthesised(p);
        else if (ptx_token_is(&token, "texref") || ptx_token_is(&token, "samplerref") ||
                 ptx_token_is(&token, "surfref"))
            declaration->type = PTX_B64;
        else if (!is_pointer || !ptx_space_of(&token, &pointee))
            ptx_fail(p, token.line, "unknown directive '.%.*s' in a declaration",
                     (int)(token.length > 80 ? 80 : token.length), token.start);
    }
    if (declaration->type == PTX_NO_TYPE)
        ptx_unexpected(p, "a type");
}

static void declare_range(struct ptx_parser *p, const struct ptx_token *name, enum ptx_type type) {
    uint64_t n = ptx_expect_int(p, "a number of registers");
    ptx_expect(p, '>');
    p->n_range_registers += n > MAX_REGISTERS ? 0 : n;
    if (n > MAX_REGISTERS || p->n_range_registers > MAX_RANGE_REGISTERS)
        ptx_fail(p, name->line, "too many registers");
    char marked[64];
    if (name->length >= sizeof marked - 1)
        ptx_fail(p, name->line, "the name of a range of registers is too long");
    memcpy(marked, name->start, name->length);
    marked[name->length] = '<';
    struct ptx_range *range = ptx_list_add(p, &p->ranges, sizeof *range);
    range->type = type;
    range->index = malloc((n ? n : 1) * sizeof *range->index);
    if (!range->index)
        ptx_fail_memory(p);
    memset(range->index, 0xff, n * sizeof *range->index);
    range->n = (uint32_t)n;
    const char *word = ptx_intern(p, marked, name->length + 1);
    ptx_symbol_declare(p, word, PTX_SYMBOL_RANGE, name->line)->value = (uint32_t)p->ranges.n - 1;
}

static void declare_register(struct ptx_parser *p, const struct ptx_token *name,
                             enum ptx_type type) {
    char *word = ptx_intern_token(p, name);
    ptx_symbol_declare(p, word, PTX_SYMBOL_REG, name->line)->value = (uint32_t)p->regs.n;
    struct ptx_reg *reg = ptx_list_add(p, &p->regs, sizeof *reg);
    *reg = (struct ptx_reg){word, type};
}

/* A vector is so many registers, x.x to x.w; nvcc declares none, but inline assembly may. */
static void declare_vector(struct ptx_parser *p, const struct ptx_token *name, enum ptx_type type,
                           uint32_t n) {
    char *word = ptx_intern_token(p, name);
    if (n > 4 || name->length > 200)
        ptx_fail(p, name->line, "'%.200s' is no vector of 2 or 4 registers", word);
    struct ptx_symbol *symbol = ptx_symbol_declare(p, word, PTX_SYMBOL_VECTOR, name->line);
    symbol->value = (uint32_t)p->regs.n;
    symbol->n_vector = n;
    for (uint32_t i = 0; i < n; i++) {
        char element[256];
        int length = snprintf(element, sizeof element, "%s.%c", word, "xyzw"[i]);
        char *element_name = ptx_intern(p, element, (size_t)length);
        struct ptx_reg *reg = ptx_list_add(p, &p->regs, sizeof *reg);
        *reg = (struct ptx_reg){element_name, type};
    }
}

void ptx_parse_reg(struct ptx_parser *p) {
    struct declaration declaration = {.space = PTX_REG};
    parse_directives(p, &declaration);
    do {
        struct ptx_token name = ptx_expect_word(p, "the name of a register");
        bool is_range = ptx_accept(p, '<');
        if (is_range && declaration.n_vector > 1)
            ptx_unsupported(p, name.line, "unsupported: a range of vectors of registers");
        if (is_range)
            declare_range(p, &name, declaration.type);
        else if (declaration.n_vector > 1)
            declare_vector(p, &name, declaration.type, declaration.n_vector);
        else
            declare_register(p, &name, declaration.type);
    } while (ptx_accept(p, ','));
    ptx_expect(p, ';');
}

/* `name[4][3] = {…}`: name and initialiser belong to the arena. */
static struct ptx_var parse_declarator(struct ptx_parser *p,
                                       const struct declaration *declaration) {
    struct ptx_token name = ptx_expect_word(p, "a name");
    uint32_t element_bytes = ptx_type_bytes(declaration->type);
    struct ptx_var var = {
        .name = ptx_intern_token(p, &name),
        .space = declaration->space,
        .type = declaration->type,
        .align = declaration->align ? declaration->align : element_bytes * declaration->n_vector,
        .bytes = element_bytes,
        .is_extern = declaration->is_extern,
        .is_pointer = declaration->is_pointer,
    };
    if (!element_bytes)
        ptx_fail(p, name.line, "a predicate can't lie in memory");
    uint64_t dims[MAX_DIMS + 1];
    unsigned n_dims = 0;
    while (ptx_accept(p, '[')) {
        if (n_dims == MAX_DIMS)
            ptx_fail(p, name.line, "an array of more than %d dimensions", MAX_DIMS);
        dims[n_dims++] = ptx_is_punct(p, ']') ? 0 : ptx_expect_int(p, "a number of elements");
        ptx_expect(p, ']');
    }
    if (n_dims && !dims[0] && ptx_is_punct(p, '='))
        dims[0] = ptx_count_init(p);
    if (declaration->n_vector > 1)
        dims[n_dims++] = declaration->n_vector;
    for (unsigned i = 0; i < n_dims; i++)
        if (__builtin_mul_overflow(var.bytes, dims[i], &var.bytes) || var.bytes > MAX_VAR_BYTES)
            ptx_fail(p, name.line, "the array '%.200s' is too large", var.name);
    if (ptx_accept(p, '='))
        ptx_parse_init(p, &var, dims, n_dims, element_bytes);
    return var;
}

/* Within a function; see ptx.h on names. */
static void add_local(struct ptx_parser *p, struct ptx_var *var, unsigned line) {
    struct ptx_symbol *outer = ptx_symbol_find(p, var->name);
    char *word = var->name;
    if (p->depth > 1 || (outer && outer->kind == PTX_SYMBOL_VAR)) {
        char renamed[1100];
        int length = snprintf(renamed, sizeof renamed, "%.1000s@%u", word, ++p->n_renamed);
        var->name = ptx_intern(p, renamed, (size_t)length);
    }
    struct ptx_symbol *symbol = ptx_symbol_declare(p, word, PTX_SYMBOL_VAR, line);
    symbol->name = var->name;
    symbol->value = PTX_NOT_GLOBAL;
    *(struct ptx_var *)ptx_list_add(p, &p->locals, sizeof *var) = *var;
}

/* A variable may be declared (.extern) as often as it likes, and defined once. */
static void add_global(struct ptx_parser *p, const struct ptx_var *var, unsigned line) {
    struct ptx_symbol *symbol = ptx_symbol_find(p, var->name);
    if (!symbol) {
        ptx_symbol_add(p, var->name, PTX_SYMBOL_VAR)->value = (uint32_t)p->vars.n;
        *(struct ptx_var *)ptx_list_add(p, &p->vars, sizeof *var) = *var;
        return;
    }
    struct ptx_var *known =
        symbol->kind == PTX_SYMBOL_VAR ? (struct ptx_var *)p->vars.items + symbol->value : NULL;
    if (!known || (!known->is_extern && !var->is_extern))
        ptx_fail(p, line, "'%.200s' is defined twice", var->name);
    if (known->is_extern)
        *known = *var;
}

void ptx_parse_vars(struct ptx_parser *p, enum ptx_space space, bool is_extern) {
    struct declaration declaration = {.space = space, .is_extern = is_extern};
    parse_directives(p, &declaration);
    do {
        unsigned line = p->token.line;
        struct ptx_var var = parse_declarator(p, &declaration);
        if (!p->depth)
            add_global(p, &var, line);
        else if (space == PTX_GLOBAL || space == PTX_CONST)
            ptx_unsupported(p, line, "unsupported: the global variable '%.200s' in a function",
                            var.name);
        else
            add_local(p, &var, line);
    } while (ptx_accept(p, ','));
    ptx_expect(p, ';');
}

void ptx_parse_param(struct ptx_parser *p, struct ptx_list *params) {
    struct declaration declaration = {.space = PTX_PARAM};
    if (ptx_is_dotted(p, "reg"))
        ptx_unsupported(p, p->token.line, "unsupported: a function's parameter in a register");
    if (!ptx_is_dotted(p, "param"))
        ptx_unexpected(p, "'.param'");
    ptx_next(p);
    parse_directives(p, &declaration);
    unsigned line = p->token.line;
    struct ptx_var var = parse_declarator(p, &declaration);
    ptx_symbol_declare(p, var.name, PTX_SYMBOL_VAR, line)->value = PTX_NOT_GLOBAL;
    *(struct ptx_var *)ptx_list_add(p, params, sizeof var) = var;
}
