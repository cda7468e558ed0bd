/* Each of these is true of what ran, so it may be told; why it is so it does not say. */
#include "grader/grade/evidence/observe.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/grade/source/assignments.h"
#include "grader/grade/source/lines.h"
#include "grader/grade/source/reading.h"
#include "grader/grade/source/unrun.h"
#include "grader/grade/evidence/terms.h"

static json_t *diagnosis(const char *id, const char *text, const char *hint, json_t *lines) {
    return json_pack("{s:s, s:s, s:s, s:o}", "id", id, "text", text, "hint", hint, "lines", lines);
}

/* True where the test failed, and nothing says why but findings of these kinds, with blanks
 * between, as patterns of files' names. */
static bool is_unexplained_but(const json_t *test, const char *kinds) {
    const json_t *proven = json_object_get(json_object_get(test, "experiment"), "proven"), *finding;
    bool is_so = verdict_of_test(record_text(test, "verdict"))->kind == VERDICT_BAD &&
                 !json_is_object(json_object_get(test, "diagnosis")) &&
                 json_array_size(proven) == 0;
    size_t index;
    json_array_foreach(json_object_get(test, "findings"), index, finding) {
        is_so &= text_is_like(record_text(finding, "kind"), kinds);
    }
    return is_so;
}

/* The line of nvcc's warning that this function may end without a return; 0: there is none. It
 * looks like `sum.cu(37): warning #940-D: missing return statement at end of non-void function
 * "sum"`. */
static unsigned line_without_return(const char *messages, const char *function) {
    static const char warning[] = "missing return statement at end of non-void function \"";
    const size_t length = strlen(function);
    for (const char *at = messages; (at = strstr(at, warning)) != NULL;) {
        const char *name = at + strlen(warning), *line = at;
        at = name;
        if (strncmp(name, function, length) != 0 || !strchr("(\"", name[length]))
            continue;
        while (line > messages && line[-1] != '\n')
            line--;
        line = strchr(line, '(');
        return line && line < name ? (unsigned)strtoul(line + 1, NULL, 10) : 0;
    }
    return 0;
}

static json_t *missing_return(const json_t *lab, const json_t *test, const char *source) {
    const char *messages = record_text(json_object_get(lab, "compile"), "messages");
    OWNED char *called = record_function(test);
    json_auto_t *functions = functions_reached(source, called);
    size_t index;
    json_t *one;
    json_array_foreach(functions, index, one) {
        const char *function = json_string_value(one);
        const unsigned line = line_without_return(messages, function);
        if (line == 0)
            continue;
        OWNED char *text = text_format("%s may end without a return, in line %u: then its caller "
                                       "takes what happens to lie there for the result.",
                                       function, line);
        return diagnosis("missing_return", text, "Let each way through it end with a return.",
                         json_pack("[I]", (json_int_t)line));
    }
    return NULL;
}

/* The lines of the kernels that name an input with what sets their index and decides whether they
 * run, and, where these are few, the kernels' launches. */
static json_t *lines_of_reading(const json_t *test, const char *name, const char *source) {
    json_auto_t *kernels = record_kernels(test);
    json_t *lines = lines_in_order(lines_of_setting(source, kernels, name));
    json_auto_t *launches = lines_at_most(lines_of_shapes(source, kernels), LINES_MOST_OF_SHAPES);
    lines = lines_with_causes(source, lines);
    json_array_extend(lines, launches);
    return lines_in_order(lines);
}

static json_t *never_read(const json_t *test, const char *source) {
    const json_t *unread = json_object_get(test, "unread");
    const char *name = record_text(unread, "name");
    const json_int_t first = record_count(unread, "first"), last = record_count(unread, "last"),
                     others = record_count(unread, "count") - (last - first + 1);
    if (!json_is_object(unread))
        return NULL;
    const bool is_copied = strcmp(record_text(unread, "by"), "copy") == 0;
    OWNED char *text =
        text_format("In this case no %s %s[%" JSON_INTEGER_FORMAT "]",
                    is_copied ? "copy to the device took" : "thread read", name, first);
    if (last > first)
        text_add(&text, " to %s[%" JSON_INTEGER_FORMAT "]", name, last);
    if (others > 0)
        text_add(&text, ", nor %" JSON_INTEGER_FORMAT " more of its elements", others);
    text_add(&text, ".");
    return diagnosis("never_read", text,
                     is_copied ? "Look at the copies of this array: from where on, and how many "
                                 "bytes?"
                               : "Which thread was to read them? Look at its index, at the "
                                 "condition before the read, and at how many threads there are.",
                     is_copied ? json_array() : lines_of_reading(test, name, source));
}

static json_t *never_ran(const json_t *lab, const json_t *test, const json_t *all,
                         const char *source) {
    json_auto_t *here = record_lines_run(lab, test);
    unsigned guard;
    const unsigned line = line_never_run(source, here, all, &guard);
    if (line == 0)
        return NULL;
    OWNED char *text = text_format("No thread ran line %u, in this case or in the last one of any "
                                   "other test: the condition in line %u never let one get there.",
                                   line, guard);
    return diagnosis("never_ran", text, "Which threads are to get there, and when?",
                     json_pack("[I, I]", (json_int_t)guard, (json_int_t)line));
}

/* The sentence of where a test's function fails. */
static char *say_where(const json_t *test, const json_t *where) {
    const json_int_t failed = record_count(where, "failed");
    OWNED char *function = record_function(test);
    return text_format(
        "Of %" JSON_INTEGER_FORMAT " calls of %s with other sizes, all %" JSON_INTEGER_FORMAT
        " fail in which %s, and none of the others.",
        failed + record_count(where, "passed"), function, failed, record_text(where, "where"));
}

/* Adds that, where experiments found it out, to what was seen, or tells it alone where nothing
 * names a cause but findings. */
static void tell_where(json_t *test) {
    json_t *seen = json_object_get(test, "diagnosis");
    const json_t *where = json_object_get(json_object_get(test, "experiment"), "where");
    if (!json_is_object(where))
        return;
    OWNED char *said = say_where(test, where);
    if (observe_has(record_text(seen, "id"))) {
        OWNED char *text = text_format("%s %s", record_text(seen, "text"), said);
        json_object_set_new(seen, "text", json_string(text));
    } else if (is_unexplained_but(test, "*")) {
        OWNED char *id = text_format("where_%s", record_text(where, "is"));
        json_object_set_new(test, "diagnosis",
                            diagnosis(id, said, "What is different about these?", json_array()));
    }
}

void record_observe_experiment(json_t *test) {
    json_t *seen = is_unexplained_but(test, "") ? terms_diagnosis(test) : NULL;
    if (seen)
        json_object_set_new(test, "diagnosis", seen);
    tell_where(test);
}

/* The lines of the kernels that name the input of which a wrong sum has too few or too many. */
static void point_to_input(json_t *test, const char *source) {
    json_t *seen = json_object_get(test, "diagnosis");
    const json_t *terms = json_object_get(json_object_get(test, "experiment"), "terms");
    const char *name = record_text(json_array_get(json_object_get(terms, "list"), 0), "name");
    if (!observe_is_of_numbers(record_text(seen, "id")) || !*name)
        return;
    json_object_set_new(seen, "lines", lines_of_reading(test, name, source));
}

bool observe_is_of_numbers(const char *id) {
    return text_is_like(id, "terms_* always_off");
}

bool observe_has(const char *id) {
    return observe_is_of_numbers(id) ||
           text_is_like(id, "missing_return never_read never_ran where_*");
}

void record_observe(json_t *lab, const char *source) {
    json_auto_t *all = json_array();
    json_t *tests = json_object_get(lab, "tests"), *test;
    size_t index;
    json_array_foreach(tests, index, test) {
        json_auto_t *here = record_lines_run(lab, test);
        json_array_extend(all, here);
    }
    json_array_foreach(tests, index, test) {
        const bool is_unexplained = is_unexplained_but(test, "");
        json_t *seen = is_unexplained ? missing_return(lab, test, source) : NULL;
        if (!seen && is_unexplained_but(test, "uninitialised"))
            seen = never_read(test, source);
        if (!seen && is_unexplained && strcmp(record_text(test, "verdict"), "wrong_answer") == 0)
            seen = never_ran(lab, test, all, source);
        if (seen)
            json_object_set_new(test, "diagnosis", seen);
        record_observe_experiment(test);
        point_to_input(test, source);
    }
}
