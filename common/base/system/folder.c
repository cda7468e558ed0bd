/* Reads folders by scandir, whose order by alphasort would be the locale's. */
#include "common/base/grow.h"
#include "common/base/system/folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

static int is_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

bool folder_read(struct folder *folder, const char *path) {
    struct dirent **entries;
    int n = scandir(path, &entries, is_entry, by_bytes);
    *folder = (struct folder){0};
    if (n < 0)
        return false;
    folder->names = make_zeroed((size_t)n + 1, sizeof *folder->names);
    for (int i = 0; i < n; i++) {
        folder->names[folder->n++] = text_format("%s", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return true;
}

void folder_keep(struct folder *folder, bool (*is_wanted)(const char *name)) {
    size_t n = 0;
    for (size_t i = 0; i < folder->n; i++) {
        if (is_wanted(folder->names[i]))
            folder->names[n++] = folder->names[i];
        else
            free(folder->names[i]);
    }
    folder->n = n;
}

void folder_finish(struct folder *folder) {
    for (size_t i = 0; i < folder->n; i++)
        free(folder->names[i]);
    free(folder->names);
    *folder = (struct folder){0};
}
