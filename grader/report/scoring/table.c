/* A scanner of CSV, cell by cell. */
#include "grader/report/scoring/table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/encoding.h"
#include "common/base/grow.h"
#include "common/base/system/file.h"

enum { TABLE_BYTES = 8 << 20, MAX_ROWS = 100000, MAX_CELLS = 2000 };

struct scan {
    const char *at;
    char comma;
    unsigned line;
};

/* The sign of three that the first line has most of. */
static char comma_of(const char *text) {
    size_t n[128] = {0};
    for (const char *c = text; *c && *c != '\n'; c++)
        n[*c & 0x7f]++;
    return n[';'] > n[','] ? (n['\t'] > n[';'] ? '\t' : ';') : n['\t'] > n[','] ? '\t' : ',';
}

/* Takes a cell; the scan is then at what ends it. False where a quote is not closed. */
static bool take_cell(struct scan *scan, char **cell) {
    const char *at = scan->at + strspn(scan->at, " ");
    bool is_quoted = false;
    size_t n = 0;
    *cell = make_zeroed(strcspn(at, "\n") + 1, 1);
    for (; *at && (is_quoted || (*at != scan->comma && *at != '\n')); at++) {
        if (*at == '\n') {
            scan->line++;
            char *longer = make_zeroed(n + strcspn(at + 1, "\n") + 2, 1);
            memcpy(longer, *cell, n);
            free(*cell);
            *cell = longer;
        }
        if (*at != '"')
            (*cell)[n++] = *at;
        else if (is_quoted && at[1] == '"')
            (*cell)[n++] = *at++;
        else
            is_quoted = !is_quoted;
    }
    while (n > 0 && strchr(" \r", (*cell)[n - 1]))
        (*cell)[--n] = '\0';
    scan->at = at;
    return !is_quoted;
}

static void free_row(struct table_row *row) {
    for (size_t i = 0; i < row->n; i++)
        free(row->cells[i]);
    free(row->cells);
}

/* Takes a row, and keeps it where there is something in it. False with a sentence. */
static bool take_row(struct scan *scan, struct table *table, struct diag *diag) {
    struct table_row row = {.line = scan->line};
    bool is_whole = true, is_empty = true, is_last = false;
    while (is_whole && !is_last) {
        row.cells = grow_list(row.cells, row.n, sizeof *row.cells);
        is_whole = take_cell(scan, &row.cells[row.n]) && row.n < MAX_CELLS;
        is_empty &= !*row.cells[row.n++];
        is_last = *scan->at != scan->comma;
        scan->at += *scan->at != '\0';
    }
    scan->line++;
    if (is_whole && !is_empty && table->n < MAX_ROWS) {
        table->rows = grow_list(table->rows, table->n, sizeof *table->rows);
        table->rows[table->n++] = row;
        return true;
    }
    if (!is_whole)
        diag_set(diag, NULL, row.line,
                 "a quote is opened here and not closed, or a row is endless");
    else if (!is_empty)
        diag_set(diag, NULL, row.line, "a table has at most %d rows", MAX_ROWS);
    free_row(&row);
    return is_whole && is_empty;
}

enum grader_status table_read(const char *path, struct table *table, struct diag *diag) {
    char *bytes = NULL;
    const char *was;
    size_t n_bytes = 0;
    struct diag problem = {0};
    *table = (struct table){0};
    enum grader_status status = file_read(path, TABLE_BYTES, &bytes, &n_bytes, diag);
    if (status != GRADER_OK)
        return status;
    char *text = encoding_to_utf8(bytes, n_bytes, &n_bytes, &was);
    if (text) {
        free(bytes);
        bytes = text;
    }
    if (memchr(bytes, '\0', n_bytes)) {
        diag_set(diag, path, 0, "this is no text; a table is wanted, saved as CSV");
        status = GRADER_BAD_INPUT;
    }
    size_t n_mark =
        strncmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* spreadsheets' mark of UTF-8 */
    struct scan scan = {.at = bytes + n_mark, .comma = comma_of(bytes + n_mark), .line = 1};
    while (status == GRADER_OK && *scan.at) {
        if (!take_row(&scan, table, &problem)) {
            diag_set(diag, path, problem.line, "%s", problem.message);
            status = GRADER_BAD_INPUT;
        }
    }
    free(bytes);
    return status;
}

void table_finish(struct table *table) {
    for (size_t i = 0; i < table->n; i++)
        free_row(&table->rows[i]);
    free(table->rows);
    *table = (struct table){0};
}

const char *table_cell(const struct table_row *row, size_t column) {
    return column < row->n ? row->cells[column] : "";
}

int table_column(const struct table *table, const char *words) {
    for (size_t i = 0; table->n > 0 && i < table->rows[0].n; i++) {
        const char *heading = table->rows[0].cells[i];
        for (const char *word = words; word;
             word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL) {
            size_t length = strcspn(word, "|");
            if (strlen(heading) == length && strncasecmp(heading, word, length) == 0)
                return (int)i;
        }
    }
    return -1;
}
