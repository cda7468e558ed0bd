/*
 * PTX text as tokens. Words keep their place in the text; nothing is copied.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_token_kind {
    PTX_TOKEN_END,
    PTX_TOKEN_WORD,      /* identifier, opcode or register: add, $L__BB0_2, %rd7 */
    PTX_TOKEN_DOTTED,    /* .reg, .u32, .L2::128B : `start` is behind the dot */
    PTX_TOKEN_INT,       /* value in .bits */
    PTX_TOKEN_F32,       /* 0f3F800000: bits in .bits */
    PTX_TOKEN_F64,       /* 0d3FF0000000000000 or 1.5: bits in .bits */
    PTX_TOKEN_STRING,    /* "…": without the quotes */
    PTX_TOKEN_PUNCT,     /* one character, in .punct */
    PTX_TOKEN_MALFORMED, /* `start` is a sentence that says why */
};

struct ptx_token {
    enum ptx_token_kind kind;
    const char *start;
    size_t length;
    unsigned line;
    char punct;
    uint64_t bits;
};

struct ptx_lexer {
    const char *at, *end;
    unsigned line;
};

/* Starts at the first byte. The text need not be terminated; trailing zero bytes are no part. */
void ptx_lexer_init(struct ptx_lexer *lexer, const char *text, size_t bytes);

/* The next token. After END comes END again. */
struct ptx_token ptx_lex(struct ptx_lexer *lexer);

/* Passes over everything up to and including the next '}' outside strings, as of a debug section.
 * False when the text ends before. */
bool ptx_lex_skip_section(struct ptx_lexer *lexer);
