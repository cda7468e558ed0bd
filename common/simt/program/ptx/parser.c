/*
 * The parser's tools: failing, growing, and looking at the next token.
 */
#include "common/simt/program/ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void describe(struct ptx_parser *p, enum simt_status status, unsigned line,
                     const char *format, va_list arguments) {
    *p->diag = (struct simt_diag){.status = status, .line = line};
    vsnprintf(p->diag->message, sizeof p->diag->message, format, arguments);
}

void ptx_fail(struct ptx_parser *p, unsigned line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    describe(p, SIMT_BAD_PTX, line, format, arguments);
    va_end(arguments);
    longjmp(p->failed, 1);
}

void ptx_unsupported(struct ptx_parser *p, unsigned line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    describe(p, SIMT_UNSUPPORTED, line, format, arguments);
    va_end(arguments);
    longjmp(p->failed, 1);
}

void ptx_fail_memory(struct ptx_parser *p) {
    *p->diag = (struct simt_diag){.status = SIMT_NO_MEMORY, .message = "out of memory"};
    longjmp(p->failed, 1);
}

void ptx_unexpected(struct ptx_parser *p, const char *wanted) {
    const struct ptx_token *token = &p->token;
    if (token->kind == PTX_TOKEN_MALFORMED)
        ptx_fail(p, token->line, "%s", token->start);
    if (token->kind == PTX_TOKEN_END)
        ptx_fail(p, token->line, "the PTX ends where %s should stand", wanted);
    int length = token->length > 80 ? 80 : (int)token->length;
    ptx_fail(p, token->line, "found '%s%.*s' where %s should stand",
             token->kind == PTX_TOKEN_DOTTED ? "." : "", length, token->start, wanted);
}

void *ptx_alloc(struct ptx_parser *p, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size)
        ptx_fail_memory(p);
    void *result = ptx_arena_alloc(p->arena, count * size);
    if (!result)
        ptx_fail_memory(p);
    return result;
}

char *ptx_intern(struct ptx_parser *p, const char *word, size_t length) {
    char *result = ptx_arena_intern(p->arena, word, length);
    if (!result)
        ptx_fail_memory(p);
    return result;
}

char *ptx_intern_token(struct ptx_parser *p, const struct ptx_token *token) {
    return ptx_intern(p, token->start, token->length);
}

/* A new zeroed item at the end; moves the others. */
void *ptx_list_add(struct ptx_parser *p, struct ptx_list *list, size_t size) {
    if (list->n == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 16;
        void *items = list->n < UINT32_MAX / 2 ? realloc(list->items, capacity * size) : NULL;
        if (!items)
            ptx_fail_memory(p);
        list->items = items;
        list->capacity = capacity;
    }
    return memset((char *)list->items + list->n++ * size, 0, size);
}

/* The items from `first` on, copied into the arena. */
void *ptx_list_keep(struct ptx_parser *p, const struct ptx_list *list, size_t first, size_t size) {
    size_t n = list->n - first;
    void *copy = ptx_alloc(p, n, size);
    if (n)
        memcpy(copy, (char *)list->items + first * size, n * size);
    return copy;
}

struct ptx_token ptx_next(struct ptx_parser *p) {
    struct ptx_token passed = p->token;
    p->token = ptx_lex(&p->lexer);
    return passed;
}

bool ptx_is_punct(const struct ptx_parser *p, char punct) {
    return p->token.kind == PTX_TOKEN_PUNCT && p->token.punct == punct;
}

bool ptx_token_is(const struct ptx_token *token, const char *word) {
    return !strncmp(token->start, word, token->length) && !word[token->length];
}

bool ptx_is_dotted(const struct ptx_parser *p, const char *word) {
    return p->token.kind == PTX_TOKEN_DOTTED && ptx_token_is(&p->token, word);
}

bool ptx_accept(struct ptx_parser *p, char punct) {
    if (!ptx_is_punct(p, punct))
        return false;
    ptx_next(p);
    return true;
}

void ptx_expect(struct ptx_parser *p, char punct) {
    char wanted[] = {'\'', punct, '\'', '\0'};
    if (!ptx_accept(p, punct))
        ptx_unexpected(p, wanted);
}

struct ptx_token ptx_expect_word(struct ptx_parser *p, const char *what) {
    if (p->token.kind != PTX_TOKEN_WORD)
        ptx_unexpected(p, what);
    return ptx_next(p);
}

uint64_t ptx_expect_int(struct ptx_parser *p, const char *what) {
    if (p->token.kind != PTX_TOKEN_INT)
        ptx_unexpected(p, what);
    return ptx_next(p).bits;
}
