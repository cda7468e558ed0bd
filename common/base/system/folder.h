/* What is in a folder, by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct folder {
    char **names; /* sorted by bytes, without "." and ".." */
    size_t n;
};

/* Reads the names of all that is in a folder. False, with errno set, where it can't be read; then
 * the list is empty. folder_finish in each case. */
bool folder_read(struct folder *folder, const char *path);
void folder_finish(struct folder *folder);

/* Takes names out of the list: all but those for which `is_wanted` is true. */
void folder_keep(struct folder *folder, bool (*is_wanted)(const char *name));
