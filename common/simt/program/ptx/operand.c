/*
 * Operands: registers, literals, symbols, addresses, vectors and lists.
 */
#include "common/simt/program/ptx/parser.h"

#include <string.h>

enum { MAX_NESTING = 4, WARP_SZ = 32 };

/* How much of a word a message shows. */
static int clip(const struct ptx_token *token) {
    return token->length > 80 ? 80 : (int)token->length;
}

static struct ptx_operand operand_of(enum ptx_operand_kind kind) {
    return (struct ptx_operand){.kind = kind, .reg = -1};
}

struct ptx_operand ptx_parse_literal(struct ptx_parser *p) {
    bool is_negative = ptx_accept(p, '-');
    bool is_inverted = !is_negative && ptx_accept(p, '~');
    struct ptx_token token = p->token;
    struct ptx_operand operand = operand_of(PTX_OP_FLOAT);
    operand.integer = (int64_t)token.bits;
    if (token.kind == PTX_TOKEN_INT) {
        operand.kind = PTX_OP_INT;
        operand.integer = is_negative   ? (int64_t)(0 - token.bits)
                          : is_inverted ? (int64_t)~token.bits
                                        : operand.integer;
    } else if (token.kind == PTX_TOKEN_F32 && !is_inverted) {
        operand.type = PTX_F32;
        operand.integer ^= is_negative ? 1ll << 31 : 0;
    } else if (token.kind == PTX_TOKEN_F64 && !is_inverted) {
        operand.type = PTX_F64;
        operand.integer = (int64_t)(token.bits ^ (is_negative ? 1ull << 63 : 0));
    } else {
        ptx_unexpected(p, "a number");
    }
    ptx_next(p);
    return operand;
}

/* `+ 8`, `- 8`, `+ -8` behind a base; 0 where there is none. */
int64_t ptx_parse_offset(struct ptx_parser *p) {
    uint64_t offset = 0;
    while (ptx_is_punct(p, '+') || ptx_is_punct(p, '-')) {
        bool is_negative = ptx_next(p).punct == '-';
        is_negative ^= ptx_accept(p, '-');
        uint64_t step = ptx_expect_int(p, "a number");
        offset += is_negative ? 0 - step : step;
    }
    return (int64_t)offset;
}

/* The word behind a dot that directly follows `.x`; its start is NULL where none does. */
static struct ptx_token element_of(struct ptx_parser *p, const struct ptx_token *token) {
    if (p->token.kind == PTX_TOKEN_DOTTED && p->token.start == token->start + token->length + 1)
        return ptx_next(p);
    return (struct ptx_token){0};
}

/* 0 to 3 for x to w, or r to a; -1 for anything else. */
static int element_index(const struct ptx_token *element) {
    static const char names[] = "xyzwrgba";
    const char *found = element->length == 1 ? strchr(names, *element->start) : NULL;
    return found ? (int)(found - names) % 4 : -1;
}

/* The special registers: PTX ISA, chapter 10. Those with elements .x, .y, .z and .w; as a whole,
 * they are vectors. */
static const char *const vectors[] = {
    "%tid",       "%ntid",       "%ctaid",         "%nctaid",
    "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid",
};

static const char *const scalars[] = {
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%is_explicit_cluster",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%total_smem_size",
    "%aggr_smem_size",
    "%dynamic_smem_size",
    "%current_graph_exec",
};

/* Those of which there are several; a number follows. */
static const char *const numbered[] = {"%pm", "%envreg", "%reserved_smem_offset_"};

static bool is_among(const struct ptx_token *word, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (ptx_token_is(word, words[i]))
            return true;
    return false;
}

static bool is_numbered(const struct ptx_token *word) {
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++) {
        size_t length = strlen(numbered[i]);
        if (word->length > length && !memcmp(word->start, numbered[i], length) &&
            word->start[length] >= '0' && word->start[length] <= '9')
            return true;
    }
    return false;
}

/* Whether PTX has a special register of that name (without `.x`). */
static bool is_special(const struct ptx_token *word, bool *is_vector) {
    *is_vector = is_among(word, vectors, sizeof vectors / sizeof *vectors);
    return *is_vector || is_among(word, scalars, sizeof scalars / sizeof *scalars) ||
           is_numbered(word);
}

/* `%tid.x`, `%laneid`. */
static struct ptx_operand special_operand(struct ptx_parser *p, const struct ptx_token *token) {
    struct ptx_operand operand = operand_of(PTX_OP_SPECIAL);
    bool is_vector;
    if (!is_special(token, &is_vector))
        ptx_fail(p, token->line, "'%.*s' is no register declared before", clip(token),
                 token->start);
    struct ptx_token element = element_of(p, token);
    if (element.start && (!is_vector || element_index(&element) < 0))
        ptx_fail(p, token->line, "'%.*s' has no element '.%.*s'", clip(token), token->start,
                 clip(&element), element.start);
    size_t length = token->length + (element.start ? 1 + element.length : 0);
    operand.symbol = ptx_intern(p, token->start, length);
    return operand;
}

/* `v` or `v.x` of a vector of registers. */
static struct ptx_operand vector_operand(struct ptx_parser *p, const struct ptx_symbol *vector,
                                         const struct ptx_token *token) {
    struct ptx_operand operand = operand_of(PTX_OP_VECTOR);
    enum ptx_type type = ((struct ptx_reg *)p->regs.items)[vector->value].type;
    uint32_t first = vector->value, n = vector->n_vector;
    struct ptx_token element = element_of(p, token);
    if (element.start) {
        int index = element_index(&element);
        if (index < 0 || (uint32_t)index >= n)
            ptx_fail(p, token->line, "'%.*s' has no element '.%.*s'", clip(token), token->start,
                     clip(&element), element.start);
        operand = operand_of(PTX_OP_REG);
        operand.reg = (int32_t)first + index;
        operand.type = type;
        return operand;
    }
    operand.n_elements = n;
    operand.elements = ptx_alloc(p, n, sizeof operand);
    for (uint32_t i = 0; i < n; i++) {
        operand.elements[i] = operand_of(PTX_OP_REG);
        operand.elements[i].reg = (int32_t)(first + i);
        operand.elements[i].type = type;
    }
    return operand;
}

/* The name of a variable or function as the tree knows it. */
static char *named_symbol(struct ptx_parser *p, const struct ptx_token *token) {
    const struct ptx_symbol *symbol = ptx_symbol_find(p, ptx_intern_token(p, token));
    if (!symbol)
        ptx_fail(p, token->line, "'%.*s' is not declared", clip(token), token->start);
    if (symbol->kind != PTX_SYMBOL_VAR && symbol->kind != PTX_SYMBOL_FUNCTION &&
        symbol->kind != PTX_SYMBOL_CALL)
        ptx_fail(p, token->line, "'%.*s' can't stand here: it is a label", clip(token),
                 token->start);
    return (char *)symbol->name;
}

static struct ptx_operand word_operand(struct ptx_parser *p, bool is_label) {
    struct ptx_token token = ptx_next(p);
    struct ptx_operand operand = operand_of(PTX_OP_REG);
    if (is_label) {
        operand.kind = PTX_OP_LABEL;
        operand.symbol = ptx_intern_token(p, &token);
        return operand;
    }
    operand.reg = ptx_register(p, &token);
    if (operand.reg >= 0) {
        operand.type = ((struct ptx_reg *)p->regs.items)[operand.reg].type;
        return operand;
    }
    if (ptx_token_is(&token, "_"))
        return operand_of(PTX_OP_SINK);
    const struct ptx_symbol *symbol = ptx_symbol_find(p, ptx_intern_token(p, &token));
    if (symbol && symbol->kind == PTX_SYMBOL_VECTOR)
        return vector_operand(p, symbol, &token);
    if (!symbol && *token.start == '%')
        return special_operand(p, &token);
    operand = operand_of(PTX_OP_SYMBOL);
    if (!symbol && ptx_token_is(&token, "WARP_SZ")) {
        operand.kind = PTX_OP_INT;
        operand.integer = WARP_SZ;
        return operand;
    }
    operand.symbol = named_symbol(p, &token);
    operand.integer = ptx_parse_offset(p);
    return operand;
}

static struct ptx_operand parse_nested(struct ptx_parser *p, bool is_label, unsigned depth);

/* Elements up to the closing character, which is passed. */
static void parse_elements(struct ptx_parser *p, struct ptx_operand *operand, char close,
                           unsigned depth) {
    size_t first = p->operands.n;
    while (!ptx_is_punct(p, close)) {
        struct ptx_operand element = parse_nested(p, false, depth + 1);
        *(struct ptx_operand *)ptx_list_add(p, &p->operands, sizeof element) = element;
        if (!ptx_is_punct(p, close))
            ptx_expect(p, ',');
    }
    ptx_next(p);
    operand->n_elements = p->operands.n - first;
    operand->elements = ptx_list_keep(p, &p->operands, first, sizeof *operand);
    p->operands.n = first;
}

/* Behind the `[`. */
static struct ptx_operand parse_address(struct ptx_parser *p, unsigned depth) {
    struct ptx_operand operand = operand_of(PTX_OP_ADDRESS);
    if (p->token.kind == PTX_TOKEN_WORD) {
        struct ptx_token base = ptx_next(p);
        operand.reg = ptx_register(p, &base);
        if (operand.reg < 0)
            operand.symbol = named_symbol(p, &base);
        operand.integer = ptx_parse_offset(p);
    } else {
        uint64_t base = (uint64_t)ptx_parse_literal(p).integer;
        operand.integer = (int64_t)(base + (uint64_t)ptx_parse_offset(p));
    }
    if (ptx_accept(p, ','))
        parse_elements(p, &operand, ']', depth);
    else
        ptx_expect(p, ']');
    return operand;
}

static struct ptx_operand parse_nested(struct ptx_parser *p, bool is_label, unsigned depth) {
    if (depth > MAX_NESTING)
        ptx_fail(p, p->token.line, "operands are nested more than %d deep", MAX_NESTING);
    if (ptx_accept(p, '!')) {
        struct ptx_operand operand = parse_nested(p, false, depth + 1);
        operand.negated = !operand.negated;
        return operand;
    }
    if (p->token.kind == PTX_TOKEN_WORD)
        return word_operand(p, is_label);
    if (ptx_accept(p, '['))
        return parse_address(p, depth);
    if (ptx_is_punct(p, '{') || ptx_is_punct(p, '(')) {
        bool is_vector = ptx_next(p).punct == '{';
        struct ptx_operand operand = operand_of(is_vector ? PTX_OP_VECTOR : PTX_OP_LIST);
        parse_elements(p, &operand, is_vector ? '}' : ')', depth);
        return operand;
    }
    bool is_literal = p->token.kind == PTX_TOKEN_INT || p->token.kind == PTX_TOKEN_F32 ||
                      p->token.kind == PTX_TOKEN_F64 || ptx_is_punct(p, '-') ||
                      ptx_is_punct(p, '~');
    if (!is_literal)
        ptx_unexpected(p, "an operand");
    return ptx_parse_literal(p);
}

struct ptx_operand ptx_parse_operand(struct ptx_parser *p, bool is_label) {
    return parse_nested(p, is_label, 0);
}
