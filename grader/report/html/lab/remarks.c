/* See remarks.h. */
#include "grader/report/html/lab/remarks.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/text/render.h"

static void add(struct remarks *remarks, json_int_t line, const char *text) {
    if (line <= 0 || line > INT32_MAX || !*text)
        return;
    for (size_t i = 0; i < remarks->n; i++) {
        if (remarks->items[i].line == line && strcmp(remarks->items[i].text, text) == 0)
            return;
    }
    remarks->items = grow_list(remarks->items, remarks->n, sizeof *remarks->items);
    remarks->items[remarks->n++] =
        (struct remark){.line = (unsigned)line, .text = text_format("%s", text)};
}

static void add_access(struct remarks *remarks, const json_t *lab, const json_t *access,
                       const char *before, const char *message) {
    const char *what = record_text(access, "what");
    OWNED char *text = text_format("%s%s%s%s", before, message, *what ? " Here: " : "", what);
    if (json_is_object(access) && render_source_is_own(lab, record_text(access, "file")))
        add(remarks, record_count(access, "line"), text);
}

static void add_lines(struct remarks *remarks, const json_t *lines, const char *text) {
    size_t index;
    json_t *line;
    json_array_foreach(lines, index, line) add(remarks, json_integer_value(line), text);
}

/* The code of the host that the test is about, and the store of the wrong element where nothing
 * else points to a line. */
static void add_origin(struct remarks *remarks, const json_t *lab, const json_t *test) {
    const json_t *mismatch = json_object_get(test, "mismatch");
    const json_t *stored = json_object_get(mismatch, "stored");
    OWNED char *text = text_format(
        "%s[%" JSON_INTEGER_FORMAT "] was stored here last, by %s. Expected %s, got %s.",
        record_text(mismatch, "what"), record_count(mismatch, "index"), record_text(stored, "who"),
        record_text(mismatch, "expected"), record_text(mismatch, "got"));
    add(remarks, record_count(json_object_get(test, "host"), "line"), record_text(test, "reason"));
    if (json_array_size(json_object_get(mismatch, "lines")) > 0 &&
        render_source_is_own(lab, record_text(stored, "file")))
        add(remarks, record_count(stored, "line"), text);
}

static void add_test(struct remarks *remarks, const json_t *lab, const json_t *test) {
    const json_t *diagnosis = json_object_get(test, "diagnosis"), *proven = render_proven(test);
    size_t index;
    json_t *finding;
    json_array_foreach(json_object_get(test, "findings"), index, finding) {
        const char *message = record_text(finding, "message");
        add_access(remarks, lab, json_object_get(finding, "here"), "", message);
        add_access(remarks, lab, json_object_get(finding, "other"), "The other side of: ", message);
    }
    add_lines(remarks, json_object_get(diagnosis, "lines"), record_text(diagnosis, "text"));
    add_origin(remarks, lab, test);
    if (!proven)
        return;
    OWNED char *text = render_proven_text(RENDER_EDIT, lab, test);
    add_lines(remarks, json_object_get(proven, "lines"), text);
    if (render_source_is_own(lab, record_text(proven, "file")))
        add(remarks, record_count(proven, "line"), text);
}

/* A line of nvcc's: "…/sum.cu(12): error: …". */
static void add_message(struct remarks *remarks, const json_t *lab, const char *line) {
    char *end;
    size_t length = strcspn(line, "(");
    OWNED char *file = text_format("%.*s", (int)length, line);
    if (!line[length] || !render_source_is_own(lab, file))
        return;
    long number = strtol(line + length + 1, &end, 10);
    if (strncmp(end, "): ", 3) == 0)
        add(remarks, number, end + 3);
}

static void add_messages(struct remarks *remarks, const json_t *lab) {
    const char *messages = record_text(json_object_get(lab, "compile"), "messages");
    while (*messages) {
        size_t length = strcspn(messages, "\n");
        OWNED char *line = text_format("%.*s", (int)length, messages);
        add_message(remarks, lab, line);
        messages += length + (messages[length] == '\n');
    }
}

static int compare(const void *a, const void *b) {
    const struct remark *one = a, *other = b;
    if (one->line != other->line)
        return one->line < other->line ? -1 : 1;
    return strcmp(one->text, other->text);
}

void remarks_make(struct remarks *remarks, const struct scored_lab *lab) {
    size_t index;
    json_t *test;
    *remarks = (struct remarks){0};
    add_messages(remarks, lab->record);
    json_array_foreach(json_object_get(lab->record, "tests"), index, test) {
        if (strcmp(record_text(test, "verdict"), "pass") != 0)
            add_test(remarks, lab->record, test);
    }
    if (remarks->n > 0)
        qsort(remarks->items, remarks->n, sizeof *remarks->items, compare);
}

void remarks_finish(struct remarks *remarks) {
    for (size_t i = 0; i < remarks->n; i++)
        free(remarks->items[i].text);
    free(remarks->items);
}
