/*
 * The module: version and target, variables, functions; and the way in, ptx_parse.
 */
#include "common/simt/program/ptx/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void skip_to(struct ptx_parser *p, char punct) {
    char wanted[] = {'\'', punct, '\'', '\0'};
    while (!ptx_accept(p, punct)) {
        if (p->token.kind == PTX_TOKEN_END || p->token.kind == PTX_TOKEN_MALFORMED)
            ptx_unexpected(p, wanted);
        ptx_next(p);
    }
}

/* `.version 9.0`: the lexer sees a number with a fraction. */
static void parse_version(struct ptx_parser *p) {
    if (p->token.kind != PTX_TOKEN_DOTTED || !ptx_token_is(&p->token, "version"))
        ptx_fail(p, p->token.line, "this is no PTX: it does not start with .version");
    ptx_next(p);
    char copy[16] = "";
    if (p->token.kind != PTX_TOKEN_F64 || p->token.length >= sizeof copy)
        ptx_unexpected(p, "a version such as 9.0");
    memcpy(copy, p->token.start, p->token.length);
    if (sscanf(copy, "%u.%u", &p->module->version_major, &p->module->version_minor) != 2)
        ptx_unexpected(p, "a version such as 9.0");
    ptx_next(p);
}

static void parse_target(struct ptx_parser *p) {
    do {
        struct ptx_token word = ptx_expect_word(p, "a target such as sm_75");
        char *text = ptx_intern_token(p, &word);
        if (!strncmp(text, "sm_", 3))
            p->module->target = (unsigned)strtoul(text + 3, NULL, 10);
    } while (ptx_accept(p, ','));
}

/* Lays out parameters in the packed block, each at a multiple of its alignment. */
static uint64_t lay_out(struct ptx_var *params, size_t n) {
    uint64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        at = (at + params[i].align - 1) & ~((uint64_t)params[i].align - 1);
        params[i].offset = at;
        at += params[i].bytes;
    }
    return at;
}

/* `(.param .u32 x, …)`, or nothing. */
static struct ptx_var *parse_params(struct ptx_parser *p, size_t *n, uint64_t *bytes) {
    struct ptx_list list = {0};
    *n = 0;
    *bytes = 0;
    if (!ptx_accept(p, '('))
        return NULL;
    p->params.n = 0;
    while (!ptx_is_punct(p, ')')) {
        ptx_parse_param(p, &p->params);
        if (!ptx_is_punct(p, ')'))
            ptx_expect(p, ',');
    }
    ptx_next(p);
    list = p->params;
    struct ptx_var *params = ptx_list_keep(p, &list, 0, sizeof *params);
    *n = list.n;
    *bytes = lay_out(params, list.n);
    return params;
}

/* `.maxntid 256, 1, 1` and its like, each with its numbers. */
static void parse_attributes(struct ptx_parser *p, struct ptx_function *function) {
    static const char *const known[] = {
        "maxntid",
        "reqntid",
        "reqnctapercluster",
        "minnctapersm",
        "maxnctapersm",
        "maxnreg",
        "noreturn",
        "maxclusterrank",
        "explicitcluster",
        "abi_preserve",
        "abi_preserve_control",
        "blocksareclusters",
        "unique",
    };
    while (p->token.kind == PTX_TOKEN_DOTTED) {
        struct ptx_token token = ptx_next(p);
        if (ptx_token_is(&token, "pragma")) {
            skip_to(p, ';');
            continue;
        }
        size_t i = 0;
        while (i < sizeof known / sizeof *known && !ptx_token_is(&token, known[i]))
            i++;
        if (i == sizeof known / sizeof *known)
            ptx_fail(p, token.line, "unknown directive '.%.*s' of a function",
                     (int)(token.length > 80 ? 80 : token.length), token.start);
        uint64_t product = 1;
        while (p->token.kind == PTX_TOKEN_INT || ptx_is_punct(p, ',')) {
            struct ptx_token number = ptx_next(p);
            if (number.kind == PTX_TOKEN_INT && i < 3 &&
                (__builtin_mul_overflow(product, number.bits, &product) || product > UINT32_MAX))
                ptx_fail(p, number.line, "a cta of too many threads, or a cluster of too many");
        }
        if (i < 2)
            function->max_cta_threads = (uint32_t)product;
        else if (i == 2)
            function->cluster_ctas = (uint32_t)product;
    }
}

/* A function may be declared before (and after) it is defined. */
static uint32_t function_slot(struct ptx_parser *p, const struct ptx_token *token) {
    char *name = ptx_intern_token(p, token);
    struct ptx_symbol *symbol = ptx_symbol_find(p, name);
    if (symbol && symbol->kind != PTX_SYMBOL_FUNCTION)
        ptx_fail(p, token->line, "'%.200s' is a variable and a function", name);
    if (symbol)
        return symbol->value;
    struct ptx_function *function = ptx_list_add(p, &p->functions, sizeof *function);
    function->name = name;
    function->is_declaration = true;
    ptx_symbol_add(p, name, PTX_SYMBOL_FUNCTION)->value = (uint32_t)p->functions.n - 1;
    return (uint32_t)p->functions.n - 1;
}

static void parse_function(struct ptx_parser *p, bool is_entry) {
    struct ptx_function function = {.is_entry = is_entry};
    uint64_t result_bytes;
    struct ptx_lexer ahead;
    /* The results' names live in the function's scope, its own name outside: look past them. */
    while (p->token.kind == PTX_TOKEN_DOTTED && ptx_token_is(&p->token, "noreturn"))
        ptx_next(p);
    struct ptx_token token = p->token, name = p->token;
    ahead = p->lexer;
    if (ptx_is_punct(p, '(')) {
        while (token.kind != PTX_TOKEN_END && token.punct != ')')
            token = ptx_lex(&ahead);
        name = ptx_lex(&ahead);
    }
    if (name.kind != PTX_TOKEN_WORD)
        ptx_fail(p, name.line, "a function without a name");
    uint32_t slot = function_slot(p, &name);
    function.name = ((struct ptx_function *)p->functions.items)[slot].name;
    function.ptx_line = name.line;
    ptx_scope_open(p);
    function.results = parse_params(p, &function.n_results, &result_bytes);
    if (is_entry && function.n_results)
        ptx_fail(p, name.line, "the kernel '%.200s' has a result", function.name);
    ptx_expect_word(p, "a function's name");
    function.params = parse_params(p, &function.n_params, &function.param_bytes);
    parse_attributes(p, &function);
    if (ptx_accept(p, ';')) {
        function.is_declaration = true;
    } else {
        ptx_expect(p, '{');
        ptx_parse_body(p, &function);
    }
    ptx_scope_close(p);
    struct ptx_function *known = (struct ptx_function *)p->functions.items + slot;
    if (!known->is_declaration && !function.is_declaration)
        ptx_fail(p, name.line, "the function '%.200s' is defined twice", function.name);
    if (known->is_declaration)
        *known = function;
}

static void parse_section(struct ptx_parser *p) {
    ptx_next(p); /* its name */
    if (!ptx_is_punct(p, '{'))
        ptx_unexpected(p, "'{'");
    if (!ptx_lex_skip_section(&p->lexer))
        ptx_fail(p, p->token.line, "a section that is not closed");
    ptx_next(p);
}

/* One declaration of the module's scope. */
static void parse_declaration(struct ptx_parser *p) {
    bool is_extern = false;
    if (p->token.kind != PTX_TOKEN_DOTTED)
        ptx_unexpected(p, "a directive");
    struct ptx_token token = ptx_next(p);
    while (ptx_token_is(&token, "extern") || ptx_token_is(&token, "visible") ||
           ptx_token_is(&token, "weak") || ptx_token_is(&token, "common")) {
        is_extern |= ptx_token_is(&token, "extern");
        if (p->token.kind != PTX_TOKEN_DOTTED)
            ptx_unexpected(p, "a directive");
        token = ptx_next(p);
    }
    enum ptx_space space;
    if (ptx_token_is(&token, "func") || ptx_token_is(&token, "entry"))
        parse_function(p, *token.start == 'e');
    else if (ptx_space_of(&token, &space) && space > PTX_LOCAL)
        ptx_parse_vars(p, space, is_extern);
    else if (ptx_token_is(&token, "file"))
        ptx_parse_file(p);
    else if (ptx_token_is(&token, "section"))
        parse_section(p);
    else if (ptx_token_is(&token, "pragma") || ptx_token_is(&token, "alias"))
        skip_to(p, ';'); /* who calls an alias finds a declaration without a body */
    else if (ptx_token_is(&token, "target"))
        parse_target(p);
    else if (ptx_token_is(&token, "address_size")) {
        if (ptx_expect_int(p, "64") != 64)
            ptx_unsupported(p, token.line, "unsupported: addresses of 32 bits");
    } else
        ptx_fail(p, token.line, "unknown directive '.%.*s'",
                 (int)(token.length > 80 ? 80 : token.length), token.start);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const struct ptx_name *)a)->name, ((const struct ptx_name *)b)->name);
}

static void *find_name(const struct ptx_name *names, size_t n, const char *name) {
    struct ptx_name wanted = {name, NULL};
    struct ptx_name *found = n ? bsearch(&wanted, names, n, sizeof wanted, compare_names) : NULL;
    return found ? found->item : NULL;
}

struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name) {
    return find_name(module->function_names, module->n_functions, name);
}

struct ptx_var *ptx_find_var(const struct ptx_module *module, const char *name) {
    return find_name(module->var_names, module->n_vars, name);
}

static void finish(struct ptx_parser *p) {
    struct ptx_module *module = p->module;
    ptx_resolve_locs(p);
    module->n_functions = p->functions.n;
    module->functions = ptx_list_keep(p, &p->functions, 0, sizeof *module->functions);
    module->n_vars = p->vars.n;
    module->vars = ptx_list_keep(p, &p->vars, 0, sizeof *module->vars);
    module->function_names = ptx_alloc(p, module->n_functions, sizeof(struct ptx_name));
    for (size_t i = 0; i < module->n_functions; i++)
        module->function_names[i] =
            (struct ptx_name){module->functions[i].name, &module->functions[i]};
    module->var_names = ptx_alloc(p, module->n_vars, sizeof(struct ptx_name));
    for (size_t i = 0; i < module->n_vars; i++)
        module->var_names[i] = (struct ptx_name){module->vars[i].name, &module->vars[i]};
    qsort(module->function_names, module->n_functions, sizeof(struct ptx_name), compare_names);
    qsort(module->var_names, module->n_vars, sizeof(struct ptx_name), compare_names);
}

static void free_parser(struct ptx_parser *p) {
    struct ptx_range *ranges = p->ranges.items;
    for (size_t i = 0; i < p->ranges.n; i++)
        free(ranges[i].index);
    struct ptx_list *lists[] = {
        &p->symbols.entries, &p->functions, &p->vars,   &p->files,  &p->locs, &p->regs,
        &p->locals,          &p->insns,     &p->ranges, &p->tables, &p->uses, &p->operands,
        &p->modifiers,       &p->fixups,    &p->params,
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->items);
    free(p->symbols.heads);
    free(p);
}

/* Apart from its caller, whose variables a longjmp might clobber. */
static bool parse_module(struct ptx_parser *p, const char *text, size_t bytes) {
    if (setjmp(p->failed))
        return false;
    isa_words_init(&p->words);
    ptx_lexer_init(&p->lexer, text, bytes);
    ptx_next(p);
    parse_version(p);
    while (p->token.kind != PTX_TOKEN_END)
        parse_declaration(p);
    finish(p);
    return true;
}

struct ptx_module *ptx_parse(const char *text, size_t bytes, struct simt_diag *diag) {
    *diag = (struct simt_diag){.status = SIMT_NO_MEMORY, .message = "out of memory"};
    struct ptx_arena *arena = ptx_arena_create();
    struct ptx_parser *p = calloc(1, sizeof *p);
    struct ptx_module *module = arena ? ptx_arena_alloc(arena, sizeof *module) : NULL;
    if (!p || !module) {
        free(p);
        ptx_arena_destroy(arena);
        return NULL;
    }
    module->arena = arena;
    p->arena = arena;
    p->module = module;
    p->diag = diag;
    bool ok = parse_module(p, text, bytes);
    free_parser(p);
    if (!ok) {
        ptx_arena_destroy(arena);
        return NULL;
    }
    *diag = (struct simt_diag){.status = SIMT_OK};
    return module;
}

void ptx_free(struct ptx_module *module) {
    if (module)
        ptx_arena_destroy(module->arena);
}

bool ptx_has(const struct ptx_insn *insn, enum isa_modifier modifier) {
    for (unsigned i = 0; i < insn->n_modifiers; i++)
        if (insn->modifiers[i] == modifier)
            return true;
    return false;
}

unsigned ptx_modifier_traits(const struct ptx_insn *insn) {
    unsigned traits = 0;
    for (unsigned i = 0; i < insn->n_modifiers; i++)
        traits |= isa_modifiers[insn->modifiers[i]].traits;
    return traits;
}

enum ptx_type ptx_insn_type(const struct ptx_insn *insn, unsigned n) {
    for (unsigned i = 0; i < insn->n_modifiers; i++)
        if (ptx_modifier_type(insn->modifiers[i]) != PTX_NO_TYPE && !n--)
            return ptx_modifier_type(insn->modifiers[i]);
    return PTX_NO_TYPE;
}
