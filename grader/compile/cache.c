/* BUILD/cache/KEY.so and KEY.txt; the time of a file is that of its last use. Headers are found by
 * the ends of their names, and sorted by name within each folder. */
#include "grader/compile/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/text.h"

enum { MESSAGES_BYTES = 1 << 20 };

enum grader_status cache_entry_init(struct cache_entry *entry, const char *build, const char *key,
                                    struct diag *diag) {
    char *folder = text_format("%s/cache", build);
    enum grader_status status = GRADER_OK;
    *entry = (struct cache_entry){text_format("%s/%s.so", folder, key),
                                  text_format("%s/%s.txt", folder, key)};
    if (!file_make_folders(folder)) {
        diag_set(diag, folder, 0, "the folder for compiled files cannot be made: %s",
                 strerror(errno));
        status = GRADER_FAILED;
    }
    free(folder);
    return status;
}

void cache_entry_finish(struct cache_entry *entry) {
    free(entry->object);
    free(entry->messages);
}

bool cache_find(const struct cache_entry *entry, char **messages) {
    size_t n_messages;
    if (!file_is_regular(entry->object) ||
        file_read(entry->messages, MESSAGES_BYTES, messages, &n_messages, NULL) != GRADER_OK)
        return false;
    utimensat(AT_FDCWD, entry->object, NULL, 0);
    utimensat(AT_FDCWD, entry->messages, NULL, 0);
    return true;
}

struct kept {
    char *path;
    off_t bytes;
    time_t used;
};

struct list {
    struct kept *items;
    size_t n;
    off_t bytes;
};

/* The files whose keys begin with this digit, unfinished ones too, which begin with a dot. */
static void list_part(struct list *list, const char *path, char digit) {
    OWNED_BY(folder_finish) struct folder folder;
    folder_read(&folder, path);
    for (size_t i = 0; i < folder.n; i++) {
        const char *name = folder.names[i];
        struct stat status;
        char *file = text_format("%s/%s", path, name);
        if (name[name[0] == '.'] == digit && lstat(file, &status) == 0) {
            list->items = grow_list(list->items, list->n, sizeof *list->items);
            list->items[list->n++] = (struct kept){file, status.st_size, status.st_mtime};
            list->bytes += status.st_size;
        } else {
            free(file);
        }
    }
}

static int by_use(const void *a, const void *b) {
    const struct kept *x = a, *y = b;
    return (x->used > y->used) - (x->used < y->used);
}

/* Makes room among the files whose keys begin as this one does: a sixteenth is looked at, however
 * much there is, and nobody has to keep count. */
static void prune(const struct cache_entry *entry) {
    struct list list = {.n = 0};
    time_t rested = time(NULL) - CACHE_REST_S;
    const char *name = file_base(entry->object);
    OWNED char *path = text_format("%.*s", (int)(name - entry->object), entry->object);
    list_part(&list, path, name[0]);
    if (list.n > 0)
        qsort(list.items, list.n, sizeof *list.items, by_use);
    for (size_t i = 0; i < list.n; i++) {
        bool is_over = list.bytes > (off_t)(CACHE_MB / CACHE_PARTS) << 20;
        if (is_over && list.items[i].used < rested && unlink(list.items[i].path) == 0)
            list.bytes -= list.items[i].bytes;
        free(list.items[i].path);
    }
    free(list.items);
}

enum grader_status cache_keep(const struct cache_entry *entry, const char *object,
                              const char *messages, struct diag *diag) {
    enum grader_status status = file_write(entry->messages, messages, strlen(messages), diag);
    if (status == GRADER_OK)
        status = file_copy(object, entry->object, 0755, diag);
    if (status == GRADER_OK)
        prune(entry);
    return status;
}

static bool is_header(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".h") == 0 || strcmp(dot, ".cuh") == 0 || strcmp(dot, ".hpp") == 0);
}

void headers_add(struct headers *headers, const char *path, const char *inside) {
    OWNED_BY(folder_finish) struct folder folder;
    folder_read(&folder, path);
    folder_keep(&folder, is_header);
    for (size_t i = 0; i < folder.n; i++) {
        headers->items = grow_list(headers->items, headers->n, sizeof *headers->items);
        headers->items[headers->n++] =
            (struct header){text_format("%s/%s", path, folder.names[i]),
                            text_format("%s/%s", inside, folder.names[i])};
    }
}

void headers_init(struct headers *headers, const char *root, const char *lab_folder) {
    OWNED char *common = text_format("%s/labs/common", root);
    OWNED char *inside = text_format("/workbook/labs/%s", file_base(lab_folder));
    *headers = (struct headers){.n = 0};
    headers_add(headers, lab_folder, inside);
    headers_add(headers, common, "/workbook/labs/common");
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
