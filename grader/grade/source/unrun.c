/* Looks for statements with an instruction that no compiler leaves out while they run. */
#include "grader/grade/source/unrun.h"

#include <stdbool.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/source/guards.h"
#include "grader/grade/source/reading.h"

/* The names of the arrays in shared memory, with blanks between. The caller frees it. */
static char *shared_names(const char *text) {
    char *names = text_format("%s", "");
    struct reader reader;
    struct lexeme before = {0};
    bool is_shared = false;
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        if (is_shared && lexeme_is(lexeme, "[") && before.kind == LEXEME_NAME)
            text_add(&names, " %.*s", (int)before.bytes, before.at);
        is_shared = lexeme_is(lexeme, "__shared__") || (is_shared && !lexeme_is(lexeme, ";"));
        before = *lexeme;
    }
    return names;
}

/* The lines on which something is done that can be told from its instruction. */
static json_t *busy_lines(const char *text) {
    OWNED char *names = shared_names(text);
    json_t *lines = json_array();
    struct reader reader;
    struct lexeme before = {0};
    bool is_shared = false;
    reader_init(&reader, text);
    while (reader_next(&reader)) {
        const struct lexeme *lexeme = &reader.lexeme;
        const bool is_element =
            lexeme_is(lexeme, "[") && *names && lexeme_is_one_of(&before, names);
        is_shared = lexeme_is(lexeme, "__shared__") || (is_shared && !lexeme_is(lexeme, ";"));
        if (reader_is_open(&reader) && !is_shared &&
            (is_element ||
             lexeme_is_one_of(lexeme, "__syncthreads __syncwarp __shfl_*_sync atomic*")))
            lines_add(lines, lexeme->line);
        before = *lexeme;
    }
    return lines;
}

static bool is_under(const char *text, unsigned line, unsigned guard) {
    while ((line = line_of_guard(text, line)) != 0)
        if (line == guard)
            return true;
    return false;
}

/* A function, and what is known of it. */
struct body {
    const char *text;
    unsigned first, last;
    const json_t *here, *all;
};

/* No line under the condition ran. */
static bool is_dead(const struct body *body, unsigned guard) {
    for (unsigned line = guard + 1; line <= body->last; line++)
        if (lines_have(body->all, line, line) && is_under(body->text, line, guard))
            return false;
    return true;
}

/* The condition was come to, and left behind. */
static bool is_passed(const struct body *body, unsigned guard) {
    bool is_behind = false;
    for (unsigned line = guard + 1; line <= body->last && !is_behind; line++)
        is_behind = lines_have(body->here, line, line) && !is_under(body->text, line, guard);
    return is_behind && lines_have(body->here, body->first, guard);
}

unsigned line_never_run(const char *text, const json_t *here, const json_t *all, unsigned *guard) {
    json_auto_t *busy = busy_lines(text);
    size_t index;
    json_t *one;
    json_array_foreach(busy, index, one) {
        const unsigned line = (unsigned)json_integer_value(one);
        struct body body = {.text = text, .here = here, .all = all};
        unsigned outer = 0;
        if (lines_have(all, line, line))
            continue;
        read_body_around(text, line, &body.first, &body.last);
        for (unsigned at = line; (at = line_of_guard(text, at)) != 0 && is_dead(&body, at);)
            outer = at;
        if (outer == 0 || !is_passed(&body, outer))
            continue;
        *guard = outer;
        return line;
    }
    return 0;
}
