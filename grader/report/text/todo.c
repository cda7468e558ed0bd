/*
 * In which TODO region of the student's file that lies what a failure is about. A test that is
 * about one TODO fails by mistakes in others, too: a region is named only where something was seen
 * in it.
 */
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/text/render.h"

/* Goes through a source line by line. */
struct reader {
    const char *text;
    unsigned line;   /* number of the line, from 1 */
    char words[400]; /* its text, as far as it fits */
    unsigned todo;   /* of the region around it; 0 outside */
};

static bool next_line(struct reader *reader) {
    size_t bytes;
    const char *at = text_line(reader->text, ++reader->line, &bytes), *begins;
    if (!at)
        return false;
    snprintf(reader->words, sizeof reader->words, "%.*s", (int)bytes, at);
    begins = strstr(reader->words, "// TODO(");
    if (strstr(reader->words, "// END TODO") ||
        (begins && sscanf(begins, "// TODO(%u", &reader->todo) != 1))
        reader->todo = 0;
    return true;
}

static unsigned todo_at(const char *text, unsigned line) {
    struct reader reader = {.text = text};
    while (next_line(&reader) && reader.line < line)
        continue;
    return reader.line == line ? reader.todo : 0;
}

/* The region of the lines of an edit, if it is one; else 0. */
static unsigned todo_of(const char *source, const json_t *lab, const json_t *proven) {
    const json_t *lines = json_object_get(proven, "lines"), *line;
    size_t index;
    unsigned todo = 0;
    if (json_is_integer(json_object_get(proven, "line")))
        return render_source_is_own(lab, record_text(proven, "file"))
                   ? todo_at(source, (unsigned)record_count(proven, "line"))
                   : 0;
    json_array_foreach(lines, index, line) {
        unsigned of_line = todo_at(source, (unsigned)json_integer_value(line));
        if (index > 0 && of_line != todo)
            return 0;
        todo = of_line;
    }
    return todo;
}

/* True where a TODO has tests of its own, and all of them pass. */
static bool passes(const json_t *lab, unsigned todo) {
    const json_t *test;
    size_t index;
    bool has_any = false;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        const enum verdict_kind kind = verdict_of_test(record_text(test, "verdict"))->kind;
        if (record_count(test, "todo") != todo || kind == VERDICT_NOTHING)
            continue;
        if (kind != VERDICT_GOOD)
            return false;
        has_any = true;
    }
    return has_any;
}

unsigned render_right_todo(const char *source, const json_t *lab, const json_t *test) {
    const unsigned todo = source ? todo_of(source, lab, render_proven(test)) : 0;
    const json_int_t about = record_count(test, "todo");
    return todo > 0 && about > 0 && about != todo && passes(lab, todo) ? todo : 0;
}

unsigned render_proven_todo(const struct render *render, const json_t *lab, const json_t *test) {
    const json_t *proven = render_proven(test);
    if (!render->source_text || !proven || (render->hidden & RENDER_DIAGNOSIS) ||
        render_comes_from_elsewhere(render->source_text, lab, proven) ||
        render_right_todo(render->source_text, lab, test) > 0)
        return 0;
    return todo_of(render->source_text, lab, proven);
}

/* True where a line has the name, and `(` behind it: a function's head, or a call of it. */
static bool has_function(const char *words, const char *name, size_t bytes) {
    for (const char *at = strstr(words, name); at; at = strstr(at + 1, name)) {
        bool begins = at == words || strchr(" *&", at[-1]);
        if (begins && at[bytes] == '(')
            return true;
    }
    return false;
}

/* Reasons begin with the function's name. Where that one only calls what is not written, as one of
 * two forms of a scan does, the region is known all the same if the file has a single one left. */
unsigned render_waiting_todo(const struct render *render, const json_t *test) {
    const char *reason = record_text(test, "reason");
    char name[100];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(reason, " "), reason);
    struct reader reader = {.text = render->source_text};
    unsigned own = 0, only = 0;
    bool is_inside = false, is_one = true;
    while (reader.text && next_line(&reader)) {
        if (reader.words[0] == '}')
            is_inside = false;
        if (!strchr(" \t/*}#", reader.words[0]) && has_function(reader.words, name, strlen(name)))
            is_inside = true;
        if (reader.todo == 0 || !strstr(reader.words, "return LAB_NOT_WRITTEN"))
            continue;
        if (is_inside)
            own = reader.todo;
        is_one = is_one && (only == 0 || only == reader.todo);
        only = reader.todo;
    }
    return own > 0 ? own : is_one ? only : 0;
}
