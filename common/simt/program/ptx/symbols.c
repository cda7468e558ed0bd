/*
 * Names in scope: one hash table whose chains start with the innermost declaration, and a stack
 * that undoes a scope's declarations when it closes.
 */
#include "common/simt/program/ptx/parser.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_HEADS = 1024 };
#define NO_SYMBOL UINT32_MAX

/* Words are interned, so that their address is their identity. */
static size_t head_of(const struct ptx_symbols *symbols, const char *word) {
    uint64_t hash = (uintptr_t)word * 0x9e3779b97f4a7c15;
    return (hash >> 32) & (symbols->n_heads - 1);
}

static void rehash(struct ptx_parser *p, size_t n_heads) {
    struct ptx_symbols *symbols = &p->symbols;
    uint32_t *heads = realloc(symbols->heads, n_heads * sizeof *heads);
    if (!heads)
        ptx_fail_memory(p);
    symbols->heads = heads;
    symbols->n_heads = n_heads;
    memset(heads, 0xff, n_heads * sizeof *heads);
    struct ptx_symbol *entries = symbols->entries.items;
    for (size_t i = 0; i < symbols->entries.n; i++) {
        size_t head = head_of(symbols, entries[i].word);
        entries[i].next = heads[head];
        heads[head] = (uint32_t)i;
    }
}

struct ptx_symbol *ptx_symbol_add(struct ptx_parser *p, const char *word,
                                  enum ptx_symbol_kind kind) {
    struct ptx_symbols *symbols = &p->symbols;
    if (symbols->entries.n >= symbols->n_heads)
        rehash(p, symbols->n_heads ? symbols->n_heads * 2 : FIRST_HEADS);
    size_t head = head_of(symbols, word);
    struct ptx_symbol *symbol = ptx_list_add(p, &symbols->entries, sizeof *symbol);
    *symbol = (struct ptx_symbol){word, word, kind, 0, 0, symbols->heads[head]};
    symbols->heads[head] = (uint32_t)(symbols->entries.n - 1);
    return symbol;
}

struct ptx_symbol *ptx_symbol_declare(struct ptx_parser *p, const char *word,
                                      enum ptx_symbol_kind kind, unsigned line) {
    const struct ptx_symbol *known = ptx_symbol_find(p, word);
    size_t n_outer = p->depth ? p->scopes[p->depth - 1].n_symbols : 0;
    if (known && known >= (struct ptx_symbol *)p->symbols.entries.items + n_outer)
        ptx_fail(p, line, "'%.200s' is declared twice", word);
    return ptx_symbol_add(p, word, kind);
}

struct ptx_symbol *ptx_symbol_find(struct ptx_parser *p, const char *word) {
    const struct ptx_symbols *symbols = &p->symbols;
    struct ptx_symbol *entries = symbols->entries.items;
    uint32_t at = symbols->n_heads ? symbols->heads[head_of(symbols, word)] : NO_SYMBOL;
    while (at != NO_SYMBOL && entries[at].word != word)
        at = entries[at].next;
    return at == NO_SYMBOL ? NULL : &entries[at];
}

static void pop_symbols(struct ptx_parser *p, size_t n_left) {
    struct ptx_symbols *symbols = &p->symbols;
    struct ptx_symbol *entries = symbols->entries.items;
    while (symbols->entries.n > n_left) {
        struct ptx_symbol *last = &entries[--symbols->entries.n];
        symbols->heads[head_of(symbols, last->word)] = last->next;
    }
}

void ptx_scope_open(struct ptx_parser *p) {
    if (p->depth == PTX_MAX_DEPTH)
        ptx_fail(p, p->token.line, "scopes are nested more than %d deep", PTX_MAX_DEPTH);
    p->scopes[p->depth++] =
        (struct ptx_scope){p->symbols.entries.n, p->uses.n, p->ranges.n, p->token.line};
}

/* Gives a used label its instruction (or its table) where this scope declares it. */
static bool resolve(struct ptx_parser *p, struct ptx_operand *operand, size_t n_outer) {
    struct ptx_symbol *symbol = ptx_symbol_find(p, operand->symbol);
    if (!symbol || symbol - (struct ptx_symbol *)p->symbols.entries.items < (ptrdiff_t)n_outer)
        return false;
    if (symbol->kind == PTX_SYMBOL_LABEL) {
        operand->integer = symbol->value;
        return true;
    }
    if (symbol->kind != PTX_SYMBOL_TABLE)
        return false;
    struct ptx_table *table = (struct ptx_table *)p->tables.items + symbol->value;
    operand->kind = PTX_OP_LIST;
    operand->elements = table->elements;
    operand->n_elements = table->n;
    return true;
}

void ptx_scope_close(struct ptx_parser *p) {
    struct ptx_scope *scope = &p->scopes[--p->depth];
    struct ptx_label_use *uses = p->uses.items;
    size_t n_left = scope->n_uses;
    for (size_t i = scope->n_uses; i < p->uses.n; i++)
        if (!resolve(p, uses[i].operand, scope->n_symbols))
            uses[n_left++] = uses[i];
    p->uses.n = n_left;
    pop_symbols(p, scope->n_symbols);
    struct ptx_range *ranges = p->ranges.items;
    while (p->ranges.n > scope->n_ranges)
        free(ranges[--p->ranges.n].index);
    if (!p->depth && n_left)
        ptx_fail(p, uses[0].line, "the label '%.200s' is not defined", uses[0].operand->symbol);
}

/* The register `number` of a range, named for the first time or again. */
static int32_t range_register(struct ptx_parser *p, struct ptx_range *range, uint64_t number,
                              const char *word) {
    if (number >= range->n)
        return -1;
    if (range->index[number] < 0) {
        struct ptx_reg *reg = ptx_list_add(p, &p->regs, sizeof *reg);
        *reg = (struct ptx_reg){(char *)word, range->type};
        range->index[number] = (int32_t)p->regs.n - 1;
    }
    return range->index[number];
}

int32_t ptx_register(struct ptx_parser *p, const struct ptx_token *token) {
    const char *word = ptx_intern_token(p, token);
    struct ptx_symbol *symbol = ptx_symbol_find(p, word);
    if (symbol)
        return symbol->kind == PTX_SYMBOL_REG ? (int32_t)symbol->value : -1;
    size_t stem = token->length;
    while (stem && word[stem - 1] >= '0' && word[stem - 1] <= '9')
        stem--;
    size_t n_digits = token->length - stem;
    if (!stem || !n_digits || n_digits > 9 || (n_digits > 1 && word[stem] == '0'))
        return -1;
    /* A variable may bear the stem's name; a range's word ends in '<' to tell them apart. */
    char marked[64];
    if (stem >= sizeof marked - 1)
        return -1;
    memcpy(marked, word, stem);
    marked[stem] = '<';
    symbol = ptx_symbol_find(p, ptx_intern(p, marked, stem + 1));
    if (!symbol)
        return -1;
    struct ptx_range *range = (struct ptx_range *)p->ranges.items + symbol->value;
    return range_register(p, range, strtoul(word + stem, NULL, 10), word);
}
