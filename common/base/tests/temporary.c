/* Temporary folders and files of tests. */
#include "common/base/tests/temporary.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"

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
    char *path = text_format("%s/%s", folder, name);
    char *above = text_format("%.*s", (int)(strrchr(path, '/') - path), path);
    cr_assert(file_make_folders(above));
    FILE *out = fopen(path, "w");
    cr_assert(out, "cannot write %s", path);
    fputs(text, out);
    cr_assert_eq(fclose(out), 0);
    free(above);
    return path;
}

char *support_read(const char *path) {
    char *bytes = NULL;
    size_t n_bytes;
    struct diag diag = {0};
    cr_assert_eq(file_read(path, 1 << 24, &bytes, &n_bytes, &diag), GRADER_OK, "%s: %s", path,
                 diag.message);
    return bytes;
}

size_t support_count(const char *folder, const char *name, const char *part) {
    char *path = text_format("%s/%s", folder, name);
    char *text = file_exists(path) ? support_read(path) : text_format("%s", "");
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    free(text);
    free(path);
    return n;
}

void support_shell(const char *folder, const char *command) {
    char *there = text_format("cd '%s' && %s", folder, command);
    cr_assert_eq(system(there), 0, "%s", there);
    free(there);
}
