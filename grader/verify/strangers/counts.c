/* Adds up what came of strangers' answers, and shows those of which something false came. */
#include "grader/verify/strangers/counts.h"

#include <stdlib.h>
#include <string.h>

#include "grader/grade/record.h"

void counts_add(struct counts *counts, const json_t *rows) {
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row) {
        for (int i = 0; i < N_STRANGER_ENDS; i++)
            counts->n[i] += strcmp(record_text(row, "end"), stranger_end_words[i]) == 0;
    }
}

json_t *counts_json(const struct counts *counts) {
    json_t *object = json_object();
    for (int i = 0; i < N_STRANGER_ENDS; i++)
        json_object_set_new(object, stranger_end_words[i], json_integer((json_int_t)counts->n[i]));
    return object;
}

/* True where one of the causes before number `n` is of the same kind. */
static bool is_said(const json_t *causes, size_t n) {
    const char *kind = record_text(json_array_get(causes, n), "kind");
    for (size_t i = 0; i < n; i++) {
        if (strcmp(record_text(json_array_get(causes, i), "kind"), kind) == 0)
            return true;
    }
    return false;
}

static bool is_good(const json_t *row) {
    const char *end = record_text(row, "end");
    return strcmp(end, stranger_end_words[STRANGER_RIGHT]) == 0 ||
           strcmp(end, stranger_end_words[STRANGER_UNPLACED]) == 0 ||
           strcmp(end, stranger_end_words[STRANGER_PASSED]) == 0;
}

/* One answer, with what was said of it. */
static void show_answer(const struct page *page, const json_t *row) {
    size_t index;
    json_t *cause;
    page_text(page, 2, is_good(row) ? PAGE_GOOD : PAGE_BAD, "%s: %s: %s", record_text(row, "end"),
              record_text(row, "file"), record_text(row, "what"));
    json_array_foreach(json_object_get(row, "causes"), index, cause) {
        if (is_said(json_object_get(row, "causes"), index))
            continue;
        page_text(page, 6, PAGE_FAINT, "%s: %s: %s%s", record_text(cause, "test"),
                  record_text(cause, "kind"), record_text(cause, "says"),
                  json_is_true(json_object_get(cause, "false")) ? " (false)" : "");
    }
    const json_t *failed = json_array_get(json_object_get(row, "failed"), 0);
    if (failed && json_array_size(json_object_get(row, "causes")) == 0)
        page_text(page, 6, PAGE_FAINT, "%s: %s", record_text(failed, "test"),
                  record_text(failed, "reason"));
}

void strangers_show(const struct page *page, const json_t *lab, bool is_all) {
    size_t index;
    json_t *item;
    page_text(page, 0, PAGE_STRONG, "%s", record_text(lab, "lab"));
    json_array_foreach(json_object_get(lab, "rows"), index, item) {
        if (is_all || !is_good(item))
            show_answer(page, item);
    }
    json_array_foreach(json_object_get(lab, "problems"), index, item)
        page_text(page, 2, PAGE_BAD, "%s", json_string_value(item));
    page_blank(page);
    fflush(page->out);
}

/* One row of a table: how it starts, and a cell for each end, in Markdown or in columns. */
static char *table_row(const char *start, const struct counts *counts, bool is_markdown) {
    char *line = text_format("%s", start);
    for (int i = 0; i < N_STRANGER_ENDS; i++) {
        OWNED char *cell =
            counts ? text_format("%zu", counts->n[i]) : text_format("%s", stranger_end_words[i]);
        int width = (int)strlen(stranger_end_words[i]) + 1;
        if (is_markdown)
            text_add(&line, " %s |", cell);
        else
            text_add(&line, "%*s", width > 6 ? width : 6, cell);
    }
    return line;
}

/* Calls `put` with the head of the table, each lab's row, and that of all. */
static void each_row(const json_t *labs,
                     void (*put)(void *to, const char *name, const struct counts *counts),
                     void *to) {
    struct counts all = {0};
    size_t index;
    json_t *lab;
    put(to, "lab", NULL);
    json_array_foreach(labs, index, lab) {
        struct counts counts = {0};
        counts_add(&counts, json_object_get(lab, "rows"));
        counts_add(&all, json_object_get(lab, "rows"));
        put(to, record_text(lab, "lab"), &counts);
    }
    put(to, "all", &all);
}

static void put_on_page(void *to, const char *name, const struct counts *counts) {
    OWNED char *start = text_format("%-4.*s", strlen(name) > 3 ? 2 : 3, name);
    OWNED char *line = table_row(start, counts, false);
    page_verbatim(to, 0, "", counts ? PAGE_PLAIN : PAGE_FAINT, line, strlen(line));
}

void counts_show(const struct page *page, const json_t *labs) {
    each_row(labs, put_on_page, (void *)page);
}

static void put_in_file(void *to, const char *name, const struct counts *counts) {
    OWNED char *start = text_format("| %.*s |", strlen(name) > 3 ? 2 : 3, name);
    OWNED char *line = table_row(start, counts, true);
    fprintf(to, "%s\n", line);
    if (!counts) {
        fputs("|---|", to);
        for (int i = 0; i < N_STRANGER_ENDS; i++)
            fputs("---|", to);
        fputc('\n', to);
    }
}

void counts_write(FILE *out, const json_t *labs) {
    size_t index, k;
    json_t *lab, *row;
    each_row(labs, put_in_file, out);
    json_array_foreach(labs, index, lab) {
        fprintf(out, "\n## %s\n\n", record_text(lab, "lab"));
        json_array_foreach(json_object_get(lab, "rows"), k, row) {
            if (!is_good(row))
                fprintf(out, "- %s: `%s`: %s\n", record_text(row, "end"), record_text(row, "file"),
                        record_text(row, "what"));
        }
    }
}
