/* A scanner of C++ as far as comparing needs it. */
#include "grader/alike/tokens.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"

struct scanner {
    struct tokens *tokens;
    enum tokens_kind kind;
    const char *at, *end;
    unsigned line;
    int depth; /* of braces */
    char last; /* the last sign or letter that was a token's first */
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

static void add(struct scanner *scanner, enum tokens_kind kind, const char *text, size_t bytes) {
    struct tokens *tokens = scanner->tokens;
    if (kind != scanner->kind)
        return;
    tokens->items = grow_list(tokens->items, tokens->n, sizeof *tokens->items);
    tokens->items[tokens->n++] = (struct token){hash(text, bytes), scanner->line};
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Bytes of the word that begins here. */
static size_t word_bytes(const struct scanner *scanner) {
    size_t n = 0;
    while (scanner->at + n < scanner->end && is_word(scanner->at[n]))
        n++;
    return n;
}

/* A name that CUDA or the language gives, and not the writer. */
static bool is_given(const struct scanner *scanner, const char *name) {
    bool is_member = scanner->last == '.' && strspn(name, "xyzw") == 1 && !name[1];
    return is_member || strncmp(name, "__", 2) == 0 || strncmp(name, "cuda", 4) == 0 ||
           strncmp(name, "atomic", 6) == 0 || is_in(name, words, sizeof words / sizeof *words);
}

static void scan_name(struct scanner *scanner) {
    char name[32];
    size_t bytes = word_bytes(scanner);
    size_t kept = bytes < sizeof name ? bytes : sizeof name - 1;
    memcpy(name, scanner->at, kept);
    name[kept] = '\0';
    if (is_given(scanner, name))
        add(scanner, TOKENS_STRUCTURE, scanner->at, bytes);
    else if (!is_in(name, idle, sizeof idle / sizeof *idle))
        add(scanner, TOKENS_STRUCTURE, "name", 4);
    scanner->at += bytes;
}

/* 31, 0x1fu, 1.5e-3f: without the letters of its type. */
static void scan_number(struct scanner *scanner) {
    const char *at = scanner->at;
    bool is_hex = scanner->end - at > 1 && at[0] == '0' && (at[1] | 32) == 'x';
    size_t n = 0;
    while (at + n < scanner->end &&
           (is_word(at[n]) || at[n] == '.' || at[n] == '\'' ||
            (n > 0 && !is_hex && (at[n - 1] | 32) == 'e' && (at[n] == '-' || at[n] == '+'))))
        n++;
    size_t kept = n;
    while (kept > 1 && strchr(is_hex ? "uUlLzZ" : "uUlLzZfF", at[kept - 1]))
        kept--;
    add(scanner, TOKENS_STRUCTURE, at, kept);
    scanner->at += n;
}

/* The words of a comment, of `bytes` bytes. */
static void scan_comment(struct scanner *scanner, size_t bytes) {
    const char *end = scanner->at + bytes;
    while (scanner->at < end) {
        if (is_word(*scanner->at)) {
            size_t n = word_bytes(scanner);
            n = n < (size_t)(end - scanner->at) ? n : (size_t)(end - scanner->at);
            add(scanner, TOKENS_COMMENTS, scanner->at, n);
            scanner->at += n;
        } else {
            scanner->line += *scanner->at++ == '\n';
        }
    }
}

static size_t line_bytes(const struct scanner *scanner) {
    const char *newline = memchr(scanner->at, '\n', (size_t)(scanner->end - scanner->at));
    return (size_t)((newline ? newline : scanner->end) - scanner->at);
}

static size_t block_comment_bytes(const struct scanner *scanner) {
    for (const char *at = scanner->at + 2; at + 1 < scanner->end; at++) {
        if (at[0] == '*' && at[1] == '/')
            return (size_t)(at + 2 - scanner->at);
    }
    return (size_t)(scanner->end - scanner->at);
}

/* "text" or 'c': one token. */
static void scan_quoted(struct scanner *scanner) {
    const char *at = scanner->at, quote = *at;
    size_t n = 1, room = (size_t)(scanner->end - at);
    while (n < room && at[n] != quote && at[n] != '\n')
        n += at[n] == '\\' && n + 1 < room && at[n + 1] != '\n' ? 2 : 1;
    n += n < room && at[n] == quote;
    add(scanner, TOKENS_STRUCTURE, "text", 4);
    scanner->at += n;
}

static bool begins(const struct scanner *scanner, const char *text) {
    size_t bytes = strlen(text);
    return (size_t)(scanner->end - scanner->at) >= bytes && memcmp(scanner->at, text, bytes) == 0;
}

static void begin_function(struct scanner *scanner) {
    unsigned line = scanner->line;
    scanner->line = 0;
    for (int i = 0; i < TOKENS_PAD; i++)
        add(scanner, TOKENS_STRUCTURE, "begin", 5);
    scanner->line = line;
}

/* A sign of one character. */
static void scan_sign(struct scanner *scanner) {
    char sign = *scanner->at;
    scanner->depth += (sign == '{') - (sign == '}');
    if (!isspace((unsigned char)sign) && !strchr("{}()\\", sign)) /* nor a NUL */
        add(scanner, TOKENS_STRUCTURE, scanner->at, 1);
    if (scanner->depth <= 0 && (sign == '}' || sign == ';'))
        begin_function(scanner);
    scanner->line += sign == '\n';
    scanner->at++;
}

static void scan(struct scanner *scanner) {
    char first = *scanner->at;
    if (begins(scanner, "//"))
        scan_comment(scanner, line_bytes(scanner));
    else if (begins(scanner, "/*"))
        scan_comment(scanner, block_comment_bytes(scanner));
    else if (begins(scanner, "#include"))
        scanner->at += line_bytes(scanner);
    else if (isdigit((unsigned char)first))
        scan_number(scanner);
    else if (is_word(first))
        scan_name(scanner);
    else if (first == '"' || first == '\'')
        scan_quoted(scanner);
    else
        scan_sign(scanner);
    if (!isspace((unsigned char)first))
        scanner->last = first;
}

void tokens_read(struct tokens *tokens, enum tokens_kind kind, const char *text, size_t bytes) {
    struct scanner scanner = {
        .tokens = tokens, .kind = kind, .at = text, .end = text + bytes, .line = 1};
    *tokens = (struct tokens){0};
    begin_function(&scanner);
    while (scanner.at < scanner.end && tokens->n < TOKENS_MAX)
        scan(&scanner);
}

void tokens_finish(struct tokens *tokens) {
    free(tokens->items);
    *tokens = (struct tokens){0};
}
