/* Looks for words and launches in what a function may use. */
#include "grader/grade/source/lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/source/reading.h"

enum { MOST_PARTS = 256 };

static json_t *few(json_t *lines) {
    return lines_at_most(lines, LINES_MOST);
}

/* A definition at the top of the file. */
struct part {
    struct lexeme
        name; /* the function's, struct's or variable's; of no length where there is none */
    unsigned first, last;
    bool is_reached;
};

/* Reads on to the end of the definition that begins at the next lexeme; false at the file's end. */
static bool next_part(struct reader *reader, struct part *part) {
    struct lexeme before = {0};
    unsigned depth = 0, brackets = 0;
    bool is_struct = false, is_called = false;
    *part = (struct part){.first = 0};
    while (reader_next(reader)) {
        const struct lexeme *lexeme = &reader->lexeme;
        part->first = part->first ? part->first : lexeme->line;
        part->last = lexeme->line;
        if (depth == 0 && brackets == 0 && is_struct && lexeme->kind == LEXEME_NAME)
            part->name = *lexeme;
        if (depth == 0 && brackets == 0 && before.kind == LEXEME_NAME &&
            lexeme_is_one_of(lexeme, is_called ? "(" : "( = ; [[]")) {
            part->name = before;
            is_called = lexeme_is(lexeme, "(");
        }
        is_struct = lexeme_is_one_of(lexeme, "struct class namespace");
        brackets += depth == 0 && lexeme_is(lexeme, "(");
        brackets -= depth == 0 && lexeme_is(lexeme, ")") && brackets > 0;
        depth += lexeme_is(lexeme, "{");
        if (depth == 0 && lexeme_is(lexeme, ";"))
            return true;
        if (lexeme_is(lexeme, "}") && (depth == 0 || --depth == 0))
            return true;
        before = *lexeme;
    }
    return false;
}

static bool is_same(const struct lexeme *a, const struct lexeme *b) {
    return a->bytes == b->bytes && a->bytes > 0 && strncmp(a->at, b->at, a->bytes) == 0;
}

/* Marks the parts whose names stand in one that is reached. True where there were more. */
static bool reach_more(const char *text, struct part *parts, size_t n) {
    struct reader reader;
    bool has_more = false;
    size_t at = 0;
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        while (at + 1 < n && reader.lexeme.line > parts[at].last)
            at++;
        if (!parts[at].is_reached || reader.lexeme.kind != LEXEME_NAME)
            continue;
        for (size_t i = 0; i < n; i++) {
            const bool is_new = !parts[i].is_reached && is_same(&parts[i].name, &reader.lexeme);
            parts[i].is_reached |= is_new;
            has_more |= is_new;
        }
    }
    return has_more;
}

/* The parts of a source. Marks those that a call of the function may use, by their names, and those
 * without a name; all where the source has no function of this name. Returns their number. */
static size_t find_parts(const char *text, const char *function, struct part *parts, size_t room) {
    struct reader reader;
    bool is_found = false;
    size_t n = 0;
    reader_init(&reader, text);
    while (n < room && next_part(&reader, &parts[n])) {
        bool is_it = lexeme_is(&parts[n].name, function);
        is_found |= is_it && parts[n].last > parts[n].first;
        parts[n].is_reached = is_it;
        n++;
    }
    while (is_found && reach_more(text, parts, n))
        continue;
    for (size_t i = 0; i < n; i++)
        parts[i].is_reached |= !is_found || parts[i].name.bytes == 0;
    return n;
}

json_t *lines_of_words(const char *text, const char *words, const char *function,
                       const json_t *kernels) {
    json_t *lines = json_array(), *kernel;
    struct part parts[MOST_PARTS];
    const size_t n = find_parts(text, function, parts, MOST_PARTS);
    unsigned first, last;
    size_t index;
    for (size_t i = 0; i < n; i++) {
        if (parts[i].is_reached)
            lines_collect(lines, text, words, parts[i].first, parts[i].last);
    }
    if (json_array_size(lines) <= LINES_MOST)
        return lines;
    json_array_clear(lines);
    read_body(text, function, &first, &last);
    lines_collect(lines, text, words, first, last);
    if (json_array_size(lines) > 0)
        return few(lines);
    json_array_foreach(kernels, index, kernel) {
        read_body(text, json_string_value(kernel), &first, &last);
        lines_collect(lines, text, words, first, last);
    }
    return few(lines);
}

/* True where a part of the source says that it is a kernel. */
static bool is_kernel(const char *text, const struct part *part) {
    struct reader reader;
    reader_init(&reader, text);
    while (reader_next(&reader) && reader.lexeme.line <= part->last)
        if (reader.lexeme.line >= part->first && lexeme_is(&reader.lexeme, "__global__"))
            return true;
    return false;
}

json_t *functions_reached(const char *text, const char *function) {
    json_t *names = json_array();
    struct part parts[MOST_PARTS];
    const size_t n = find_parts(text, function, parts, MOST_PARTS);
    bool is_found = false;
    for (size_t i = 0; i < n; i++) {
        const struct part *part = &parts[i];
        if (!part->is_reached || part->name.bytes == 0 || part->first == part->last ||
            is_kernel(text, part))
            continue;
        is_found |= lexeme_is(&part->name, function);
        json_array_append_new(names, json_stringn(part->name.at, part->name.bytes));
    }
    if (!is_found)
        json_array_clear(names);
    return names;
}

json_t *lines_of_ends(const char *text, const json_t *kernels) {
    json_t *lines = json_array(), *kernel;
    unsigned first, last;
    size_t index;
    json_array_foreach(kernels, index, kernel) {
        read_body(text, json_string_value(kernel), &first, &last);
        if (last > 0)
            lines_add(lines, last);
    }
    return few(lines);
}

static const char conditions[] = "if while for switch";

json_t *lines_of_branches(const char *text, const json_t *kernels) {
    json_t *lines = json_array(), *kernel;
    unsigned first, last;
    size_t index;
    json_array_foreach(kernels, index, kernel) {
        read_body(text, json_string_value(kernel), &first, &last);
        lines_collect(lines, text, conditions, first, last);
    }
    return lines_at_most(lines, LINES_MOST_OF_SHAPES);
}

/* The last line from `first` to `last` with one of the words; 0: there is none. */
static unsigned last_with(const char *text, const char *words, unsigned first, unsigned last) {
    json_auto_t *lines = json_array();
    lines_collect(lines, text, words, first, last);
    return (unsigned)json_integer_value(json_array_get(lines, json_array_size(lines) - 1));
}

json_t *lines_before_launches(const char *text, const char *function) {
    static const char errors[] = "cudaSuccess cudaGetLastError cudaPeekAtLastError";
    json_t *all = json_array(), *others = json_array(), *line;
    struct part parts[MOST_PARTS];
    const size_t n = find_parts(text, function, parts, MOST_PARTS);
    size_t index;
    for (size_t i = 0; i < n; i++) {
        const unsigned launch = last_with(text, "<<<", parts[i].first, parts[i].last);
        if (parts[i].is_reached && (launch > 0 || lexeme_is(&parts[i].name, function)))
            lines_collect(all, text, conditions, parts[i].first,
                          launch > 0 ? launch : parts[i].last);
    }
    json_array_foreach(all, index, line) {
        const unsigned at = (unsigned)json_integer_value(line);
        if (last_with(text, errors, at, at) == 0)
            json_array_append(others, line);
    }
    if (json_array_size(others) == 0 || json_array_size(all) <= LINES_MOST_BEHIND) {
        json_decref(others);
        return lines_at_most(all, LINES_MOST_BEHIND);
    }
    json_decref(all);
    return lines_at_most(others, LINES_MOST_OF_SHAPES);
}

json_t *lines_of_launches(const char *text, const char *kernel) {
    json_auto_t *all = json_array();
    json_t *named = json_array();
    unsigned name_line = 0;
    struct reader reader;
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        if (lexeme_is(lexeme, ";") || lexeme_is(lexeme, "{") || lexeme_is(lexeme, "}"))
            name_line = 0;
        if (lexeme->kind == LEXEME_NAME && lexeme_is(lexeme, kernel))
            name_line = lexeme->line;
        if (!lexeme_is(lexeme, "<<<") || !reader_is_open(&reader))
            continue;
        lines_add(all, lexeme->line);
        if (name_line > 0)
            lines_add(named, name_line);
    }
    if (json_array_size(named) == 0 && json_array_size(all) == 1)
        json_array_extend(named, all);
    return few(named);
}

/* The template arguments behind a name, as "<512, 4>"; "" where there are none, or long ones. The
 * reader stands at what follows then; false at the end of the file. */
static bool read_arguments(struct reader *reader, char *text, size_t bytes) {
    size_t used = 0;
    bool is_there = reader_next(reader), is_whole = false;
    *text = '\0';
    if (!is_there || !lexeme_is(&reader->lexeme, "<"))
        return is_there;
    while (is_there && !is_whole && reader->lexeme.bytes + 2 < bytes - used) {
        const struct lexeme *lexeme = &reader->lexeme;
        used += (size_t)snprintf(text + used, bytes - used, "%.*s%s", (int)lexeme->bytes,
                                 lexeme->at, lexeme_is(lexeme, ",") ? " " : "");
        is_whole = lexeme_is(lexeme, ">");
        is_there = reader_next(reader);
    }
    if (!is_whole)
        *text = '\0';
    return is_there;
}

json_t *lines_of_naming(const char *text, const char *kernel) {
    const size_t length = strcspn(kernel, "<");
    OWNED char *plain = text_format("%.*s", (int)length, kernel);
    json_t *all = json_array(), *same = json_array();
    struct reader reader;
    reader_init(&reader, text);
    for (bool is_there = reader_next(&reader); is_there;) {
        const struct lexeme name = reader.lexeme;
        const bool is_open = reader_is_open(&reader);
        char arguments[64];
        if (name.kind != LEXEME_NAME || !lexeme_is(&name, plain)) {
            is_there = reader_next(&reader);
            continue;
        }
        is_there = read_arguments(&reader, arguments, sizeof arguments);
        if (!is_open || !is_there || lexeme_is_one_of(&reader.lexeme, "( <<<"))
            continue; /* a definition, a call, a launch */
        lines_add(all, name.line);
        if (strcmp(arguments, kernel + length) == 0)
            lines_add(same, name.line);
    }
    const bool has_same = json_array_size(same) > 0;
    json_decref(has_same ? all : same);
    return few(has_same ? same : all);
}
