/* A scanner of C++ as far as comparing and changing programs needs it. */
#include "grader/alike/lexer.h"

#include <ctype.h>
#include <string.h>

/* Operators of several signs; one that begins another comes after it. */
static const char *const operators[] = {
    "<<<", ">>>", "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
    "!=",  "&&",  "||",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "::",
};

void lexer_init(struct lexer *lexer, const char *text, size_t bytes) {
    *lexer = (struct lexer){.at = text, .end = text + bytes, .line = 1};
}

bool lexer_is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool begins(const struct lexer *lexer, const char *text) {
    size_t bytes = strlen(text);
    return (size_t)(lexer->end - lexer->at) >= bytes && memcmp(lexer->at, text, bytes) == 0;
}

static size_t word_bytes(const struct lexer *lexer) {
    size_t n = 0;
    while (lexer->at + n < lexer->end && lexer_is_word(lexer->at[n]))
        n++;
    return n;
}

static size_t number_bytes(const struct lexer *lexer) {
    const char *at = lexer->at;
    bool is_hex = lexer->end - at > 1 && at[0] == '0' && (at[1] | 32) == 'x';
    size_t n = 0;
    while (at + n < lexer->end &&
           (lexer_is_word(at[n]) || at[n] == '.' || at[n] == '\'' ||
            (n > 0 && !is_hex && (at[n - 1] | 32) == 'e' && (at[n] == '-' || at[n] == '+'))))
        n++;
    return n;
}

static size_t line_bytes(const struct lexer *lexer) {
    const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    return (size_t)((newline ? newline : lexer->end) - lexer->at);
}

static size_t block_comment_bytes(const struct lexer *lexer) {
    for (const char *at = lexer->at + 2; at + 1 < lexer->end; at++) {
        if (at[0] == '*' && at[1] == '/')
            return (size_t)(at + 2 - lexer->at);
    }
    return (size_t)(lexer->end - lexer->at);
}

static size_t quoted_bytes(const struct lexer *lexer) {
    const char *at = lexer->at, quote = *at;
    size_t n = 1, room = (size_t)(lexer->end - at);
    while (n < room && at[n] != quote && at[n] != '\n')
        n += at[n] == '\\' && n + 1 < room && at[n + 1] != '\n' ? 2 : 1;
    return n + (n < room && at[n] == quote);
}

static size_t sign_bytes(const struct lexer *lexer) {
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (begins(lexer, operators[i]))
            return strlen(operators[i]);
    }
    return 1;
}

static size_t scan(const struct lexer *lexer, enum lexeme_kind *kind) {
    unsigned char first = (unsigned char)*lexer->at;
    bool is_line = begins(lexer, "//");
    *kind = is_line || begins(lexer, "/*")              ? LEXEME_COMMENT
            : begins(lexer, "#include")                 ? LEXEME_INCLUDE
            : isdigit(first)                            ? LEXEME_NUMBER
            : lexer_is_word((char)first)                ? LEXEME_NAME
            : first == '"' || first == '\''             ? LEXEME_TEXT
            : isspace(first) || first == '\\' || !first ? LEXEME_BLANK
                                                        : LEXEME_SIGN;
    switch (*kind) {
    case LEXEME_COMMENT:
        return is_line ? line_bytes(lexer) : block_comment_bytes(lexer);
    case LEXEME_INCLUDE:
        return line_bytes(lexer);
    case LEXEME_NUMBER:
        return number_bytes(lexer);
    case LEXEME_NAME:
        return word_bytes(lexer);
    case LEXEME_TEXT:
        return quoted_bytes(lexer);
    case LEXEME_SIGN:
        return sign_bytes(lexer);
    default:
        return 1;
    }
}

bool lexer_next(struct lexer *lexer, struct lexeme *lexeme) {
    if (lexer->at >= lexer->end)
        return false;
    *lexeme = (struct lexeme){.at = lexer->at, .line = lexer->line};
    lexeme->bytes = scan(lexer, &lexeme->kind);
    for (size_t i = 0; i < lexeme->bytes; i++)
        lexer->line += lexer->at[i] == '\n';
    lexer->at += lexeme->bytes;
    return true;
}
