/* Reads a source: its tokens, then its brackets, functions, and the statements in them. */
#include "grader/verify/mutation/source.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/verify/agreement.h"

bool source_is(const struct source *source, size_t token, const char *text) {
    if (token >= source->n)
        return false;
    const struct source_token *t = &source->tokens[token];
    return t->bytes == strlen(text) && memcmp(t->at, text, t->bytes) == 0;
}

bool source_is_like(const struct source *source, size_t token, const char *pattern) {
    char name[64];
    if (token >= source->n || source->tokens[token].bytes >= sizeof name)
        return false;
    memcpy(name, source->tokens[token].at, source->tokens[token].bytes);
    name[source->tokens[token].bytes] = '\0';
    return fnmatch(pattern, name, FNM_NOESCAPE) == 0;
}

static bool is_one_of(const struct source *source, size_t token, const char *const *list) {
    for (; *list; list++) {
        if (source_is_like(source, token, *list))
            return true;
    }
    return false;
}

bool source_is_type(const struct source *source, size_t token) {
    static const char *const types[] = {
        "*_t",    "bool",   "char",     "short",     "int",        "long",        "unsigned",
        "signed", "float",  "double",   "void",      "auto",       "half",        "const",
        "static", "extern", "enum",     "struct",    "constexpr",  "volatile",    "__shared__",
        "dim3",   "uint",   "int[234]", "uint[234]", "float[234]", "double[234]", NULL};
    return token < source->n && source->tokens[token].kind == LEXEME_NAME &&
           is_one_of(source, token, types);
}

bool source_is_binary(const struct source *source, size_t token) {
    if (token == 0 || token + 1 >= source->n)
        return false;
    size_t before = token - 1;
    enum lexeme_kind kind = source->tokens[before].kind;
    if (source_is(source, before, ")")) { /* `(int)-x` is a cast */
        size_t open = source->tokens[before].match;
        return !(source_is_type(source, before - 1) || source_is(source, before - 1, "*")) ||
               source->tokens[open > 0 ? open - 1 : 0].kind == LEXEME_NAME;
    }
    return kind == LEXEME_NUMBER || source_is(source, before, "]") ||
           (kind == LEXEME_NAME && !source_is_type(source, before) &&
            !source_is(source, before, "return") && !source_is(source, before, "sizeof"));
}

size_t source_find(const struct source *source, size_t first, size_t end, const char *pattern) {
    while (first < end && !source_is_like(source, first, pattern))
        first++;
    return first;
}

size_t source_next(const struct source *source, size_t statement) {
    const struct statement *here = &source->statements[statement];
    for (size_t i = statement + 1; i < source->n_statements; i++) {
        if (source->statements[i].first == here->end)
            return source->statements[i].parent == here->parent ? i : SOURCE_NONE;
    }
    return SOURCE_NONE;
}

size_t source_statement_of(const struct source *source, size_t token) {
    size_t found = SOURCE_NONE;
    for (size_t i = 0; i < source->n_statements; i++) {
        if (source->statements[i].first <= token && token < source->statements[i].end)
            found = i;
    }
    return found;
}

char *source_text(const struct source *source, size_t first, size_t end) {
    if (first >= end)
        return text_format("%s", "");
    const struct source_token *last = &source->tokens[end - 1];
    const char *start = source->tokens[first].at;
    return text_format("%.*s", (int)(last->at + last->bytes - start), start);
}

char *source_text_up_to(const struct source *source, size_t first, size_t end) {
    const char *start = source->tokens[first].at, *stop = source->tokens[end].at;
    return text_format("%.*s", (int)(stop - start), start);
}

size_t source_argument_end(const struct source *source, size_t at) {
    while (at < source->n && !source_is(source, at, ",") && !source_is(source, at, ")") &&
           !source_is(source, at, ">>>") && !source_is(source, at, ";"))
        at = source->tokens[at].match > at ? source->tokens[at].match + 1 : at + 1;
    return at;
}

/* Takes the lexemes that are tokens; the lines of a preprocessor's directive are none. */
static void read_tokens(struct source *source) {
    struct lexer lexer;
    struct lexeme lexeme;
    bool is_directive = false, is_first = true; /* on its line */
    char before = '\n';
    lexer_init(&lexer, source->text, source->bytes);
    for (; lexer_next(&lexer, &lexeme); before = *lexeme.at) {
        if (*lexeme.at == '\n' && before != '\\') {
            is_directive = false;
            is_first = true;
        }
        if (lexeme.kind < LEXEME_NAME)
            continue;
        is_directive |= is_first && *lexeme.at == '#';
        is_first = false;
        if (is_directive)
            continue;
        source->tokens = grow_list(source->tokens, source->n, sizeof *source->tokens);
        source->tokens[source->n] = (struct source_token){.at = lexeme.at,
                                                          .bytes = lexeme.bytes,
                                                          .line = lexeme.line,
                                                          .kind = lexeme.kind,
                                                          .match = source->n};
        source->n++;
    }
}

static void pair(struct source *source, size_t open, size_t close) {
    source->tokens[open].match = close;
    source->tokens[close].match = open;
}

/* Brackets, by counting those of the same kind. */
static void match_brackets(struct source *source) {
    static const char *const kinds[][2] = {{"(", ")"}, {"[", "]"}, {"{", "}"}, {"<<<", ">>>"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t open = 0; open < source->n; open++) {
            if (!source_is(source, open, kinds[k][0]))
                continue;
            int depth = 0;
            size_t at = open;
            for (; at < source->n; at++) {
                depth += source_is(source, at, kinds[k][0]) - source_is(source, at, kinds[k][1]);
                if (depth == 0)
                    break;
            }
            if (at < source->n)
                pair(source, open, at);
        }
    }
}

/* static_cast<int>, template <typename T> */
static void mark_templates(struct source *source) {
    for (size_t i = 0; i + 1 < source->n; i++) {
        if (!source_is_like(source, i, "*_cast") && !source_is(source, i, "template"))
            continue;
        for (size_t at = i + 1; at < source->n; at++) {
            source->tokens[at].is_template |=
                source_is(source, at, "<") || source_is(source, at, ">");
            if (source_is(source, at, ">"))
                break;
        }
    }
}

static size_t parse(struct source *source, size_t at, size_t end, size_t parent);

static size_t add(struct source *source, enum statement_kind kind, size_t first, size_t parent) {
    source->statements =
        grow_list(source->statements, source->n_statements, sizeof *source->statements);
    source->statements[source->n_statements] = (struct statement){.kind = kind,
                                                                  .first = first,
                                                                  .end = first + 1,
                                                                  .head = SOURCE_NONE,
                                                                  .body = SOURCE_NONE,
                                                                  .otherwise = SOURCE_NONE,
                                                                  .parent = parent};
    return source->n_statements++;
}

static size_t parse_block(struct source *source, size_t first, size_t parent) {
    size_t me = add(source, STATEMENT_BLOCK, first, parent), close = source->tokens[first].match;
    for (size_t at = first + 1; at < close;)
        at = parse(source, at, close, me);
    return source->statements[me].end = close + 1;
}

/* A statement that another one has as its part; sets `*which` to it. */
static size_t parse_part(struct source *source, size_t at, size_t end, size_t parent,
                         size_t *which) {
    *which = source->n_statements;
    return at < end ? parse(source, at, end, parent) : end;
}

/* if (…) … else …, for (…) …, while (…) …, do … while (…); */
static size_t parse_compound(struct source *source, size_t first, size_t end, size_t parent,
                             enum statement_kind kind) {
    size_t me = add(source, kind, first, parent), at = first + 1, body, otherwise = SOURCE_NONE;
    if (kind != STATEMENT_DO) {
        at += source_is(source, at, "constexpr");
        source->statements[me].head = at;
        at = source->tokens[at].match + 1;
    }
    at = parse_part(source, at, end, me, &body);
    if (kind == STATEMENT_IF && source_is(source, at, "else"))
        at = parse_part(source, at + 1, end, me, &otherwise);
    if (kind == STATEMENT_DO && source_is(source, at, "while")) {
        source->statements[me].head = at + 1;
        at = source->tokens[at + 1].match + 2;
    }
    at = at < end ? at : end;
    source->statements[me].body = body;
    source->statements[me].otherwise = otherwise;
    return source->statements[me].end = at;
}

/* `size_t i = …`, `float4 *p`, `my_type x;`; a call is none. */
static bool is_declaration(const struct source *source, size_t first) {
    size_t at = first;
    while (source_is_type(source, at))
        at++;
    if (at > first)
        return !source_is(source, at, "(");
    return source->tokens[at].kind == LEXEME_NAME && at + 1 < source->n &&
           source->tokens[at + 1].kind == LEXEME_NAME && !source_is(source, at, "return") &&
           !source_is(source, at, "goto");
}

static size_t parse_simple(struct source *source, size_t first, size_t end, size_t parent) {
    size_t at = first;
    while (at < end && !source_is(source, at, ";"))
        at = source->tokens[at].match > at ? source->tokens[at].match + 1 : at + 1;
    bool declares = is_declaration(source, first);
    size_t me = add(source, declares ? STATEMENT_DECLARATION : STATEMENT_SIMPLE, first, parent);
    return source->statements[me].end = at < end ? at + 1 : end;
}

/* The statement at `at`, with all in it. Returns the token behind it. */
static size_t parse(struct source *source, size_t at, size_t end, size_t parent) {
    static const struct {
        const char *word;
        enum statement_kind kind;
    } words[] = {{"if", STATEMENT_IF},
                 {"for", STATEMENT_FOR},
                 {"while", STATEMENT_WHILE},
                 {"switch", STATEMENT_WHILE},
                 {"do", STATEMENT_DO}};
    if (source_is(source, at, "{"))
        return parse_block(source, at, parent);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (source_is(source, at, words[i].word))
            return parse_compound(source, at, end, parent, words[i].kind);
    }
    return parse_simple(source, at, end, parent);
}

/* The side of the function whose name and parameters stand between two tokens. */
static enum source_side side_of(const struct source *source, size_t first, size_t body) {
    bool on_device = source_find(source, first, body, "__device__") < body;
    bool on_host = source_find(source, first, body, "__host__") < body;
    if (source_find(source, first, body, "__global__") < body)
        return SOURCE_DEVICE;
    return on_device && on_host ? SOURCE_BOTH : on_device ? SOURCE_DEVICE : SOURCE_HOST;
}

/* Finds the functions: a { behind the ) of their parameters. */
static void read_functions(struct source *source) {
    size_t first = 0; /* of what stands before a body */
    for (size_t at = 0; at < source->n; at++) {
        bool is_body = source_is(source, at, "{") && at > 0 && source_is(source, at - 1, ")");
        bool is_scope =
            source_is(source, at, "{") && at > 1 &&
            (source->tokens[at - 1].kind == LEXEME_TEXT || source_is(source, at - 1, "namespace") ||
             source_is(source, at - 2, "namespace"));
        if (is_body && source->tokens[at].match > at) {
            enum source_side side = side_of(source, first, at);
            for (size_t i = at; i < source->tokens[at].match; i++)
                source->tokens[i].side = side;
            parse_block(source, at, SOURCE_NONE);
        }
        if (source_is(source, at, "{") && !is_scope)
            at = source->tokens[at].match > at ? source->tokens[at].match : at;
        if (is_body || is_scope || source_is(source, at, ";") || source_is(source, at, "}"))
            first = at + 1;
    }
}

/* What students write: the TODO regions, without predictions, which cost no points. */
static void mark_open(struct source *source) {
    OWNED bool *lines = regions_lines(source->text);
    for (size_t i = 0; i < source->n; i++) {
        struct source_token *token = &source->tokens[i];
        token->is_open = lines ? lines[token->line] : token->side != SOURCE_FILE;
    }
    for (size_t i = 0; i < source->n; i++) {
        if (source_is_like(source, i, "predicted_*")) {
            for (size_t at = i; at < source->n && !source_is(source, at, ";"); at++)
                source->tokens[at].is_open = false;
            for (size_t at = i; at > 0 && source->tokens[at].line == source->tokens[i].line; at--)
                source->tokens[at].is_open = false;
        }
    }
}

void source_init(struct source *source, char *text, size_t bytes) {
    *source = (struct source){.text = text, .bytes = bytes};
    read_tokens(source);
    match_brackets(source);
    mark_templates(source);
    read_functions(source);
    mark_open(source);
}

void source_finish(struct source *source) {
    free(source->statements);
    free(source->tokens);
    free(source->text);
}
