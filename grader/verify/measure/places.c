/* Cuts a source into lexemes, and looks at the lines on which they stand. */
#include "grader/verify/measure/places.h"

#include <stdlib.h>
#include <string.h>

#include "grader/alike/lexer.h"

/* The source's next lexeme that is program. */
static bool next_code(struct lexer *lexer, struct lexeme *lexeme) {
    while (lexer_next(lexer, lexeme))
        if (lexeme->kind != LEXEME_BLANK && lexeme->kind != LEXEME_COMMENT)
            return true;
    return false;
}

static bool is_brace(const struct lexeme *lexeme, char brace) {
    return lexeme->kind == LEXEME_SIGN && lexeme->bytes == 1 && *lexeme->at == brace;
}

void places_read(struct places *places, const char *text) {
    struct lexer lexer;
    struct lexeme lexeme;
    *places = (struct places){.n_lines = 1, .text = text};
    for (const char *at = text; *at; at++)
        places->n_lines += *at == '\n';
    places->is_code = calloc(places->n_lines + 1, sizeof *places->is_code);
    lexer_init(&lexer, text, strlen(text));
    while (places->is_code && next_code(&lexer, &lexeme))
        if (!is_brace(&lexeme, '{') && !is_brace(&lexeme, '}'))
            places->is_code[lexeme.line] = true;
}

void places_finish(struct places *places) {
    free(places->is_code);
}

unsigned places_between(const struct places *places, unsigned a, unsigned b) {
    const unsigned first = a < b ? a : b, last = a < b ? b : a;
    unsigned n = 0;
    if (!places->is_code || last > places->n_lines)
        return last - first;
    for (unsigned line = first + 1; line < last; line++)
        n += places->is_code[line];
    return n + (first < last);
}

bool places_are_together(const struct places *places, unsigned gap, unsigned line) {
    enum { DEEPEST = 64 };
    unsigned opened[DEEPEST], depth = 0;
    struct lexer lexer;
    struct lexeme lexeme;
    lexer_init(&lexer, places->text, strlen(places->text));
    while (next_code(&lexer, &lexeme)) {
        if (is_brace(&lexeme, '{') && depth < DEEPEST)
            opened[depth++] = lexeme.line;
        if (!is_brace(&lexeme, '}') || depth == 0)
            continue;
        depth--;
        /* The innermost pair is the first one that closes behind the gap and opens before it. */
        if (lexeme.line > gap && opened[depth] <= gap)
            return opened[depth] <= line && line <= lexeme.line;
    }
    return false;
}
