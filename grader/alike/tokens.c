/* Of a source's lexemes, those that comparing needs, and of each what a disguise leaves. */
#include "grader/alike/tokens.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "grader/alike/lexer.h"

struct scanner {
    struct tokens *tokens;
    enum tokens_kind kind;
    struct lexeme lexeme; /* that is read */
    int depth;            /* of braces */
    char last;            /* the first letter of the last name, the last sign of an operator */
};

/* Names that nobody can change, but for those that `is_given` knows by how they begin. */
static const char *const words[] = {
    "auto",    "blockDim", "blockIdx", "bool",     "break",     "case",   "char",     "continue",
    "default", "delete",   "do",       "double",   "else",      "enum",   "false",    "float",
    "for",     "goto",     "gridDim",  "if",       "int",       "long",   "max",      "min",
    "new",     "nullptr",  "operator", "return",   "short",     "signed", "size_t",   "sizeof",
    "struct",  "switch",   "template", "this",     "threadIdx", "true",   "typename", "unsigned",
    "using",   "void",     "volatile", "warpSize", "while",
};

/* Words that can be put anywhere, or left out, and change nothing. */
static const char *const idle[] = {
    "const", "constexpr", "extern", "inline", "register", "restrict", "static",
};

static int compare_words(const void *word, const void *entry) {
    return strcmp(word, *(const char *const *)entry);
}

static bool is_in(const char *word, const char *const *list, size_t n) {
    return bsearch(word, list, n, sizeof *list, compare_words) != NULL;
}

static uint32_t hash(const char *text, size_t bytes) { /* FNV-1a */
    uint32_t value = 2166136261u;
    for (size_t i = 0; i < bytes; i++)
        value = (value ^ (unsigned char)text[i]) * 16777619u;
    return value;
}

static void add(struct scanner *scanner, enum tokens_kind kind, const char *text, size_t bytes,
                unsigned line) {
    struct tokens *tokens = scanner->tokens;
    if (kind != scanner->kind)
        return;
    tokens->items = grow_list(tokens->items, tokens->n, sizeof *tokens->items);
    tokens->items[tokens->n++] = (struct token){hash(text, bytes), line};
}

static void add_structure(struct scanner *scanner, const char *text, size_t bytes) {
    add(scanner, TOKENS_STRUCTURE, text, bytes, scanner->lexeme.line);
}

/* A name that CUDA or the language gives, and not the writer. */
static bool is_given(const struct scanner *scanner, const char *name) {
    bool is_member = scanner->last == '.' && strspn(name, "xyzw") == 1 && !name[1];
    return is_member || strncmp(name, "__", 2) == 0 || strncmp(name, "cuda", 4) == 0 ||
           strncmp(name, "atomic", 6) == 0 || is_in(name, words, sizeof words / sizeof *words);
}

static void scan_name(struct scanner *scanner) {
    const struct lexeme *lexeme = &scanner->lexeme;
    char name[32];
    size_t kept = lexeme->bytes < sizeof name ? lexeme->bytes : sizeof name - 1;
    memcpy(name, lexeme->at, kept);
    name[kept] = '\0';
    if (is_given(scanner, name))
        add_structure(scanner, lexeme->at, lexeme->bytes);
    else if (!is_in(name, idle, sizeof idle / sizeof *idle))
        add_structure(scanner, "name", 4);
}

/* 31, 0x1fu, 1.5e-3f: without the letters of its type. */
static void scan_number(struct scanner *scanner) {
    const char *at = scanner->lexeme.at;
    size_t kept = scanner->lexeme.bytes;
    bool is_hex = kept > 1 && at[0] == '0' && (at[1] | 32) == 'x';
    while (kept > 1 && strchr(is_hex ? "uUlLzZ" : "uUlLzZfF", at[kept - 1]))
        kept--;
    add_structure(scanner, at, kept);
}

/* The words of a comment. */
static void scan_comment(struct scanner *scanner) {
    const char *at = scanner->lexeme.at, *end = at + scanner->lexeme.bytes;
    for (unsigned line = scanner->lexeme.line; at < end;) {
        size_t n = 0;
        while (at + n < end && lexer_is_word(at[n]))
            n++;
        if (n > 0)
            add(scanner, TOKENS_COMMENTS, at, n, line);
        line += n == 0 && *at == '\n';
        at += n > 0 ? n : 1;
    }
}

static void begin_function(struct scanner *scanner) {
    for (int i = 0; i < TOKENS_PAD; i++)
        add(scanner, TOKENS_STRUCTURE, "begin", 5, 0);
}

/* The signs of an operator, one by one. */
static void scan_sign(struct scanner *scanner) {
    for (size_t i = 0; i < scanner->lexeme.bytes; i++) {
        const char *sign = scanner->lexeme.at + i;
        scanner->depth += (*sign == '{') - (*sign == '}');
        if (!strchr("{}()", *sign))
            add_structure(scanner, sign, 1);
        if (scanner->depth <= 0 && (*sign == '}' || *sign == ';'))
            begin_function(scanner);
    }
}

static void scan(struct scanner *scanner) {
    const struct lexeme *lexeme = &scanner->lexeme;
    if (lexeme->kind != LEXEME_COMMENT && lexeme->kind != LEXEME_BLANK)
        add(scanner, TOKENS_WORDS, lexeme->at, lexeme->bytes, lexeme->line);
    switch (lexeme->kind) {
    case LEXEME_COMMENT:
        scan_comment(scanner);
        break;
    case LEXEME_NUMBER:
        scan_number(scanner);
        break;
    case LEXEME_NAME:
        scan_name(scanner);
        break;
    case LEXEME_TEXT: /* one token, whatever it says */
        add_structure(scanner, "text", 4);
        break;
    case LEXEME_SIGN:
        scan_sign(scanner);
        break;
    default:
        break;
    }
    if (lexeme->kind == LEXEME_SIGN)
        scanner->last = lexeme->at[lexeme->bytes - 1];
    else if (lexeme->kind != LEXEME_BLANK)
        scanner->last = *lexeme->at;
}

void tokens_read(struct tokens *tokens, enum tokens_kind kind, const char *text, size_t bytes) {
    struct scanner scanner = {.tokens = tokens, .kind = kind};
    struct lexer lexer;
    *tokens = (struct tokens){0};
    lexer_init(&lexer, text, bytes);
    begin_function(&scanner);
    while (tokens->n < TOKENS_MAX && lexer_next(&lexer, &scanner.lexeme))
        scan(&scanner);
}

void tokens_finish(struct tokens *tokens) {
    free(tokens->items);
    *tokens = (struct tokens){0};
}
