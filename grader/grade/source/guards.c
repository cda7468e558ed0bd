/* Reads the statements of a function, each with the condition that it is of. */
#include "grader/grade/source/guards.h"

#include <stdbool.h>

#include "grader/grade/source/lines.h"
#include "grader/grade/source/reading.h"

enum { MOST_NESTED = 200 };

/* A condition around a statement, within others. */
struct guard {
    const struct guard *outer;
    unsigned line, depth;
};

struct search {
    struct reader reader;
    bool has_more; /* the reader is at a lexeme */
    unsigned line; /* whose condition is wanted; 0: it is found */
    unsigned found;
};

static bool is_at(const struct search *search, const char *words) {
    return search->has_more && lexeme_is_one_of(&search->reader.lexeme, words);
}

/* Goes on to the next lexeme; the one before stands under a condition. */
static void step(struct search *search, const struct guard *guard) {
    if (search->line != 0 && search->reader.lexeme.line >= search->line) {
        while (guard->line >= search->line && guard->outer)
            guard = guard->outer;
        search->found = guard->line;
        search->line = 0;
    }
    search->has_more = search->line != 0 && reader_next(&search->reader);
}

/* To behind the bracket that closes the one here. */
static void skip_brackets(struct search *search, const struct guard *guard) {
    unsigned depth = 0;
    do {
        depth += is_at(search, "( {");
        depth -= is_at(search, ") }");
        step(search, guard);
    } while (search->has_more && depth > 0);
}

static void read_statement(struct search *search, const struct guard *guard);

static void read_block(struct search *search, const struct guard *guard) {
    step(search, guard);
    while (search->has_more && !is_at(search, "}"))
        read_statement(search, guard);
    step(search, guard);
}

static void read_condition(struct search *search, const struct guard *guard) {
    const struct guard own = {guard, search->reader.lexeme.line, guard->depth + 1};
    const bool is_choice = is_at(search, "if");
    while (search->has_more && !is_at(search, "( ;"))
        step(search, guard);
    skip_brackets(search, guard);
    read_statement(search, &own);
    if (!is_choice || !is_at(search, "else"))
        return;
    step(search, &own);
    read_statement(search, &own);
}

static void read_statement(struct search *search, const struct guard *guard) {
    if (is_at(search, "{") && guard->depth < MOST_NESTED) {
        read_block(search, guard);
    } else if (is_at(search, "if for while switch") && guard->depth < MOST_NESTED) {
        read_condition(search, guard);
    } else if (is_at(search, "else do")) {
        step(search, guard);
    } else {
        while (search->has_more && !is_at(search, "; }")) {
            if (is_at(search, "( {"))
                skip_brackets(search, guard);
            else
                step(search, guard);
        }
        if (is_at(search, ";"))
            step(search, guard);
    }
}

unsigned line_of_guard(const char *text, unsigned line) {
    const struct guard none = {.line = 0};
    struct search search = {.line = line};
    unsigned first, last;
    read_body_around(text, line, &first, &last);
    reader_init(&search.reader, text);
    do
        search.has_more = reader_next(&search.reader);
    while (search.has_more &&
           (search.reader.lexeme.line < first || !lexeme_is(&search.reader.lexeme, "{")));
    if (first > 0 && first < line && search.has_more)
        read_block(&search, &none);
    return search.found;
}

/* True where a loop is around a line. */
static bool is_in_one_of(const char *text, const json_t *loops, unsigned line) {
    while ((line = line_of_guard(text, line)) != 0)
        if (lines_have(loops, line, line))
            return true;
    return false;
}

json_t *lines_of_loops(const char *text, const char *function) {
    json_auto_t *loops = json_array(), *exits = json_array();
    json_t *lines = json_array();
    unsigned first, last;
    read_body(text, function, &first, &last);
    lines_collect(loops, text, "for while", first, last);
    lines_collect(exits, text, "break return", first, last);
    for (unsigned line = first; line <= last && json_array_size(loops) > 0; line++) {
        const bool is_exit = lines_have(exits, line, line) && is_in_one_of(text, loops, line);
        const unsigned guard = is_exit ? line_of_guard(text, line) : 0;
        if (guard != 0 && !lines_have(lines, guard, guard))
            lines_add(lines, guard);
        if (is_exit || lines_have(loops, line, line))
            lines_add(lines, line);
    }
    return lines_at_most(lines, LINES_MOST_BEHIND);
}

/* "if (error == cudaSuccess)", and not "if (k < n && error == cudaSuccess)". */
static bool looks_at_error_alone(const char *text, unsigned line) {
    json_auto_t *errors = json_array(), *others = json_array();
    lines_collect(errors, text, "cudaSuccess", line, line);
    lines_collect(others, text, "&& || for while", line, line);
    return json_array_size(errors) > 0 && json_array_size(others) == 0;
}

json_t *lines_of_guards(const char *text, const json_t *lines) {
    json_t *guards = json_array(), *line;
    size_t index;
    json_array_foreach(lines, index, line) {
        unsigned at = (unsigned)json_integer_value(line);
        while ((at = line_of_guard(text, at)) != 0) {
            if (!lines_have(lines, at, at) && !lines_have(guards, at, at) &&
                !looks_at_error_alone(text, at))
                json_array_append_new(guards, json_integer(at));
        }
    }
    return guards;
}
