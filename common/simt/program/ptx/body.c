/*
 * A function's body: scopes, labels, directives and instructions.
 */
#include "common/simt/program/ptx/parser.h"

/* The instruction as written, blanks and comments reduced to one blank. */
static char *copy_text(struct ptx_parser *p, const char *start, const char *end) {
    char *text = ptx_alloc(p, (size_t)(end - start) + 1, 1), *to = text;
    for (const char *from = start; from < end; from++) {
        bool is_blank = *from == ' ' || *from == '\t' || *from == '\n' || *from == '\r';
        if (!is_blank)
            *to++ = *from;
        else if (to > text && to[-1] != ' ' && to[-1] != '(')
            *to++ = ' ';
    }
    while (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
    return text;
}

static void use_label(struct ptx_parser *p, struct ptx_operand *operand, unsigned line) {
    struct ptx_label_use *use = ptx_list_add(p, &p->uses, sizeof *use);
    *use = (struct ptx_label_use){operand, line};
}

/* Registers are checked where they must be: a guard is no guard otherwise. */
static void parse_guard(struct ptx_parser *p, struct ptx_insn *insn) {
    insn->guard = -1;
    if (!ptx_accept(p, '@'))
        return;
    insn->guard_negated = ptx_accept(p, '!');
    struct ptx_token name = ptx_expect_word(p, "a predicate");
    insn->guard = ptx_register(p, &name);
    const struct ptx_reg *regs = p->regs.items;
    if (insn->guard < 0 || regs[insn->guard].type != PTX_PRED)
        ptx_fail(p, name.line, "the guard '%.*s' is no predicate register",
                 (int)(name.length > 80 ? 80 : name.length), name.start);
}

static void parse_opcode(struct ptx_parser *p, struct ptx_insn *insn,
                         const struct ptx_token *opcode) {
    insn->opcode = isa_opcode_of(&p->words, opcode->start, opcode->length);
    p->modifiers.n = 0;
    while (p->token.kind == PTX_TOKEN_DOTTED) {
        struct ptx_token modifier = ptx_next(p);
        *(enum isa_modifier *)ptx_list_add(p, &p->modifiers, sizeof *insn->modifiers) =
            isa_modifier_of(&p->words, modifier.start, modifier.length);
    }
    insn->n_modifiers = (unsigned)p->modifiers.n;
    insn->modifiers = ptx_list_keep(p, &p->modifiers, 0, sizeof *insn->modifiers);
}

static void parse_operands(struct ptx_parser *p, struct ptx_insn *insn) {
    bool is_bra = isa_opcodes[insn->opcode].flow == ISA_FLOW_BRANCH;
    bool is_brx = isa_opcodes[insn->opcode].flow == ISA_FLOW_SWITCH;
    p->operands.n = 0;
    while (!ptx_is_punct(p, ';')) {
        bool is_label = is_bra || (is_brx && p->operands.n == 1);
        struct ptx_operand operand = ptx_parse_operand(p, is_label);
        *(struct ptx_operand *)ptx_list_add(p, &p->operands, sizeof operand) = operand;
        if (p->operands.n == 1 && ptx_accept(p, '|'))
            insn->paired = true;
        else if (!ptx_is_punct(p, ';'))
            ptx_expect(p, ',');
    }
    insn->n_operands = (unsigned)p->operands.n;
    insn->operands = ptx_list_keep(p, &p->operands, 0, sizeof *insn->operands);
    for (unsigned i = 0; i < insn->n_operands; i++)
        if (insn->operands[i].kind == PTX_OP_LABEL)
            use_label(p, &insn->operands[i], insn->ptx_line);
    if ((is_bra && (insn->n_operands != 1 || insn->operands[0].kind != PTX_OP_LABEL)) ||
        (is_brx && (insn->n_operands != 2 || insn->operands[1].kind != PTX_OP_LABEL)))
        ptx_fail(p, insn->ptx_line, "a branch without a label to go to");
}

/* From the guard, or the word behind it, to the semicolon. */
static void parse_insn(struct ptx_parser *p, const char *start, struct ptx_insn *insn,
                       const struct ptx_token *opcode) {
    insn->ptx_line = opcode->line;
    insn->file = p->loc == PTX_NO_LOC ? 0 : p->loc + 1;
    parse_opcode(p, insn, opcode);
    parse_operands(p, insn);
    insn->text = copy_text(p, start, p->token.start);
    ptx_expect(p, ';');
    *(struct ptx_insn *)ptx_list_add(p, &p->insns, sizeof *insn) = *insn;
}

static void skip_statement(struct ptx_parser *p) {
    while (!ptx_accept(p, ';')) {
        if (p->token.kind == PTX_TOKEN_END || p->token.kind == PTX_TOKEN_MALFORMED)
            ptx_unexpected(p, "';'");
        ptx_next(p);
    }
}

/* `.branchtargets L1, L2;` */
static void parse_table(struct ptx_parser *p, const char *name) {
    unsigned line = p->token.line;
    p->operands.n = 0;
    do {
        struct ptx_operand operand = ptx_parse_operand(p, true);
        if (operand.kind != PTX_OP_LABEL)
            ptx_fail(p, line, "'%.200s' holds something else than labels", name);
        *(struct ptx_operand *)ptx_list_add(p, &p->operands, sizeof operand) = operand;
    } while (ptx_accept(p, ','));
    ptx_expect(p, ';');
    struct ptx_table *table = ptx_list_add(p, &p->tables, sizeof *table);
    table->n = p->operands.n;
    table->elements = ptx_list_keep(p, &p->operands, 0, sizeof *table->elements);
    for (size_t i = 0; i < table->n; i++)
        use_label(p, &table->elements[i], line);
    ptx_symbol_declare(p, name, PTX_SYMBOL_TABLE, line)->value = (uint32_t)p->tables.n - 1;
}

/* Behind `name:`. */
static void parse_label(struct ptx_parser *p, const struct ptx_token *token) {
    const char *name = ptx_intern_token(p, token);
    if (ptx_is_dotted(p, "branchtargets")) {
        ptx_next(p);
        parse_table(p, name);
        return;
    }
    if (ptx_is_dotted(p, "callprototype") || ptx_is_dotted(p, "calltargets")) {
        ptx_symbol_declare(p, name, PTX_SYMBOL_CALL, token->line);
        skip_statement(p);
        return;
    }
    ptx_symbol_declare(p, name, PTX_SYMBOL_LABEL, token->line)->value = (uint32_t)p->insns.n;
    p->last_label = p->insns.n + 1;
}

static void parse_directive(struct ptx_parser *p) {
    struct ptx_token token = ptx_next(p);
    enum ptx_space space;
    if (ptx_space_of(&token, &space) && space == PTX_REG)
        ptx_parse_reg(p);
    else if (ptx_space_of(&token, &space))
        ptx_parse_vars(p, space, false);
    else if (ptx_token_is(&token, "loc"))
        ptx_parse_loc(p);
    else if (ptx_token_is(&token, "file"))
        ptx_parse_file(p);
    else if (ptx_token_is(&token, "pragma"))
        skip_statement(p);
    else
        ptx_fail(p, token.line, "unknown directive '.%.*s' in a function",
                 (int)(token.length > 80 ? 80 : token.length), token.start);
}

static void parse_statement(struct ptx_parser *p) {
    if (p->token.kind == PTX_TOKEN_DOTTED) {
        parse_directive(p);
        return;
    }
    if (ptx_accept(p, ';')) /* empty, as inline assembly may leave it */
        return;
    const char *start = p->token.start;
    bool is_guarded = ptx_is_punct(p, '@');
    struct ptx_insn insn = {0};
    parse_guard(p, &insn);
    struct ptx_token word = ptx_expect_word(p, "an instruction");
    if (!is_guarded && ptx_accept(p, ':'))
        parse_label(p, &word);
    else
        parse_insn(p, start, &insn, &word);
}

/* See ptx.h: bodies end with an instruction that goes elsewhere. */
static void end_with_ret(struct ptx_parser *p) {
    const struct ptx_insn *last =
        p->insns.n ? (struct ptx_insn *)p->insns.items + p->insns.n - 1 : NULL;
    bool has_label = p->last_label == p->insns.n + 1;
    if (last && !has_label && last->guard < 0 && isa_goes_elsewhere(last->opcode))
        return;
    struct ptx_insn *ret = ptx_list_add(p, &p->insns, sizeof *ret);
    ret->opcode = ISA_RET;
    ret->text = isa_opcodes[ISA_RET].word;
    ret->guard = -1;
    ret->ptx_line = p->token.line;
    ret->file = p->loc == PTX_NO_LOC ? 0 : p->loc + 1;
}

void ptx_parse_body(struct ptx_parser *p, struct ptx_function *function) {
    unsigned outer = p->depth;
    p->regs.n = p->locals.n = p->insns.n = p->tables.n = 0;
    p->last_label = 0;
    p->loc = p->chain = PTX_NO_LOC;
    p->n_renamed = 0;
    while (p->depth > outer || !ptx_is_punct(p, '}')) {
        if (ptx_accept(p, '{')) {
            ptx_scope_open(p);
        } else if (ptx_is_punct(p, '}')) {
            ptx_scope_close(p);
            ptx_next(p);
        } else {
            parse_statement(p);
        }
    }
    end_with_ret(p);
    ptx_next(p);
    function->n_regs = p->regs.n;
    function->regs = ptx_list_keep(p, &p->regs, 0, sizeof *function->regs);
    function->n_vars = p->locals.n;
    function->vars = ptx_list_keep(p, &p->locals, 0, sizeof *function->vars);
    function->n_insns = p->insns.n;
    function->insns = ptx_list_keep(p, &p->insns, 0, sizeof *function->insns);
}
