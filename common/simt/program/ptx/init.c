/*
 * Initialisers of variables: numbers, nested lists, and addresses of other symbols, also cut into
 * bytes by masks as nvcc does in packed structures: 0xFF00(generic(x)).
 */
#include "common/simt/program/ptx/parser.h"

#include <string.h>

#define MAX_INIT_BYTES (1ull << 30)

struct init {
    struct ptx_var *var;
    const uint64_t *dims;
    unsigned n_dims;
    uint32_t element_bytes;
};

/* A number in the type of the variable. */
static void put_number(struct ptx_parser *p, const struct init *init, uint64_t at) {
    struct ptx_operand literal = ptx_parse_literal(p);
    uint64_t bits = (uint64_t)literal.integer;
    bool is_f32 = init->var->type == PTX_F32, is_f64 = init->var->type == PTX_F64;
    if ((is_f32 || is_f64) && literal.type != init->var->type) {
        double value = (double)literal.integer;
        float narrow;
        if (literal.type == PTX_F64)
            memcpy(&value, &bits, sizeof value);
        if (literal.type == PTX_F32) {
            uint32_t half = (uint32_t)bits;
            memcpy(&narrow, &half, sizeof narrow);
            value = narrow;
        }
        narrow = (float)value;
        bits = 0;
        memcpy(&bits, is_f32 ? (void *)&narrow : (void *)&value, init->element_bytes);
    }
    size_t bytes = init->element_bytes < 8 ? init->element_bytes : 8;
    memcpy(init->var->init + at, &bits, bytes);
}

/* `generic(x) + 4`, `x`. */
static struct ptx_fixup parse_address(struct ptx_parser *p, const struct init *init, uint64_t at) {
    struct ptx_fixup fixup = {.offset = at};
    struct ptx_token token = ptx_expect_word(p, "the name of a variable");
    if (ptx_token_is(&token, "generic") && ptx_accept(p, '(')) {
        fixup.generic = true;
        token = ptx_expect_word(p, "the name of a variable");
        fixup.addend = ptx_parse_offset(p);
        ptx_expect(p, ')');
    }
    uint64_t addend = (uint64_t)fixup.addend + (uint64_t)ptx_parse_offset(p);
    fixup.addend = (int64_t)addend;
    fixup.symbol = ptx_intern_token(p, &token);
    const struct ptx_symbol *symbol = ptx_symbol_find(p, fixup.symbol);
    bool is_itself = fixup.symbol == init->var->name;
    if (!is_itself &&
        (!symbol || (symbol->kind != PTX_SYMBOL_VAR && symbol->kind != PTX_SYMBOL_FUNCTION)))
        ptx_fail(p, token.line, "'%.200s' is no variable or function declared before",
                 fixup.symbol);
    return fixup;
}

static void add_fixup(struct ptx_parser *p, const struct init *init, struct ptx_fixup fixup) {
    if (fixup.offset + 8 > init->var->bytes)
        ptx_fail(p, p->token.line, "an address does not fit into '%.200s'", init->var->name);
    *(struct ptx_fixup *)ptx_list_add(p, &p->fixups, sizeof fixup) = fixup;
}

/* `0xFF00(generic(x))`: byte 1 of an address. Byte 0 stands for all eight. */
static void put_masked(struct ptx_parser *p, const struct init *init, uint64_t mask, uint64_t at) {
    unsigned line = p->token.line;
    ptx_expect(p, '(');
    struct ptx_fixup fixup = parse_address(p, init, at);
    ptx_expect(p, ')');
    if (mask == 0xff && init->element_bytes == 1) {
        add_fixup(p, init, fixup);
        return;
    }
    struct ptx_fixup *last =
        p->fixups.n ? (struct ptx_fixup *)p->fixups.items + p->fixups.n - 1 : &fixup;
    uint64_t byte = at - last->offset;
    if (init->element_bytes != 1 || byte < 1 || byte > 7 || mask != 0xffull << (8 * byte) ||
        last->symbol != fixup.symbol || last->addend != fixup.addend)
        ptx_unsupported(p, line, "unsupported: the mask of an address in '%.200s'",
                        init->var->name);
}

static void put_element(struct ptx_parser *p, const struct init *init, uint64_t at) {
    unsigned line = p->token.line;
    if (at + init->element_bytes > init->var->bytes)
        ptx_fail(p, line, "too many initialisers for '%.200s'", init->var->name);
    if (p->token.kind == PTX_TOKEN_WORD) {
        struct ptx_fixup fixup = parse_address(p, init, at);
        if (init->element_bytes != 8)
            ptx_unsupported(p, line, "unsupported: an address of %u bytes in '%.200s'",
                            init->element_bytes, init->var->name);
        add_fixup(p, init, fixup);
        return;
    }
    struct ptx_lexer ahead = p->lexer;
    struct ptx_token behind = ptx_lex(&ahead);
    if (p->token.kind == PTX_TOKEN_INT && behind.kind == PTX_TOKEN_PUNCT && behind.punct == '(')
        put_masked(p, init, ptx_next(p).bits, at);
    else
        put_number(p, init, at);
}

/* From the `{` of a dimension to its `}`. Rows may be shorter than they are long. */
static void put_list(struct ptx_parser *p, const struct init *init, unsigned level, uint64_t at) {
    uint64_t row_bytes = init->element_bytes;
    for (unsigned i = level + 1; i < init->n_dims; i++)
        row_bytes *= init->dims[i];
    ptx_expect(p, '{');
    while (!ptx_is_punct(p, '}')) {
        if (!ptx_is_punct(p, '{')) {
            put_element(p, init, at);
            at += init->element_bytes;
        } else if (level + 1 < init->n_dims) {
            put_list(p, init, level + 1, at);
            at += row_bytes;
        } else {
            ptx_unexpected(p, "a number");
        }
        if (!ptx_is_punct(p, '}'))
            ptx_expect(p, ',');
    }
    ptx_next(p);
}

uint64_t ptx_count_init(const struct ptx_parser *p) {
    struct ptx_lexer ahead = p->lexer;
    uint64_t n = 0;
    unsigned depth = 0;
    struct ptx_token token = ptx_lex(&ahead);
    while (token.kind != PTX_TOKEN_END && token.kind != PTX_TOKEN_MALFORMED) {
        bool opens = token.punct == '{' || token.punct == '(';
        bool closes = token.punct == '}' || token.punct == ')';
        /* An element starts behind the outermost brace, and behind each comma in there. */
        n += depth <= 1 && (opens ? !depth : token.punct == ',');
        depth += opens;
        depth -= closes && depth;
        if (!depth)
            break;
        token = ptx_lex(&ahead);
    }
    return n;
}

void ptx_parse_init(struct ptx_parser *p, struct ptx_var *var, const uint64_t *dims,
                    unsigned n_dims, uint32_t element_bytes) {
    struct init init = {var, dims, n_dims, element_bytes};
    if (!var->bytes || var->bytes > MAX_INIT_BYTES)
        ptx_fail(p, p->token.line, "an initialiser for '%.200s' of %llu bytes", var->name,
                 (unsigned long long)var->bytes);
    var->init = ptx_alloc(p, var->bytes, 1);
    p->fixups.n = 0;
    if (ptx_is_punct(p, '{'))
        put_list(p, &init, 0, 0);
    else
        put_element(p, &init, 0);
    var->n_fixups = p->fixups.n;
    var->fixups = ptx_list_keep(p, &p->fixups, 0, sizeof *var->fixups);
}
