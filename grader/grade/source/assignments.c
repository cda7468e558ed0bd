/* Lines on which names are set, forwards and backwards. */
#include "grader/grade/source/assignments.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "grader/grade/source/guards.h"
#include "grader/grade/source/lines.h"
#include "grader/grade/source/reading.h"

/* The names in a launch's shape, between the `<<<` just read and its `>>>`; a new array. */
static json_t *read_names(struct reader *reader) {
    json_t *names = json_array();
    while (reader_next(reader) && !lexeme_is_one_of(&reader->lexeme, ">>> ; {")) {
        if (reader->lexeme.kind == LEXEME_NAME)
            json_array_append_new(names, json_stringn(reader->lexeme.at, reader->lexeme.bytes));
    }
    return names;
}

static bool is_named_in(const json_t *names, const struct lexeme *lexeme) {
    size_t index;
    const json_t *name;
    json_array_foreach(names, index, name) {
        if (lexeme_is(lexeme, json_string_value(name)))
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
    const bool is_opened = lexeme_is(lexeme, "["), is_closed = lexeme_is(lexeme, "]");
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
    const bool has_address = past->last[1].at && lexeme_is(&past->last[1], "&") &&
                             past->last[2].at && lexeme_is_one_of(&past->last[2], "( ,");
    return lexeme_is_one_of(lexeme, operators) ||
           (has_address && lexeme_is_one_of(lexeme, ", )")) ||
           (lexeme_is(lexeme, "(") && past->last[1].at && lexeme_is(&past->last[1], "dim3"));
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
            reader_is_open(&reader))
            lines_add(lines, name->line);
        past_add(&past, &reader.lexeme);
    }
}

json_t *lines_with_shapes(const char *text, json_t *lines) {
    json_t *shapes = json_array();
    unsigned depth = 0, function = 0, statement = 0;
    struct reader reader;
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        const unsigned line = lexeme->line;
        if (lexeme_is(lexeme, "{") && depth++ == 0)
            function = line;
        depth -= lexeme_is(lexeme, "}") && depth > 0;
        statement = lexeme_is_one_of(lexeme, "; { }") ? 0 : statement ? statement : line;
        if (!lexeme_is(lexeme, "<<<") || !lines_have(lines, statement, line))
            continue;
        json_auto_t *names = read_names(&reader);
        collect_settings(shapes, text, names, function, line);
        for (unsigned i = statement; i <= line; i++)
            if (lines_have(lines, i, i))
                lines_add(shapes, i);
    }
    if (json_array_size(shapes) <= json_array_size(lines) ||
        json_array_size(shapes) > LINES_MOST_OF_SHAPES) {
        json_decref(shapes);
        return lines;
    }
    json_decref(lines);
    return shapes;
}

json_t *lines_of_shapes(const char *text, const json_t *kernels) {
    json_t *lines = json_array(), *kernel;
    size_t index;
    json_array_foreach(kernels, index, kernel) {
        json_auto_t *launches = lines_of_launches(text, json_string_value(kernel));
        json_array_extend(lines, launches);
    }
    return lines_with_shapes(text, lines_in_order(lines));
}

/* True for a name that is not a member's, as x in threadIdx.x. */
static bool is_free_name(const struct lexeme *before, const struct lexeme *lexeme) {
    return lexeme->kind == LEXEME_NAME && !(before->at && lexeme_is_one_of(before, ". ->"));
}

/* Appends the lines from `first` to `last` that have a name. */
static void collect_name(json_t *lines, const char *text, const char *name, unsigned first,
                         unsigned last) {
    struct reader reader;
    struct lexeme before = {0};
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        if (first <= lexeme->line && lexeme->line <= last && reader_is_open(&reader) &&
            is_free_name(&before, lexeme) && lexeme_is(lexeme, name))
            lines_add(lines, lexeme->line);
        before = *lexeme;
    }
}

/* Appends the lines of a function's body that have a name: all, or where these are more than
 * LINES_MOST, those on which it is set. */
static void collect_of_name(json_t *lines, const char *text, const char *function,
                            const char *name) {
    json_auto_t *all = json_array(), *settings = json_array(), *names = json_pack("[s]", name);
    unsigned first, last;
    read_body(text, function, &first, &last);
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
    return lines_at_most(lines, LINES_MOST_OF_SHAPES);
}

json_t *lines_of_setting_around(const char *text, unsigned line, const char *name) {
    json_auto_t *names = json_pack("[s]", name);
    json_t *lines = json_array();
    unsigned first, last;
    read_body_around(text, line, &first, &last);
    collect_settings(lines, text, names, first, last);
    return lines_at_most(lines, LINES_MOST);
}

/* The names on these lines. */
static json_t *names_on(const char *text, const json_t *lines) {
    json_t *names = json_array();
    struct reader reader;
    struct lexeme before = {0};
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        if (is_free_name(&before, lexeme) && lines_have(lines, lexeme->line, lexeme->line))
            json_array_append_new(names, json_stringn(lexeme->at, lexeme->bytes));
        before = *lexeme;
    }
    return names;
}

/* The settings' line that is not among `lines` and lies nearest to `line`, one that ran where there
 * is one; 0 where there is none at all. */
static unsigned nearest(const json_t *settings, const json_t *lines, const json_t *ran,
                        unsigned line) {
    unsigned best = 0;
    bool has_best_run = false;
    size_t index;
    const json_t *setting;
    json_array_foreach(settings, index, setting) {
        const unsigned at = (unsigned)json_integer_value(setting);
        const bool has_run = lines_have(ran, at, at);
        const bool is_nearer =
            best == 0 || labs((long)at - (long)line) < labs((long)best - (long)line);
        if (lines_have(lines, at, at) || (has_best_run && !has_run) ||
            (has_best_run == has_run && !is_nearer))
            continue;
        best = at;
        has_best_run = has_run;
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

/* The condition that a line is of, unless it is there. */
static void add_guard(const char *text, unsigned line, json_t *lines) {
    const unsigned guard = line_of_guard(text, line);
    if (guard != 0 && !lines_have(lines, guard, guard) &&
        json_array_size(lines) < LINES_MOST_BEHIND)
        insert_line(lines, guard);
}

json_t *lines_with_guards(const char *text, json_t *lines) {
    json_auto_t *before = json_copy(lines);
    json_t *line;
    size_t index;
    json_array_foreach(before, index, line) {
        add_guard(text, (unsigned)json_integer_value(line), lines);
    }
    return lines;
}

json_t *lines_behind(const char *text, unsigned line, json_t *lines, const json_t *ran) {
    unsigned first, last, next = line;
    read_body_around(text, line, &first, &last);
    add_guard(text, line, lines);
    while (next != 0 && json_array_size(lines) < LINES_MOST_BEHIND) {
        json_auto_t *names = names_on(text, lines), *settings = json_array();
        collect_settings(settings, text, names, first, last);
        next = nearest(settings, lines, ran, line);
        if (next != 0)
            insert_line(lines, next);
    }
    return lines;
}

/* Of the names on a line those that it sets, or the others. A new array. */
static json_t *names_by_use(const char *text, unsigned line, bool are_set) {
    json_auto_t *lines = json_pack("[i]", (int)line), *all = names_on(text, lines);
    json_t *names = json_array(), *name;
    size_t index;
    json_array_foreach(all, index, name) {
        json_auto_t *one = json_pack("[O]", name), *settings = json_array();
        collect_settings(settings, text, one, line, line);
        if ((json_array_size(settings) > 0) == are_set)
            json_array_append(names, name);
    }
    return names;
}

json_t *lines_made_of(const char *text, const json_t *lines) {
    json_auto_t *settings = json_array();
    json_t *made = json_array(), *line;
    size_t index;
    json_array_foreach(lines, index, line) {
        const unsigned at = (unsigned)json_integer_value(line);
        json_auto_t *names = names_by_use(text, at, false);
        unsigned first, last;
        read_body_around(text, at, &first, &last);
        collect_settings(settings, text, names, first, last);
    }
    json_array_foreach(settings, index, line) {
        const unsigned at = (unsigned)json_integer_value(line);
        if (!lines_have(lines, at, at))
            json_array_append(made, line);
    }
    return lines_in_order(made);
}

json_t *lines_with_causes(const char *text, json_t *lines) {
    lines = lines_with_guards(text, lines);
    json_auto_t *made = lines_made_of(text, lines);
    if (json_array_size(lines) + json_array_size(made) <= LINES_MOST_BEHIND)
        json_array_extend(lines, made);
    return lines_in_order(lines);
}

json_t *lines_after(const char *text, unsigned line) {
    static const char questions[] = "cudaGetLastError cudaPeekAtLastError cudaDeviceSynchronize "
                                    "cudaStreamSynchronize return";
    enum { MOST = 2 };
    json_auto_t *names = names_by_use(text, line, true);
    json_t *lines = json_array(), *name;
    unsigned first, last;
    size_t index;
    read_body_around(text, line, &first, &last);
    json_array_foreach(names, index, name) {
        collect_name(lines, text, json_string_value(name), line + 1, last);
    }
    if (json_array_size(names) == 0)
        lines_collect(lines, text, questions, line + 1, last);
    while (json_array_size(lines) > MOST)
        json_array_remove(lines, MOST);
    return lines;
}
