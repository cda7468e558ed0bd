/* Cuts a C++ source into its lexemes: names, numbers, operators, comments. It checks nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum lexeme_kind {
    LEXEME_BLANK,   /* one character that is no part of the program */
    LEXEME_COMMENT, /* with what marks it */
    LEXEME_INCLUDE, /* the line of an #include, without its end */
    LEXEME_NAME,    /* a word of the language, too */
    LEXEME_NUMBER,  /* with the letters of its type: 0x1fu, 1.5e-3f */
    LEXEME_TEXT,    /* "text" or 'c' */
    LEXEME_SIGN,    /* an operator as long as it can be ("<<=", "<<<"), a bracket, any other sign */
};

struct lexeme {
    enum lexeme_kind kind;
    const char *at; /* in the source */
    size_t bytes;
    unsigned line; /* where it begins, from 1 */
};

struct lexer {
    const char *at, *end;
    unsigned line;
};

void lexer_init(struct lexer *lexer, const char *text, size_t bytes);

/* The next lexeme; false at the end. Together they are the whole text. */
bool lexer_next(struct lexer *lexer, struct lexeme *lexeme);

/* True for what names are made of: letters, digits, _ and all beyond ASCII. */
bool lexer_is_word(char c);
