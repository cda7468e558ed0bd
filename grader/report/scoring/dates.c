/* Lines, cells, and a search from the end. */
#include "grader/report/scoring/dates.h"

#include <stdlib.h>
#include <string.h>

#include "grader/report/scoring/metadata.h"
#include "common/base/file.h"
#include "common/base/grow.h"
#include "common/base/text.h"

enum { DATES_BYTES = 8 << 20 };

/* Takes a cell off a line of CSV, without its quotes and the blanks around it; "" once there is
 * none. The caller frees it. */
static char *take_cell(const char **line) {
    const char *at = *line + strspn(*line, " ");
    char *cell = calloc(strlen(at) + 1, 1);
    size_t n = 0;
    bool is_quoted = false;
    if (!cell)
        abort();
    for (; *at && (is_quoted || *at != ','); at++) {
        if (*at != '"')
            cell[n++] = *at;
        else if (is_quoted && at[1] == '"')
            cell[n++] = *at++;
        else
            is_quoted = !is_quoted;
    }
    *line = at + (*at == ',');
    while (n > 0 && strchr(" \r", cell[n - 1]))
        cell[--n] = '\0';
    return cell;
}

/* Reads one line; false, with a sentence, where it makes no sense. */
static bool read_line(const char *line, bool is_first, const struct workbook *book,
                      struct dates *dates, struct diag *diag) {
    char *student = take_cell(&line), *time = take_cell(&line), *lab = take_cell(&line);
    struct dates_entry entry = {.student = student, .handed = metadata_time(time)};
    bool is_entry = *student && entry.handed > 0;
    bool ok = is_entry || is_first || (!*student && !*time);
    if (!ok)
        diag_set(diag, NULL, 0, "a line wants a student's id and a time: ann,2026-11-21 23:59");
    if (is_entry && *lab)
        ok = (entry.lab = workbook_find(book, lab, diag)) != NULL;
    if (ok && is_entry) {
        dates->entries = grow_list(dates->entries, dates->n, sizeof *dates->entries);
        dates->entries[dates->n++] = entry;
    } else {
        free(student);
    }
    free(lab);
    free(time);
    return ok;
}

enum grader_status dates_read(const char *path, const struct workbook *book, struct dates *dates,
                              struct diag *diag) {
    char *bytes = NULL;
    size_t n_bytes;
    struct diag problem = {0};
    *dates = (struct dates){0};
    enum grader_status status = file_read(path, DATES_BYTES, &bytes, &n_bytes, diag);
    char *rest = bytes, *line;
    if (status == GRADER_OK && strncmp(rest, "\xef\xbb\xbf", 3) == 0)
        rest += 3; /* spreadsheets write this mark of UTF-8 */
    for (unsigned i = 1; status == GRADER_OK && (line = strsep(&rest, "\n")); i++) {
        if (!read_line(line, i == 1, book, dates, &problem)) {
            diag_set(diag, path, i, "%s", problem.message);
            status = GRADER_BAD_INPUT;
        }
    }
    free(bytes);
    return status;
}

time_t dates_find(const struct dates *dates, const char *student, const char *lab) {
    time_t handed = 0;
    for (size_t i = dates->n; i-- > 0;) {
        const struct dates_entry *entry = &dates->entries[i];
        if (strcmp(entry->student, student) != 0)
            continue;
        if (entry->lab && strcmp(entry->lab->name, lab) == 0)
            return entry->handed;
        if (!entry->lab && handed == 0)
            handed = entry->handed;
    }
    return handed;
}

void dates_finish(struct dates *dates) {
    for (size_t i = 0; i < dates->n; i++)
        free(dates->entries[i].student);
    free(dates->entries);
    *dates = (struct dates){0};
}
