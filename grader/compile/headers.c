/* Headers by the ends of their names, sorted by name within each folder. */
#include "grader/compile/headers.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/file.h"
#include "common/base/folder.h"
#include "common/base/grow.h"
#include "common/base/text.h"

static bool is_header(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".h") == 0 || strcmp(dot, ".cuh") == 0 || strcmp(dot, ".hpp") == 0);
}

void headers_add(struct headers *headers, const char *path, const char *inside) {
    struct folder folder;
    folder_read(&folder, path);
    folder_keep(&folder, is_header);
    for (size_t i = 0; i < folder.n; i++) {
        headers->items = grow_list(headers->items, headers->n, sizeof *headers->items);
        headers->items[headers->n++] =
            (struct header){text_format("%s/%s", path, folder.names[i]),
                            text_format("%s/%s", inside, folder.names[i])};
    }
    folder_finish(&folder);
}

void headers_init(struct headers *headers, const char *root, const char *lab_folder) {
    char *common = text_format("%s/labs/common", root);
    char *inside = text_format("/workbook/labs/%s", file_base(lab_folder));
    *headers = (struct headers){.n = 0};
    headers_add(headers, lab_folder, inside);
    headers_add(headers, common, "/workbook/labs/common");
    free(inside);
    free(common);
}

void headers_finish(struct headers *headers) {
    for (size_t i = 0; i < headers->n; i++) {
        free(headers->items[i].path);
        free(headers->items[i].inside);
    }
    free(headers->items);
}

void headers_digest(const struct headers *headers, struct digest *digest) {
    for (size_t i = 0; i < headers->n; i++) {
        digest_add_text(digest, headers->items[i].inside);
        digest_add_file(digest, headers->items[i].path);
    }
}
