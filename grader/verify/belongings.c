/* A lab's places by its name. Lists are Meson's: a line names a lab where it has the name in
 * quotes. */
#include "grader/verify/belongings.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"

enum { LIST_BYTES = 1 << 16 };

static const char *const lists[] = {"labs/meson.build", "handouts/facts/meson.build"};

char *belongings_name(const char *lab, size_t place) {
    switch (place) {
    case 0:
        return text_format("labs/%s", lab);
    case 1:
        return text_format("solutions/%s", lab);
    case 2:
        return text_format("handouts/%s.md", lab);
    default:
        return text_format("handouts/facts/lab%.2s.py", lab);
    }
}

char *belongings_path(const struct workbook *book, const char *lab, size_t place) {
    OWNED char *name = belongings_name(lab, place);
    return text_format("%s/%s", book->root, name);
}

/* A list without the lines that have the word; the caller frees it. */
static char *without(const char *text, const char *word, size_t *n_lines) {
    char *rest = text_format("%s", "");
    size_t length;
    const char *line;
    for (unsigned i = 1; (line = text_line(text, i, &length)); i++) {
        if (memmem(line, length, word, strlen(word)))
            ++*n_lines;
        else
            text_add(&rest, "%.*s%s", (int)length, line, line[length] ? "\n" : "");
    }
    return rest;
}

enum grader_status belongings_lines(const struct workbook *book, const char *lab, bool is_struck,
                                    size_t *n_lines, struct diag *diag) {
    OWNED char *word = text_format("'%s'", lab);
    enum grader_status status = GRADER_OK;
    *n_lines = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == GRADER_OK; i++) {
        OWNED char *path = text_format("%s/%s", book->root, lists[i]), *text = NULL;
        size_t n_bytes, n = 0;
        if (!file_exists(path))
            continue;
        status = file_read(path, LIST_BYTES, &text, &n_bytes, diag);
        OWNED char *rest = text ? without(text, word, &n) : NULL;
        if (n > 0 && is_struck)
            status = file_write(path, rest, strlen(rest), diag);
        *n_lines += n;
    }
    return status;
}

bool belongings_has(const struct workbook *book, const char *lab) {
    size_t n_lines;
    bool has = belongings_lines(book, lab, false, &n_lines, NULL) == GRADER_OK && n_lines > 0;
    for (size_t i = 0; i < BELONGINGS - 1 && !has; i++) {
        OWNED char *path = belongings_path(book, lab, i);
        has = file_exists(path);
    }
    return has;
}
