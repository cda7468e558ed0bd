/* Rules that change single tokens and expressions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/verify/mutation/rules.h"

enum { WORD_BYTES = 64 };

/* `to` with what was there in the place of its $. */
static char *fill(const char *to, const struct source *source, size_t first, size_t end) {
    OWNED char *there = source_text(source, first, end);
    return text_replace(to, "$", there);
}

static void propose_filled(struct mutations *mutations, const struct mutation_operator *by,
                           size_t first, size_t end) {
    if (first < end)
        mutations_propose(mutations, by, first, end, fill(by->to, mutations->source, first, end));
}

static bool is_before(const struct source *source, size_t token, const char *text) {
    return token > 0 && source_is(source, token - 1, text);
}

void rule_token(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n; i++) {
        bool is_part = source_is_type(source, i) && /* of a type of several words */
                       (source_is(source, i + 1, "int") || source_is(source, i + 1, "long") ||
                        is_before(source, i, "unsigned") || is_before(source, i, "long"));
        if (source_is(source, i, by->from) && !source->tokens[i].is_template && !is_part)
            mutations_propose(mutations, by, i, i + 1, text_format("%s", by->to));
    }
}

void rule_binary(struct mutations *mutations, const struct mutation_operator *by) {
    for (size_t i = 0; i < mutations->source->n; i++) {
        if (source_is(mutations->source, i, by->from) && source_is_binary(mutations->source, i))
            mutations_propose(mutations, by, i, i + 1, text_format("%s", by->to));
    }
}

void rule_member(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 2; i < source->n; i++) {
        if (source_is(source, i, by->from) && is_before(source, i, ".") &&
            (source_is_like(source, i - 2, "*Idx") || source_is_like(source, i - 2, "*Dim")))
            mutations_propose(mutations, by, i, i + 1, text_format("%s", by->to));
    }
}

static unsigned long long compute(char by, unsigned long long a, unsigned long long b) {
    return by == '+' ? a + b : by == '-' ? a - b : by == '*' ? a * b : a / b;
}

/* The number in a token, changed; NULL where it is none to change: a mask, or what would become
 * less than 0. */
static char *changed_number(const struct source_token *token, char by, const char *to) {
    char word[WORD_BYTES], *end;
    if (token->bytes >= sizeof word)
        return NULL;
    memcpy(word, token->at, token->bytes);
    word[token->bytes] = '\0';
    bool is_hex = word[0] == '0' && (word[1] | 32) == 'x';
    if (strchr(word, '.') || (!is_hex && strpbrk(word, "eE")))
        return strcmp(to, "0") == 0 ? text_format("0.0") : text_format("(%s %c %s)", word, by, to);
    unsigned long long value = strtoull(word, &end, 0), other = strtoull(to, NULL, 10);
    if (value > 0xffff || (by == '-' && value < other))
        return NULL;
    return text_format(is_hex ? "0x%llx%s" : "%llu%s", compute(by, value, other), end);
}

void rule_number(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n; i++) {
        if (source->tokens[i].kind != LEXEME_NUMBER)
            continue;
        char *text = changed_number(&source->tokens[i], by->from[0], by->to);
        if (text)
            mutations_propose(mutations, by, i, i + 1, text);
    }
}

static bool is_comparison(const struct source *source, size_t token) {
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (source_is(source, token, signs[i]))
            return !source->tokens[token].is_template;
    }
    return false;
}

void rule_limit(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 1; i < source->n; i++) {
        bool is_operand = source->tokens[i].kind == LEXEME_NAME && is_comparison(source, i - 1) &&
                          !source_is_like(source, i, "cuda*") &&
                          !source_is_like(source, i, "*Dim") && !source_is_like(source, i, "*Idx");
        if (is_operand && !source_is(source, i + 1, "(") && !source_is(source, i + 1, "["))
            propose_filled(mutations, by, i, i + 1);
    }
}

/* Weaker than && and ||: where an operand of theirs begins or ends. */
static bool is_edge(const struct source *source, size_t token) {
    static const char *const edges[] = {"&&", "||", "?", ":", ";", ",",  "=",   "return", "(",
                                        ")",  "{",  "}", "[", "]", "+=", "<<<", ">>>"};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        if (source_is(source, token, edges[i]))
            return true;
    }
    return false;
}

/* The first token of the operand that ends before `at`. */
static size_t operand_start(const struct source *source, size_t at) {
    while (at > 0) {
        size_t before = source->tokens[at - 1].match;
        if (before >= at - 1 && is_edge(source, at - 1))
            break;
        at = before < at - 1 ? before : at - 1;
    }
    return at;
}

/* The token behind the operand that begins at `at`. */
static size_t operand_end(const struct source *source, size_t at) {
    while (at < source->n && (source->tokens[at].match > at || !is_edge(source, at)))
        at = source->tokens[at].match + 1;
    return at;
}

void rule_half(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n; i++) {
        if (!source_is(source, i, by->from))
            continue;
        size_t first = operand_start(source, i), end = operand_end(source, i + 1);
        mutations_propose(mutations, by, first, end, source_text(source, first, i));
        mutations_propose(mutations, by, first, end, source_text(source, i + 1, end));
    }
}

/* The first token of the condition before a ?. */
static size_t condition_start(const struct source *source, size_t at) {
    size_t first = operand_start(source, at);
    while (is_before(source, first, "&&") || is_before(source, first, "||"))
        first = operand_start(source, first - 1);
    return first;
}

void rule_choice(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n; i++) {
        if (!source_is(source, i, "?"))
            continue;
        size_t first = condition_start(source, i);
        if (!by->from || source_find(source, first, i, by->from) < i)
            propose_filled(mutations, by, first, i);
    }
}

/* True where a [ begins a size: in a declaration, and not behind its =. */
static bool is_size(const struct source *source, size_t open) {
    size_t statement = source_statement_of(source, open);
    if (statement == SOURCE_NONE || source->statements[statement].kind != STATEMENT_DECLARATION)
        return false;
    size_t first = source->statements[statement].first;
    return source_find(source, first, open, "=") == open;
}

void rule_subscript(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n; i++) {
        if (source_is(source, i, "[") && source->tokens[i].side != SOURCE_FILE &&
            !is_size(source, i))
            propose_filled(mutations, by, i + 1, source->tokens[i].match);
    }
}

void rule_dimension(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n; i++) {
        size_t statement = source_is(source, i, "[") ? source_statement_of(source, i) : SOURCE_NONE;
        if (statement == SOURCE_NONE || !is_size(source, i))
            continue;
        const struct statement *here = &source->statements[statement];
        if (source_find(source, here->first, here->end, "__shared__") < here->end)
            propose_filled(mutations, by, i + 1, source->tokens[i].match);
    }
}

/* Leaves out (type), but not around what is behind sizeof or a function's name. */
void rule_cast(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 1; i + 1 < source->n; i++) {
        size_t close = source->tokens[i].match;
        bool is_cast = source_is(source, i, "(") && source_is_type(source, i + 1) &&
                       source->tokens[i - 1].kind != LEXEME_NAME && close + 1 < source->n;
        for (size_t at = i + 1; is_cast && at < close; at++)
            is_cast = source_is_type(source, at);
        if (is_cast && close > i)
            mutations_propose(mutations, by, i, close + 1, text_format("%s", by->to));
    }
}

/* Proposes `to` for argument `number` of what opens at `open`. */
static void propose_argument(struct mutations *mutations, const struct mutation_operator *by,
                             size_t open, unsigned long number) {
    const struct source *source = mutations->source;
    size_t first = open + 1, end = source_argument_end(source, first);
    for (; number > 0 && source_is(source, end, ","); number--) {
        first = end + 1;
        end = source_argument_end(source, first);
    }
    if (number == 0)
        propose_filled(mutations, by, first, end);
}

void rule_launch(struct mutations *mutations, const struct mutation_operator *by) {
    for (size_t i = 0; i < mutations->source->n; i++) {
        if (source_is(mutations->source, i, "<<<"))
            propose_argument(mutations, by, i, strtoul(by->from, NULL, 10));
    }
}

static bool is_call(const struct source *source, size_t token, const char *pattern) {
    return source->tokens[token].kind == LEXEME_NAME && source_is_like(source, token, pattern) &&
           source_is(source, token + 1, "(");
}

void rule_argument(struct mutations *mutations, const struct mutation_operator *by) {
    char *name;
    unsigned long number = strtoul(by->from, &name, 10);
    for (size_t i = 0; i < mutations->source->n; i++) {
        if (is_call(mutations->source, i, name + 1))
            propose_argument(mutations, by, i + 1, number);
    }
}

/* The arguments that open at `open`, each two neighbours for one another. */
static void exchange_arguments(struct mutations *mutations, const struct mutation_operator *by,
                               size_t open) {
    const struct source *source = mutations->source;
    size_t first = open + 1, comma = source_argument_end(source, first);
    while (source_is(source, comma, ",")) {
        size_t end = source_argument_end(source, comma + 1);
        char *a = source_text(source, first, comma), *b = source_text(source, comma + 1, end);
        mutations_propose(mutations, by, first, end, text_format("%s, %s", b, a));
        free(b);
        free(a);
        first = comma + 1;
        comma = end;
    }
}

void rule_arguments(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 1; i < source->n; i++) {
        bool is_list = source_is(source, i, "(") && source->tokens[i].side != SOURCE_FILE &&
                       (source->tokens[i - 1].kind == LEXEME_NAME || is_before(source, i, ">>>"));
        if (is_list && !is_before(source, i, "for"))
            exchange_arguments(mutations, by, i);
    }
}

void rule_call(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n; i++) {
        if (!is_call(source, i, by->from))
            continue;
        size_t close = source->tokens[i + 1].match, comma = source_argument_end(source, i + 2);
        size_t rest = source_is(source, comma, ",") ? comma + 1 : close;
        OWNED char *a = source_text(source, i + 2, comma), *b = source_text(source, rest, close);
        OWNED char *with_a = text_replace(by->to, "$1", a);
        char *text = text_replace(with_a, "$2", b);
        mutations_propose(mutations, by, i, close + 1, text);
    }
}

void rule_initialiser(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i + 2 < source->n; i++) {
        size_t statement = source_is(source, i, "=") ? source_statement_of(source, i) : SOURCE_NONE;
        bool is_whole = source_is(source, i + 2, ";") || source_is(source, i + 2, ",");
        if (statement != SOURCE_NONE && source_is(source, i + 1, by->from) && is_whole &&
            source->statements[statement].kind == STATEMENT_DECLARATION)
            mutations_propose(mutations, by, i, i + 2, text_format("%s", ""));
    }
}
