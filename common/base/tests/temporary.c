/* Temporary folders and files of tests. */
#include "common/base/tests/temporary.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/text.h"

/* Where texts stay until the process ends, as each test's does; so no leak checker misses them. */
static char *kept(char *text) {
    static char **texts;
    static size_t n;

    texts = grow_list(texts, n, sizeof *texts);
    return texts[n++] = text;
}

char *support_text(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = text_vformat(format, args);
    va_end(args);
    return kept(text);
}

char *support_folder(void) {
    char *folder = text_format("/tmp/warpbook-test.XXXXXX");
    cr_assert(mkdtemp(folder), "no temporary folder");
    return folder;
}

void support_remove(char *folder) {
    file_remove_tree(folder);
    free(folder);
}

char *support_write(const char *folder, const char *name, const char *text) {
    char *path = support_text("%s/%s", folder, name);
    char *above = support_text("%.*s", (int)(strrchr(path, '/') - path), path);
    cr_assert(file_make_folders(above));
    FILE *out = fopen(path, "w");
    cr_assert(out, "cannot write %s", path);
    fputs(text, out);
    cr_assert_eq(fclose(out), 0);
    return path;
}

char *support_read(const char *path) {
    char *bytes = NULL;
    size_t n_bytes;
    struct diag diag = {0};
    cr_assert_eq(file_read(path, 1 << 24, &bytes, &n_bytes, &diag), GRADER_OK, "%s: %s", path,
                 diag.message);
    return kept(bytes);
}

size_t support_count(const char *folder, const char *name, const char *part) {
    const char *path = support_text("%s/%s", folder, name);
    size_t n = 0;
    for (const char *at = file_exists(path) ? support_read(path) : ""; (at = strstr(at, part));
         at++)
        n++;
    return n;
}

void support_shell(const char *folder, const char *command) {
    const char *there = support_text("cd '%s' && %s", folder, command);
    cr_assert_eq(system(there), 0, "%s", there);
}
