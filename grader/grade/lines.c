/* Goes through a source lexeme by lexeme, with what is open around it. */
#include "grader/grade/lines.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/alike/lexer.h"

enum { WORD_BYTES = 64 };

/* A lexeme, and where it stands. */
struct reader {
    struct lexer lexer;
    struct lexeme lexeme;
    bool has_regions, is_in_region;
};

static void reader_init(struct reader *reader, const char *text) {
    *reader = (struct reader){.has_regions = strstr(text, "// TODO(") != NULL};
    lexer_init(&reader->lexer, text, strlen(text));
}

static bool begins(const struct lexeme *lexeme, const char *text) {
    return lexeme->bytes >= strlen(text) && strncmp(lexeme->at, text, strlen(text)) == 0;
}

static bool is_word(const struct lexeme *lexeme, const char *word) {
    return lexeme->bytes == strlen(word) && begins(lexeme, word);
}

/* The next lexeme that is program; false at the end. */
static bool reader_next(struct reader *reader) {
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

static bool is_open(const struct reader *reader) {
    return reader->is_in_region || !reader->has_regions;
}

static bool is_one_of(const struct lexeme *lexeme, const char *words) {
    char word[WORD_BYTES];
    if (lexeme->kind == LEXEME_TEXT || lexeme->kind == LEXEME_INCLUDE)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)lexeme->bytes, lexeme->at);
    return text_is_like(word, words);
}

/* Appends a line behind those before it, unless it is the last of them. */
static void add_line(json_t *lines, unsigned line) {
    const size_t n = json_array_size(lines);
    if (n == 0 || json_integer_value(json_array_get(lines, n - 1)) != (json_int_t)line)
        json_array_append_new(lines, json_integer(line));
}

/* The first and last line of a function's body; both 0 where the source has none of this name. */
static void find_body(const char *text, const char *function, unsigned *first, unsigned *last) {
    struct reader reader;
    bool is_named = false;
    unsigned depth = 0;
    *first = *last = 0;
    reader_init(&reader, text);
    while (*last == 0 && reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        if (depth == 0 && is_word(lexeme, ";"))
            is_named = false;
        if (depth == 0 && is_word(lexeme, function))
            is_named = true;
        if (is_word(lexeme, "{") && depth++ == 0 && is_named)
            *first = lexeme->line;
        if (!is_word(lexeme, "}") || depth == 0 || --depth > 0)
            continue;
        *last = *first ? lexeme->line : 0;
    }
}

static json_t *few(json_t *lines) {
    if (json_array_size(lines) > LINES_MOST)
        json_array_clear(lines);
    return lines;
}

/* Appends the lines from `first` to `last` with one of the words. */
static void collect(json_t *lines, const char *text, const char *words, unsigned first,
                    unsigned last) {
    struct reader reader;
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const unsigned line = reader.lexeme.line;
        if (first <= line && line <= last && is_open(&reader) && is_one_of(&reader.lexeme, words))
            add_line(lines, line);
    }
}

json_t *lines_of_words(const char *text, const char *words, const char *function,
                       const json_t *kernels) {
    json_t *lines = json_array(), *kernel;
    unsigned first, last;
    size_t index;
    collect(lines, text, words, 1, UINT_MAX);
    if (json_array_size(lines) <= LINES_MOST)
        return lines;
    json_array_clear(lines);
    find_body(text, function, &first, &last);
    collect(lines, text, words, first, last);
    if (json_array_size(lines) > 0)
        return few(lines);
    json_array_foreach(kernels, index, kernel) {
        find_body(text, json_string_value(kernel), &first, &last);
        collect(lines, text, words, first, last);
    }
    return few(lines);
}

json_t *lines_of_ends(const char *text, const json_t *kernels) {
    json_t *lines = json_array(), *kernel;
    unsigned first, last;
    size_t index;
    json_array_foreach(kernels, index, kernel) {
        find_body(text, json_string_value(kernel), &first, &last);
        if (last > 0)
            add_line(lines, last);
    }
    return few(lines);
}

/* The names in a launch's shape, between the `<<<` just read and its `>>>`; a new array. */
static json_t *read_names(struct reader *reader) {
    json_t *names = json_array();
    while (reader_next(reader) && !is_one_of(&reader->lexeme, ">>> ; {")) {
        if (reader->lexeme.kind == LEXEME_NAME)
            json_array_append_new(names, json_stringn(reader->lexeme.at, reader->lexeme.bytes));
    }
    return names;
}

static bool is_named_in(const json_t *names, const struct lexeme *lexeme) {
    size_t index;
    const json_t *name;
    json_array_foreach(names, index, name) {
        if (is_word(lexeme, json_string_value(name)))
            return true;
    }
    return false;
}

/* Adds the lines from `first` to `last` on which one of the names is set, by an operator or, as a
 * dim3, in brackets behind its name. */
static void collect_settings(json_t *lines, const char *text, const json_t *names, unsigned first,
                             unsigned last) {
    struct reader reader;
    struct lexeme before = {0}, type = {0};
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        const bool sets = is_one_of(lexeme, "= += -= [*]= /= %= <<= >>= ++ --") ||
                          (is_word(lexeme, "(") && type.at && is_word(&type, "dim3"));
        if (sets && before.kind == LEXEME_NAME && is_named_in(names, &before) &&
            first <= before.line && before.line <= last && is_open(&reader))
            add_line(lines, before.line);
        type = before;
        before = *lexeme;
    }
}

static bool has_line(const json_t *lines, unsigned first, unsigned last) {
    size_t index;
    const json_t *line;
    json_array_foreach(lines, index, line) {
        if (json_integer_value(line) >= first && json_integer_value(line) <= last)
            return true;
    }
    return false;
}

json_t *lines_with_shapes(const char *text, json_t *lines) {
    json_t *shapes = json_array();
    unsigned depth = 0, function = 0, statement = 0;
    struct reader reader;
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        const unsigned line = lexeme->line;
        if (is_word(lexeme, "{") && depth++ == 0)
            function = line;
        depth -= is_word(lexeme, "}") && depth > 0;
        statement = is_one_of(lexeme, "; { }") ? 0 : statement ? statement : line;
        if (!is_word(lexeme, "<<<") || !has_line(lines, statement, line))
            continue;
        json_auto_t *names = read_names(&reader);
        collect_settings(shapes, text, names, function, line);
        for (unsigned i = statement; i <= line; i++)
            if (has_line(lines, i, i))
                add_line(shapes, i);
    }
    if (json_array_size(shapes) <= json_array_size(lines) ||
        json_array_size(shapes) > LINES_MOST_OF_SHAPES) {
        json_decref(shapes);
        return lines;
    }
    json_decref(lines);
    return shapes;
}

json_t *lines_of_launches(const char *text, const char *kernel) {
    json_auto_t *all = json_array();
    json_t *named = json_array();
    unsigned name_line = 0;
    struct reader reader;
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        if (is_word(lexeme, ";") || is_word(lexeme, "{") || is_word(lexeme, "}"))
            name_line = 0;
        if (lexeme->kind == LEXEME_NAME && is_word(lexeme, kernel))
            name_line = lexeme->line;
        if (!is_word(lexeme, "<<<") || !is_open(&reader))
            continue;
        add_line(all, lexeme->line);
        if (name_line > 0)
            add_line(named, name_line);
    }
    if (json_array_size(named) == 0 && json_array_size(all) == 1)
        json_array_extend(named, all);
    return few(named);
}
