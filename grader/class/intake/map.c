/* Reads the table, and looks things up in it. */
#include "grader/class/intake/map.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/report/scoring/table.h"

static bool read_row(const struct table_row *row, const struct workbook *book,
                     const struct targets *labs, struct map *map, struct diag *diag) {
    const char *student = table_cell(row, 0), *file = table_cell(row, 1), *lab = table_cell(row, 2);
    struct map_entry entry = {.lab = MAP_NO_LAB, .line = row->line};
    if (!*student || !*file || !*lab) {
        diag_set(diag, NULL, 0,
                 "a line wants a student's id (or *), a file and a lab (or -): ann,homework.cu,01");
        return false;
    }
    if (strcmp(lab, "-") != 0) {
        const struct workbook_lab *found = workbook_find(book, lab, diag);
        for (entry.lab = 0; found && entry.lab < labs->n; entry.lab++) {
            if (labs->items[entry.lab].lab == found)
                break;
        }
        if (!found || entry.lab == labs->n)
            return false;
    }
    entry.student = text_format("%s", student);
    entry.file = text_format("%s", file);
    map->entries = grow_list(map->entries, map->n, sizeof *map->entries);
    map->entries[map->n++] = entry;
    return true;
}

enum grader_status map_read(const char *path, const struct workbook *book,
                            const struct targets *labs, struct map *map, struct diag *diag) {
    OWNED_BY(table_finish) struct table table;
    struct diag problem = {0};
    *map = (struct map){0};
    enum grader_status status = table_read(path, &table, diag);
    size_t first = status == GRADER_OK && table_column(&table, "student") == 0;
    for (size_t i = first; status == GRADER_OK && i < table.n; i++) {
        if (!read_row(&table.rows[i], book, labs, map, &problem)) {
            diag_set(diag, path, table.rows[i].line, "%s", problem.message);
            status = GRADER_BAD_INPUT;
        }
    }
    return status;
}

void map_finish(struct map *map) {
    for (size_t i = 0; i < map->n; i++) {
        free(map->entries[i].student);
        free(map->entries[i].file);
    }
    free(map->entries);
    *map = (struct map){0};
}

/* True where `file` is what the file is called, with as many of its folders as the table names. */
static bool is_named(const char *file, const char *shown, const char *name) {
    size_t length = strlen(file), n_shown = strlen(shown);
    return strcmp(file, name) == 0 || strcmp(file, shown) == 0 ||
           (n_shown > length && shown[n_shown - length - 1] == '/' &&
            strcmp(shown + n_shown - length, file) == 0);
}

const struct map_entry *map_find(const struct map *map, const char *student, const char *shown,
                                 const char *name) {
    struct map_entry *found = NULL;
    for (size_t i = map ? map->n : 0; i-- > 0;) {
        struct map_entry *entry = &map->entries[i];
        bool is_own = strcmp(entry->student, student) == 0;
        if (!is_named(entry->file, shown, name) || (!is_own && strcmp(entry->student, "*") != 0))
            continue;
        entry->is_used = true;
        if (!found || (is_own && strcmp(found->student, "*") == 0))
            found = entry;
    }
    return found;
}

const char *map_owner(const struct map *map, const char *name) {
    const struct map_entry *found = NULL;
    for (size_t i = 0; map && i < map->n; i++) {
        if (strcmp(map->entries[i].file, name) == 0 && strcmp(map->entries[i].student, "*") != 0)
            found = &map->entries[i];
    }
    return found ? found->student : NULL;
}
