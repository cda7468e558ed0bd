/*
 * A CUDA source as mutating needs it: tokens with their brackets, functions with the side that they
 * run on, statements one within the other, and which of it students write. It is no compiler: of
 * what it does not understand it makes plain statements, and nvcc refuses what came of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "grader/alike/lexer.h"

enum source_side { SOURCE_FILE, SOURCE_HOST, SOURCE_DEVICE, SOURCE_BOTH };

struct source_token {
    const char *at;
    size_t bytes;
    unsigned line;
    enum lexeme_kind kind;
    enum source_side side;
    bool is_open;     /* students write it */
    bool is_template; /* < or > around a template's arguments */
    size_t match;     /* of a bracket or <<< the other one; else the token itself */
};

enum statement_kind {
    STATEMENT_SIMPLE,
    STATEMENT_DECLARATION,
    STATEMENT_BLOCK,
    STATEMENT_IF,
    STATEMENT_FOR,
    STATEMENT_WHILE,
    STATEMENT_DO,
};

#define SOURCE_NONE ((size_t)-1)

struct statement {
    enum statement_kind kind;
    size_t first, end;      /* tokens */
    size_t head;            /* token: the ( behind if, for, while; else SOURCE_NONE */
    size_t body, otherwise; /* statements: of if and loops; SOURCE_NONE where there is none */
    size_t parent;          /* statement; SOURCE_NONE for a function's block */
};

struct source {
    char *text; /* owned */
    size_t bytes;
    struct source_token *tokens;
    size_t n;
    struct statement *statements; /* each behind the one around it */
    size_t n_statements;
};

/* Reads a text; takes it. What lies outside of its TODO regions is not open; where it has none, all
 * functions are. */
void source_init(struct source *source, char *text, size_t bytes);
void source_finish(struct source *source);

/* True where a token, SOURCE_NONE and the end included, is this text. */
bool source_is(const struct source *source, size_t token, const char *text);
/* True where a token's text has this pattern, as of files' names. */
bool source_is_like(const struct source *source, size_t token, const char *pattern);
/* True where a token is the name of a type, or a word of one. */
bool source_is_type(const struct source *source, size_t token);
/* True where the token at `at` is an operator with an operand on each side. */
bool source_is_binary(const struct source *source, size_t token);

/* The first token from `first` on and before `end` that has the pattern; `end` where none has. */
size_t source_find(const struct source *source, size_t first, size_t end, const char *pattern);

/* The statement that follows in the same block; SOURCE_NONE behind the last. */
size_t source_next(const struct source *source, size_t statement);
/* The innermost statement that a token belongs to; SOURCE_NONE outside of functions. */
size_t source_statement_of(const struct source *source, size_t token);

/* The text of tokens `first` to `end - 1`, with all between them; the caller frees it. */
char *source_text(const struct source *source, size_t first, size_t end);

/* The same, with what stands between the last of them and token `end`. */
char *source_text_up_to(const struct source *source, size_t first, size_t end);

/* The end of the call's argument that begins at token `at`: the , or ) behind it. */
size_t source_argument_end(const struct source *source, size_t at);
