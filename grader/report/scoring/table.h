/*
 * Tables that an instructor writes or a school's system exports: CSV (RFC 4180), a heading and rows
 * of cells. Cells are split by commas, or by semicolons or tabs where the first line has more of
 * these, as spreadsheets of many languages write them; a cell in quotes may have line breaks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/base/text.h"

struct table_row {
    char **cells; /* without quotes and the blanks around them */
    size_t n;
    unsigned line; /* of the file, where the row begins */
};

struct table {
    struct table_row *rows; /* that have a cell with something in it; the heading, if any, too */
    size_t n;
};

/* Reads a file, in UTF-8 or what encoding.h knows. GRADER_BAD_INPUT where it is no text, ends in
 * the middle of a quoted cell, or is too large. table_finish in each case. */
enum grader_status table_read(const char *path, struct table *table, struct diag *diag);
void table_finish(struct table *table);

/* A cell of a row; "" where it has none of that number. */
const char *table_cell(const struct table_row *row, size_t column);

/* The column of the first row whose heading is one of these words ("id|student id"), in whatever
 * case; -1 where there is none. */
int table_column(const struct table *table, const char *words);
