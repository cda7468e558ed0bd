/*
 * The lexer: one pass, no state but the place in the text. Source: PTX ISA, chapter 4.
 */
#include "common/simt/program/ptx/lexer.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

void ptx_lexer_init(struct ptx_lexer *lexer, const char *text, size_t bytes) {
    while (bytes && !text[bytes - 1])
        bytes--;
    *lexer = (struct ptx_lexer){text, text + bytes, 1};
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '$' || c == '%';
}

/* Skips blanks and comments. False when a comment is not closed. */
static bool skip_blank(struct ptx_lexer *lexer) {
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        size_t left = (size_t)(lexer->end - lexer->at);
        if (c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lexer->line += c == '\n';
            lexer->at++;
        } else if (c == '/' && left > 1 && lexer->at[1] == '/') {
            const char *newline = memchr(lexer->at, '\n', left);
            lexer->at = newline ? newline : lexer->end;
        } else if (c == '/' && left > 1 && lexer->at[1] == '*') {
            const char *close = memmem(lexer->at + 2, left - 2, "*/", 2);
            if (!close)
                return false;
            for (const char *p = lexer->at; p < close; p++)
                lexer->line += *p == '\n';
            lexer->at = close + 2;
        } else {
            break;
        }
    }
    return true;
}

static struct ptx_token malformed(struct ptx_lexer *lexer, const char *why) {
    lexer->at = lexer->end;
    return (struct ptx_token){PTX_TOKEN_MALFORMED, why, strlen(why), lexer->line, 0, 0};
}

static int digit_of(char c) {
    if (is_digit(c))
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* The digits of a base, with the unsigned suffix U; sets *ok to false where there are none. */
static uint64_t digits(const char *at, const char *end, unsigned base, bool *ok) {
    uint64_t value = 0;
    if (end > at + 1 && (end[-1] == 'U' || end[-1] == 'u'))
        end--;
    if (at == end)
        *ok = false;
    for (; at < end; at++) {
        unsigned digit = (unsigned)digit_of(*at);
        if (digit >= base || value > (UINT64_MAX - digit) / base) {
            *ok = false;
            return 0;
        }
        value = value * base + digit;
    }
    return value;
}

/* The number of a text with a decimal point, whatever the locale of the program around has. */
static double parse_double(const char *text, char **stop) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double value = strtod_l(text, stop, c);
    freelocale(c);
    return value;
}

/* 1.5, 2e-3: copied out, since strtod wants a terminator. */
static struct ptx_token decimal_float(struct ptx_lexer *lexer, const char *start) {
    const char *at = start;
    while (at < lexer->end && (is_digit(*at) || *at == '.' || (*at | 32) == 'e' ||
                               ((*at == '-' || *at == '+') && (at[-1] | 32) == 'e')))
        at++;
    char copy[64];
    size_t length = (size_t)(at - start);
    if (length >= sizeof copy)
        return malformed(lexer, "the number is too long");
    memcpy(copy, start, length);
    copy[length] = '\0';
    char *stop;
    double value = parse_double(copy, &stop);
    if (*stop)
        return malformed(lexer, "malformed number");
    struct ptx_token token = {PTX_TOKEN_F64, start, length, lexer->line, 0, 0};
    memcpy(&token.bits, &value, sizeof value);
    lexer->at = at;
    return token;
}

static struct ptx_token number(struct ptx_lexer *lexer) {
    const char *start = lexer->at, *at = start;
    while (at < lexer->end && is_word(*at))
        at++;
    size_t length = (size_t)(at - start);
    char second = length > 1 ? (char)(start[1] | 32) : '\0';
    bool is_prefixed = start[0] == '0' && (second == 'x' || second == 'b' || second == 'f');
    bool is_f64 = start[0] == '0' && second == 'd';
    if (!is_prefixed && !is_f64 &&
        ((at < lexer->end && *at == '.') || memchr(start, 'e', length) ||
         memchr(start, 'E', length)))
        return decimal_float(lexer, start);
    struct ptx_token token = {PTX_TOKEN_INT, start, length, lexer->line, 0, 0};
    bool ok = true;
    if (is_f64 || (is_prefixed && second == 'f')) {
        token.kind = is_f64 ? PTX_TOKEN_F64 : PTX_TOKEN_F32;
        ok = length == (is_f64 ? 18 : 10);
        token.bits = digits(start + 2, at, 16, &ok);
    } else if (is_prefixed) {
        token.bits = digits(start + 2, at, second == 'x' ? 16 : 2, &ok);
    } else {
        bool is_octal = start[0] == '0' && length > 1 && is_digit(start[1]);
        token.bits = digits(start, at, is_octal ? 8 : 10, &ok);
    }
    lexer->at = at;
    return ok ? token : malformed(lexer, "malformed number");
}

/* .global, .L2::128B: a dot, then word characters and pairs of colons. */
static struct ptx_token dotted(struct ptx_lexer *lexer) {
    const char *start = ++lexer->at, *at = start;
    while (at < lexer->end &&
           (is_word(*at) || (*at == ':' && at + 1 < lexer->end && at[1] == ':' && at > start))) {
        at += *at == ':' ? 2 : 1;
    }
    lexer->at = at;
    if (at == start)
        return malformed(lexer, "a dot without a word behind it");
    return (struct ptx_token){PTX_TOKEN_DOTTED, start, (size_t)(at - start), lexer->line, 0, 0};
}

static struct ptx_token string(struct ptx_lexer *lexer) {
    const char *start = ++lexer->at, *at = start;
    while (at < lexer->end && *at != '"' && *at != '\n')
        at += *at == '\\' && at + 1 < lexer->end && at[1] != '\n' ? 2 : 1;
    if (at >= lexer->end || *at != '"')
        return malformed(lexer, "a string that is not closed");
    lexer->at = at + 1;
    return (struct ptx_token){PTX_TOKEN_STRING, start, (size_t)(at - start), lexer->line, 0, 0};
}

struct ptx_token ptx_lex(struct ptx_lexer *lexer) {
    if (!skip_blank(lexer))
        return malformed(lexer, "a comment that is not closed");
    if (lexer->at >= lexer->end)
        return (struct ptx_token){PTX_TOKEN_END, lexer->end, 0, lexer->line, 0, 0};
    const char *start = lexer->at;
    char c = *start;
    if (is_digit(c))
        return number(lexer);
    if (is_word(c)) {
        while (lexer->at < lexer->end && is_word(*lexer->at))
            lexer->at++;
        return (struct ptx_token){PTX_TOKEN_WORD, start, (size_t)(lexer->at - start),
                                  lexer->line,    0,     0};
    }
    if (c == '.')
        return dotted(lexer);
    if (c == '"')
        return string(lexer);
    if (!c || !strchr("{}()[]<>,;:=+-*!~@|&", c))
        return malformed(lexer, "a character that is no PTX");
    lexer->at++;
    return (struct ptx_token){PTX_TOKEN_PUNCT, start, 1, lexer->line, c, 0};
}

bool ptx_lex_skip_section(struct ptx_lexer *lexer) {
    for (; lexer->at < lexer->end; lexer->at++) {
        lexer->line += *lexer->at == '\n';
        if (*lexer->at == '"') {
            const char *close = memchr(lexer->at + 1, '"', (size_t)(lexer->end - lexer->at - 1));
            if (!close)
                return false;
            lexer->at = close;
        } else if (*lexer->at == '}') {
            lexer->at++;
            return true;
        }
    }
    return false;
}
