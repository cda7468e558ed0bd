/* Goes through a source lexeme by lexeme, with what is open around it. */
#include "grader/grade/source/reading.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"

enum { WORD_BYTES = 64 };

void reader_init(struct reader *reader, const char *text) {
    *reader = (struct reader){.has_regions = strstr(text, "// TODO(") != NULL};
    lexer_init(&reader->lexer, text, strlen(text));
}

static bool begins(const struct lexeme *lexeme, const char *text) {
    return lexeme->bytes >= strlen(text) && strncmp(lexeme->at, text, strlen(text)) == 0;
}

bool lexeme_is(const struct lexeme *lexeme, const char *word) {
    return lexeme->bytes == strlen(word) && begins(lexeme, word);
}

bool reader_next(struct reader *reader) {
    while (lexer_next(&reader->lexer, &reader->lexeme)) {
        if (reader->lexeme.kind == LEXEME_COMMENT && begins(&reader->lexeme, "// TODO("))
            reader->is_in_region = true;
        if (reader->lexeme.kind == LEXEME_COMMENT && begins(&reader->lexeme, "// END TODO"))
            reader->is_in_region = false;
        if (reader->lexeme.kind != LEXEME_COMMENT && reader->lexeme.kind != LEXEME_BLANK)
            return true;
    }
    return false;
}

bool reader_is_open(const struct reader *reader) {
    return reader->is_in_region || !reader->has_regions;
}

bool lexeme_is_one_of(const struct lexeme *lexeme, const char *words) {
    char word[WORD_BYTES];
    if (lexeme->kind == LEXEME_TEXT || lexeme->kind == LEXEME_INCLUDE)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)lexeme->bytes, lexeme->at);
    return text_is_like(word, words);
}

void lines_add(json_t *lines, unsigned line) {
    const size_t n = json_array_size(lines);
    if (n == 0 || json_integer_value(json_array_get(lines, n - 1)) != (json_int_t)line)
        json_array_append_new(lines, json_integer(line));
}

void read_body(const char *text, const char *function, unsigned *first, unsigned *last) {
    struct reader reader;
    bool is_named = false;
    unsigned depth = 0;
    *first = *last = 0;
    reader_init(&reader, text);
    while (*last == 0 && reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        if (depth == 0 && lexeme_is(lexeme, ";"))
            is_named = false;
        if (depth == 0 && lexeme_is(lexeme, function))
            is_named = true;
        if (lexeme_is(lexeme, "{") && depth++ == 0 && is_named)
            *first = lexeme->line;
        if (!lexeme_is(lexeme, "}") || depth == 0 || --depth > 0)
            continue;
        *last = *first ? lexeme->line : 0;
    }
}

json_t *lines_at_most(json_t *lines, size_t most) {
    if (json_array_size(lines) > most)
        json_array_clear(lines);
    return lines;
}

json_t *lines_in_order(json_t *lines) {
    json_t *sorted = json_array(), *line;
    size_t index;
    for (json_int_t last = 0, next;; last = next) {
        next = 0;
        json_array_foreach(lines, index, line) {
            const json_int_t at = json_integer_value(line);
            if (at > last && (next == 0 || at < next))
                next = at;
        }
        if (next == 0)
            break;
        json_array_append_new(sorted, json_integer(next));
    }
    json_decref(lines);
    return sorted;
}

void lines_collect(json_t *lines, const char *text, const char *words, unsigned first,
                   unsigned last) {
    struct reader reader;
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const unsigned line = reader.lexeme.line;
        if (first <= line && line <= last && reader_is_open(&reader) &&
            lexeme_is_one_of(&reader.lexeme, words))
            lines_add(lines, line);
    }
}

bool lines_have(const json_t *lines, unsigned first, unsigned last) {
    size_t index;
    const json_t *line;
    json_array_foreach(lines, index, line) {
        if (json_integer_value(line) >= first && json_integer_value(line) <= last)
            return true;
    }
    return false;
}

void read_body_around(const char *text, unsigned line, unsigned *first, unsigned *last) {
    struct reader reader;
    unsigned depth = 0;
    *first = *last = 0;
    reader_init(&reader, text);
    while (*last < line && reader_next(&reader)) {
        if (lexeme_is(&reader.lexeme, "{") && depth++ == 0)
            *first = reader.lexeme.line;
        if (lexeme_is(&reader.lexeme, "}") && depth > 0 && --depth == 0)
            *last = reader.lexeme.line;
    }
    if (*first > line || *last < line)
        *first = *last = 0;
}
