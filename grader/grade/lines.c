/* Goes through a source lexeme by lexeme, with what is open around it. */
#include "grader/grade/lines.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/alike/lexer.h"

enum { WORD_BYTES = 64, MOST_PARTS = 256 };

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

static json_t *at_most(json_t *lines, size_t most) {
    if (json_array_size(lines) > most)
        json_array_clear(lines);
    return lines;
}

static json_t *few(json_t *lines) {
    return at_most(lines, LINES_MOST);
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
            is_one_of(lexeme, is_called ? "(" : "( = ; [[]")) {
            part->name = before;
            is_called = is_word(lexeme, "(");
        }
        is_struct = is_one_of(lexeme, "struct class namespace");
        brackets += depth == 0 && is_word(lexeme, "(");
        brackets -= depth == 0 && is_word(lexeme, ")") && brackets > 0;
        depth += is_word(lexeme, "{");
        if (depth == 0 && is_word(lexeme, ";"))
            return true;
        if (is_word(lexeme, "}") && (depth == 0 || --depth == 0))
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
        bool is_it = is_word(&parts[n].name, function);
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
    struct part parts[MOST_PARTS];
    const size_t n = find_parts(text, function, parts, MOST_PARTS);
    unsigned first, last;
    size_t index;
    for (size_t i = 0; i < n; i++) {
        if (parts[i].is_reached)
            collect(lines, text, words, parts[i].first, parts[i].last);
    }
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

static const char conditions[] = "if while for switch";

json_t *lines_of_branches(const char *text, const json_t *kernels) {
    json_t *lines = json_array(), *kernel;
    unsigned first, last;
    size_t index;
    json_array_foreach(kernels, index, kernel) {
        find_body(text, json_string_value(kernel), &first, &last);
        collect(lines, text, conditions, first, last);
    }
    return at_most(lines, LINES_MOST_OF_SHAPES);
}

/* The last line from `first` to `last` with one of the words; 0: there is none. */
static unsigned last_with(const char *text, const char *words, unsigned first, unsigned last) {
    json_auto_t *lines = json_array();
    collect(lines, text, words, first, last);
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
        if (parts[i].is_reached && (launch > 0 || is_word(&parts[i].name, function)))
            collect(all, text, conditions, parts[i].first, launch > 0 ? launch : parts[i].last);
    }
    json_array_foreach(all, index, line) {
        const unsigned at = (unsigned)json_integer_value(line);
        if (last_with(text, errors, at, at) == 0)
            json_array_append(others, line);
    }
    if (json_array_size(others) == 0)
        json_array_extend(others, all);
    json_decref(all);
    return at_most(others, LINES_MOST_OF_SHAPES);
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

/* The lexemes before the present one, the last first; an element of an array counts as the array's
 * name. */
struct past {
    struct lexeme last[3], array;
    unsigned depth; /* of square brackets */
};

static void past_add(struct past *past, const struct lexeme *lexeme) {
    const bool is_opened = is_word(lexeme, "["), is_closed = is_word(lexeme, "]");
    if (is_opened && past->depth++ == 0)
        past->array = past->last[0];
    if (is_closed && past->depth > 0)
        past->depth--;
    memmove(past->last + 1, past->last, 2 * sizeof *past->last);
    past->last[0] = is_closed && past->depth == 0 ? past->array : *lexeme;
}

/* True where the lexeme behind a name sets what that names: by an operator, by handing out its
 * address, or, of a dim3, in brackets. */
static bool is_set_by(const struct past *past, const struct lexeme *lexeme) {
    static const char operators[] = "= += -= [*]= /= %= <<= >>= ++ -- |= &= ^=";
    const bool has_address = past->last[1].at && is_word(&past->last[1], "&") && past->last[2].at &&
                             is_one_of(&past->last[2], "( ,");
    return is_one_of(lexeme, operators) || (has_address && is_one_of(lexeme, ", )")) ||
           (is_word(lexeme, "(") && past->last[1].at && is_word(&past->last[1], "dim3"));
}

/* Adds the lines from `first` to `last` on which one of the names is set. */
static void collect_settings(json_t *lines, const char *text, const json_t *names, unsigned first,
                             unsigned last) {
    struct reader reader;
    struct past past = {.depth = 0};
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *name = &past.last[0];
        if (name->at && name->kind == LEXEME_NAME && is_named_in(names, name) &&
            is_set_by(&past, &reader.lexeme) && first <= name->line && name->line <= last &&
            is_open(&reader))
            add_line(lines, name->line);
        past_add(&past, &reader.lexeme);
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

/* True for a name that is not a member's, as x in threadIdx.x. */
static bool is_free_name(const struct lexeme *before, const struct lexeme *lexeme) {
    return lexeme->kind == LEXEME_NAME && !(before->at && is_one_of(before, ". ->"));
}

/* Appends the lines from `first` to `last` that have a name. */
static void collect_name(json_t *lines, const char *text, const char *name, unsigned first,
                         unsigned last) {
    struct reader reader;
    struct lexeme before = {0};
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        if (first <= lexeme->line && lexeme->line <= last && is_open(&reader) &&
            is_free_name(&before, lexeme) && is_word(lexeme, name))
            add_line(lines, lexeme->line);
        before = *lexeme;
    }
}

/* Appends the lines of a function's body that have a name: all, or where these are more than
 * LINES_MOST, those on which it is set. */
static void collect_of_name(json_t *lines, const char *text, const char *function,
                            const char *name) {
    json_auto_t *all = json_array(), *settings = json_array(), *names = json_pack("[s]", name);
    unsigned first, last;
    find_body(text, function, &first, &last);
    if (last == 0)
        return;
    first += first < last; /* the head's last line */
    collect_name(all, text, name, first, last);
    collect_settings(settings, text, names, first, last);
    json_array_extend(lines, json_array_size(all) <= LINES_MOST ? all : settings);
}

json_t *lines_of_setting(const char *text, const json_t *functions, const char *name) {
    json_t *lines = json_array();
    const json_t *function;
    size_t index;
    json_array_foreach(functions, index, function) {
        collect_of_name(lines, text, json_string_value(function), name);
    }
    return at_most(lines, LINES_MOST_OF_SHAPES);
}

/* The names on these lines. */
static json_t *names_on(const char *text, const json_t *lines) {
    json_t *names = json_array();
    struct reader reader;
    struct lexeme before = {0};
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        if (is_free_name(&before, lexeme) && has_line(lines, lexeme->line, lexeme->line))
            json_array_append_new(names, json_stringn(lexeme->at, lexeme->bytes));
        before = *lexeme;
    }
    return names;
}

/* The body of the function around a line; both 0 where it is in none. */
static void body_around(const char *text, unsigned line, unsigned *first, unsigned *last) {
    struct reader reader;
    unsigned depth = 0;
    *first = *last = 0;
    reader_init(&reader, text);
    while (*last < line && reader_next(&reader)) {
        if (is_word(&reader.lexeme, "{") && depth++ == 0)
            *first = reader.lexeme.line;
        if (is_word(&reader.lexeme, "}") && depth > 0 && --depth == 0)
            *last = reader.lexeme.line;
    }
    if (*first > line || *last < line)
        *first = *last = 0;
}

/* The settings' line that is not among `lines` and lies nearest to `line`; 0 where there is none.
 */
static unsigned nearest(const json_t *settings, const json_t *lines, unsigned line) {
    unsigned best = 0;
    size_t index;
    const json_t *setting;
    json_array_foreach(settings, index, setting) {
        const unsigned at = (unsigned)json_integer_value(setting);
        const bool is_nearer =
            best == 0 || labs((long)at - (long)line) < labs((long)best - (long)line);
        if (!has_line(lines, at, at) && is_nearer)
            best = at;
    }
    return best;
}

/* Puts a line where it belongs among others in their order. */
static void insert_line(json_t *lines, unsigned line) {
    size_t i = 0;
    while (i < json_array_size(lines) &&
           json_integer_value(json_array_get(lines, i)) < (json_int_t)line)
        i++;
    json_array_insert_new(lines, i, json_integer(line));
}

json_t *lines_behind(const char *text, json_t *lines) {
    const unsigned line = (unsigned)json_integer_value(json_array_get(lines, 0));
    unsigned first, last, next = line;
    body_around(text, line, &first, &last);
    while (next != 0 && json_array_size(lines) < LINES_MOST_OF_SHAPES) {
        json_auto_t *names = names_on(text, lines), *settings = json_array();
        collect_settings(settings, text, names, first, last);
        next = nearest(settings, lines, line);
        if (next != 0)
            insert_line(lines, next);
    }
    return lines;
}

/* The names that a line sets. A new array. */
static json_t *names_set_on(const char *text, unsigned line) {
    json_auto_t *lines = json_pack("[i]", (int)line), *names = names_on(text, lines);
    json_t *set = json_array(), *name;
    size_t index;
    json_array_foreach(names, index, name) {
        json_auto_t *one = json_pack("[O]", name), *settings = json_array();
        collect_settings(settings, text, one, line, line);
        if (json_array_size(settings) > 0)
            json_array_append(set, name);
    }
    return set;
}

json_t *lines_after(const char *text, unsigned line) {
    static const char questions[] = "cudaGetLastError cudaPeekAtLastError cudaDeviceSynchronize "
                                    "cudaStreamSynchronize return";
    enum { MOST = 2 };
    json_auto_t *names = names_set_on(text, line);
    json_t *lines = json_array(), *name;
    unsigned first, last;
    size_t index;
    body_around(text, line, &first, &last);
    json_array_foreach(names, index, name) {
        collect_name(lines, text, json_string_value(name), line + 1, last);
    }
    if (json_array_size(names) == 0)
        collect(lines, text, questions, line + 1, last);
    while (json_array_size(lines) > MOST)
        json_array_remove(lines, MOST);
    return lines;
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
