/* A lab's places by its name. Lists are Meson's: a line names a lab where it has the name in
 * quotes. */
#include "grader/verify/belongings.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
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

/* "04-scan" at the begin of a text of this length, or of "04-scan.md". */
static bool is_lab_name(const char *text, size_t length) {
    return length > 3 && text_is_number(text, 2) && text[2] == '-' && !memchr(text, '.', length);
}

/* Takes a name over into the list, where it is a lab's that is neither there nor in the list. */
static void add_left(const struct workbook *book, struct folder *names, const char *text,
                     size_t length) {
    OWNED char *name = text_format("%.*s", (int)length, text);
    if (!is_lab_name(name, length) ||
        find_in_list(name, book->labs, book->n_labs, sizeof *book->labs) ||
        find_in_list(name, names->names, names->n, sizeof *names->names))
        return;
    names->names = grow_list(names->names, names->n, sizeof *names->names);
    names->names[names->n++] = text_format("%s", name);
}

static void add_left_in_folder(const struct workbook *book, struct folder *names,
                               const char *folder) {
    OWNED char *path = text_format("%s/%s", book->root, folder);
    OWNED_BY(folder_finish) struct folder found;
    folder_read(&found, path);
    for (size_t i = 0; i < found.n; i++) {
        const char *name = found.names[i];
        size_t length = strlen(name);
        add_left(book, names, name, text_ends_with(name, ".md") ? length - strlen(".md") : length);
    }
}

/* The words in quotes of a list. */
static void add_left_in_list(const struct workbook *book, struct folder *names, const char *list) {
    OWNED char *path = text_format("%s/%s", book->root, list), *text = NULL;
    size_t n_bytes;
    if (file_read(path, LIST_BYTES, &text, &n_bytes, NULL) != GRADER_OK)
        return;
    for (const char *at = text; (at = strchr(at, '\'')); at++)
        add_left(book, names, at + 1, strcspn(at + 1, "'\n"));
}

void belongings_left(const struct workbook *book, struct folder *names) {
    static const char *const folders[] = {"labs", "solutions", "handouts"};
    *names = (struct folder){NULL, 0};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        add_left_in_folder(book, names, folders[i]);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        add_left_in_list(book, names, lists[i]);
}

char *belongings_text(const struct workbook *book, const char *lab) {
    char *text = NULL;
    size_t n_lines = 0;
    for (size_t i = 0; i < BELONGINGS; i++) {
        OWNED char *path = belongings_path(book, lab, i), *name = belongings_name(lab, i);
        if (file_exists(path))
            text_add(&text, "%s%s", text ? ", " : "", name);
    }
    belongings_lines(book, lab, false, &n_lines, NULL);
    if (n_lines > 0)
        text_add(&text, "%s%zu line%s of lists", text ? ", " : "", n_lines,
                 n_lines == 1 ? "" : "s");
    return text ? text : text_format("nothing");
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
