/*
 * The numbers of a small failing case, aligned in columns: the inputs, what shared memory held at
 * each barrier, what was expected and what came, with the first wrong one marked. At most 24 lines:
 * where there are more, later barriers are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/text/render.h"

enum { MOST_LINES = 24, INDENT = 4, MOST_VALUES = 64 };

/* What nobody wrote. */
static const char unwritten[] = "?";

struct table {
    const struct render *render;
    const json_t *rows;
    json_int_t wrong;                /* index of the first wrong output, -1 for none */
    unsigned label, value, per_line; /* columns of a label and of a value; values on a line */
    unsigned lines;                  /* that are left for shared memory */
    bool has_launches;               /* more than one, so that each is named */
    bool has_unwritten;
};

static const json_t *values_of(const json_t *row) {
    return json_object_get(row, "values");
}

static const char *value_at(const json_t *row, size_t index) {
    const char *text = json_string_value(json_array_get(values_of(row), index));
    return text ? text : unwritten;
}

static bool is_kind(const json_t *row, const char *kind) {
    return strcmp(record_text(row, "kind"), kind) == 0;
}

/* The label of a row; the caller frees it. */
static char *label_of(const json_t *row) {
    json_int_t line = record_count(row, "line");
    if (is_kind(row, "shared"))
        return line > 0 ? text_format("line %" JSON_INTEGER_FORMAT, line) : text_format("end");
    return text_format("%.12s", record_text(row, is_kind(row, "input") ? "name" : "kind"));
}

static unsigned larger(unsigned a, size_t b) {
    return b > a ? (unsigned)b : a;
}

/* Finds the columns. A row of one number alone needs none. */
static void measure(struct table *table) {
    size_t index, most = 0;
    json_t *row;
    json_array_foreach(table->rows, index, row) {
        size_t n = json_array_size(values_of(row));
        OWNED char *label = label_of(row);
        table->label = larger(table->label, text_columns(label));
        table->has_launches |= record_count(row, "launch") > 0;
        for (size_t i = 0; i < n; i++) {
            table->has_unwritten |= value_at(row, i) == unwritten;
            if (n > 1)
                table->value = larger(table->value, text_columns(value_at(row, i)));
        }
        most = n > most ? n : most;
    }
    unsigned used = INDENT + table->label + 1, width = table->render->page.width;
    table->value = larger(table->value, 4); /* "[12]" */
    table->per_line = width > used ? (width - used) / (table->value + 1) : 1;
    if (table->per_line > most)
        table->per_line = (unsigned)most;
    if (table->per_line == 0)
        table->per_line = 1;
}

static unsigned lines_of(const struct table *table, const json_t *row) {
    size_t n = json_array_size(values_of(row));
    return (unsigned)((n + table->per_line - 1) / table->per_line);
}

static enum page_style style_of(const struct table *table, const json_t *row, json_int_t index) {
    if (table->wrong < 0 || index != table->wrong)
        return PAGE_PLAIN;
    return is_kind(row, "got") ? PAGE_BAD : is_kind(row, "expected") ? PAGE_GOOD : PAGE_PLAIN;
}

/* One line of a row: the values from `from` on. */
static void value_line(const struct table *table, const json_t *row, const char *label,
                       size_t from) {
    struct page_span spans[MOST_VALUES + 1];
    char *texts[MOST_VALUES + 1];
    size_t n = 0, n_values = json_array_size(values_of(row));
    texts[n] = text_format("%-*s", (int)table->label, label);
    spans[n] = (struct page_span){PAGE_FAINT, texts[n]};
    n++;
    for (size_t i = from; i < n_values && i < from + table->per_line && n <= MOST_VALUES; i++) {
        json_int_t index = record_count(row, "first") + (json_int_t)i;
        texts[n] = text_format(" %*s", (int)table->value, value_at(row, i));
        spans[n] = (struct page_span){style_of(table, row, index), texts[n]};
        n++;
    }
    page_spans(&table->render->page, INDENT, INDENT, spans, n);
    while (n > 0)
        free(texts[--n]);
}

/* The mark below the first wrong element, where it stands in the line of values from `from` on. */
static void mark_line(const struct table *table, const json_t *row, size_t from) {
    json_int_t place = table->wrong - record_count(row, "first") - (json_int_t)from;
    if (table->wrong < 0 || !is_kind(row, "got") || place < 0 || place >= table->per_line)
        return;
    size_t columns = text_columns(value_at(row, from + (size_t)place));
    unsigned end = table->label + (unsigned)(place + 1) * (table->value + 1);
    end = larger(end, table->label + 1 + columns); /* one number alone may be wider */
    struct page_span span = {PAGE_BAD, "^"};
    page_spans(&table->render->page, INDENT + end - 1, INDENT, &span, 1);
}

static void row_lines(const struct table *table, const json_t *row) {
    size_t n = json_array_size(values_of(row));
    OWNED char *label = label_of(row);
    for (size_t from = 0; from < n; from += table->per_line) {
        OWNED char *index = text_format("%*s[%" JSON_INTEGER_FORMAT "]", 2, "",
                                        record_count(row, "first") + (json_int_t)from);
        value_line(table, row, from == 0 ? label : index, from);
        mark_line(table, row, from);
    }
}

/* The indices above the values, where each array fits on a line. */
static bool has_heading(const struct table *table) {
    size_t index;
    json_t *row;
    json_array_foreach(table->rows, index, row) {
        if (lines_of(table, row) > 1 || record_count(row, "first") > 0)
            return false;
    }
    return table->per_line > 1;
}

static void heading(const struct table *table) {
    char *text = text_format("%*s", (int)table->label, "");
    for (unsigned i = 0; i < table->per_line; i++) {
        OWNED char *index = text_format("[%u]", i);
        char *more = text_format("%s%*s", text, (int)table->value + 1, index);
        free(text);
        text = more;
    }
    page_text(&table->render->page, INDENT, PAGE_FAINT, "%s", text);
    free(text);
}

static void rows_of(const struct table *table, const char *kind) {
    size_t index;
    json_t *row;
    json_array_foreach(table->rows, index, row) {
        if (is_kind(row, kind))
            row_lines(table, row);
    }
}

static bool is_same_block(const json_t *a, const json_t *b) {
    return a && record_count(a, "launch") == record_count(b, "launch") &&
           record_count(a, "block") == record_count(b, "block");
}

/* The first of them says when it was so. */
static void block_line(const struct table *table, const json_t *row, bool is_first) {
    OWNED char *launch = table->has_launches ? text_format(", launch %" JSON_INTEGER_FORMAT,
                                                           record_count(row, "launch"))
                                             : text_format("%s", "");
    page_text(&table->render->page, INDENT, PAGE_PLAIN,
              "%.20s of block %" JSON_INTEGER_FORMAT "%s%s", record_text(row, "name"),
              record_count(row, "block"), launch, is_first ? ", at each barrier" : "");
}

/* True for a block's end that shows what its last barrier has shown. */
static bool says_nothing(const json_t *before, const json_t *row) {
    return is_same_block(before, row) && record_count(row, "line") == 0 &&
           json_equal(values_of(before), values_of(row));
}

/* How many rows from this one on are of one block. */
static size_t count_rows(const struct table *table, size_t first) {
    size_t n = 1;
    const json_t *row = json_array_get(table->rows, first), *next;
    while ((next = json_array_get(table->rows, first + n)) && is_kind(next, "shared") &&
           is_same_block(row, next))
        n++;
    return n;
}

/* True where a block of the same launch shows just what an earlier one has shown. */
static bool is_repeated(const struct table *table, size_t before, size_t first, size_t n) {
    const json_t *a = json_array_get(table->rows, before), *b = json_array_get(table->rows, first);
    bool is_same =
        record_count(a, "launch") == record_count(b, "launch") && n == count_rows(table, before);
    for (size_t i = 0; i < n && is_same; i++) {
        a = json_array_get(table->rows, before + i);
        b = json_array_get(table->rows, first + i);
        is_same = record_count(a, "line") == record_count(b, "line") &&
                  json_equal(values_of(a), values_of(b));
    }
    return is_same;
}

/* One block, barrier by barrier, as far as there are lines, of which it takes what it needs.
 * Returns how many of its rows are left out. */
static unsigned block_rows(const struct table *table, size_t first, size_t n, bool is_first,
                           unsigned *lines) {
    const json_t *before = NULL;
    unsigned n_left_out = 0;
    for (size_t i = first; i < first + n; i++) {
        const json_t *row = json_array_get(table->rows, i);
        if (says_nothing(before, row))
            continue;
        unsigned needed = lines_of(table, row) + !before;
        if (n_left_out > 0 || needed + 1 > *lines) {
            n_left_out++;
            continue;
        }
        if (!before)
            block_line(table, row, is_first);
        row_lines(table, row);
        *lines -= needed;
        before = row;
    }
    return n_left_out;
}

static void repeated_line(const struct table *table, size_t n_repeated, unsigned *lines) {
    if (n_repeated == 0 || *lines < 2)
        return;
    page_text(&table->render->page, INDENT, PAGE_FAINT, "the same in %zu more block%s", n_repeated,
              n_repeated == 1 ? "" : "s");
    --*lines;
}

/* Shared memory of each block. What a block shows as the one before did is not shown again. */
static void shared(const struct table *table) {
    const size_t none = SIZE_MAX;
    size_t before = none, n_repeated = 0;
    unsigned lines = table->lines, n_left_out = 0;
    for (size_t i = 0, n; i < json_array_size(table->rows); i += n) {
        n = 1;
        if (!is_kind(json_array_get(table->rows, i), "shared"))
            continue;
        n = count_rows(table, i);
        if (before != none && n_left_out == 0 && is_repeated(table, before, i, n)) {
            n_repeated++;
            continue;
        }
        repeated_line(table, n_repeated, &lines);
        n_repeated = 0;
        n_left_out += block_rows(table, i, n, before == none, &lines);
        before = i;
    }
    repeated_line(table, n_repeated, &lines);
    if (n_left_out > 0)
        page_text(&table->render->page, INDENT, PAGE_FAINT, "… and so on, %u more", n_left_out);
}

/* Lines that are taken whatever is in shared memory. */
static unsigned fixed_lines(const struct table *table) {
    unsigned lines = 1 + has_heading(table) + table->has_unwritten + (table->wrong >= 0);
    size_t index;
    json_t *row;
    json_array_foreach(table->rows, index, row) {
        if (!is_kind(row, "shared"))
            lines += lines_of(table, row);
    }
    return lines;
}

void render_data(const struct render *render, const json_t *test) {
    const json_t *data = json_object_get(test, "data"), *wrong = json_object_get(data, "wrong");
    struct table table = {.render = render, .rows = json_object_get(data, "rows")};
    if (json_array_size(table.rows) == 0)
        return;
    table.wrong = json_is_integer(wrong) ? json_integer_value(wrong) : -1;
    measure(&table);
    unsigned fixed = fixed_lines(&table);
    table.lines = fixed < MOST_LINES ? MOST_LINES - fixed : 0;
    page_over(&render->page, 2, "its numbers");
    if (has_heading(&table))
        heading(&table);
    rows_of(&table, "input");
    shared(&table);
    rows_of(&table, "expected");
    rows_of(&table, "got");
    if (table.has_unwritten)
        page_text(&render->page, INDENT, PAGE_FAINT, "? is what nobody has written");
}
