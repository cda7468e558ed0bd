/* Nothing here trusts a name: paths are built of cleaned parts, and files are only ever created. */
#include "grader/class/intake/entry.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/class/intake/name.h"
#include "common/base/text.h"

enum { MAX_NAME = 4096 };

const char *entry_name(struct archive_entry *entry) {
    const char *name = archive_entry_pathname(entry);
    if (!name)
        name = archive_entry_pathname_utf8(entry);
    return name ? name : "";
}

/* What is wrong with a name as a whole, or NULL. */
static const char *problem_of(const char *name) {
    if (!*name)
        return "it has no name that can be read";
    if (strlen(name) > MAX_NAME)
        return "its name is too long";
    if (name[0] == '/' || name[0] == '\\' ||
        (name[1] == ':' && (name[2] == '\\' || name[2] == '/')))
        return "its name is absolute";
    return NULL;
}

char *entry_path(const char *name, unsigned max_depth, bool *is_changed, struct diag *diag) {
    const char *problem = problem_of(name);
    char *path = text_format("%s", ""), *copy = text_format("%s", name), *rest = copy, *word;
    unsigned depth = 0;
    *is_changed = false;
    while (!problem && (word = strsep(&rest, "/\\"))) {
        bool is_part_changed;
        if (!*word || strcmp(word, ".") == 0)
            continue;
        if (strcmp(word, "..") == 0)
            problem = "its name leads out of the archive";
        else if (++depth > max_depth)
            problem = "it lies too deep";
        char *clean = name_clean(word, &is_part_changed);
        char *longer = text_format("%s%s%s", path, *path ? "/" : "", clean);
        *is_changed |= is_part_changed;
        free(clean);
        free(path);
        path = longer;
    }
    if (!problem && !*path)
        problem = "it has no name";
    free(copy);
    if (!problem)
        return path;
    diag_set(diag, NULL, 0, "%s", problem);
    free(path);
    return NULL;
}

static int compare(const void *a, const void *b) {
    return strcmp(a, b);
}

bool entry_is_first(struct entry_names *names, const char *path) {
    char *copy = text_format("%s", path);
    char **node = tsearch(copy, &names->tree, compare);
    if (!node)
        abort();
    if (*node == copy)
        return true;
    free(copy);
    return false;
}

void entry_names_finish(struct entry_names *names) {
    tdestroy(names->tree, free);
    names->tree = NULL;
}

bool entry_make_folders(int folder_fd, const char *path) {
    char *copy = text_format("%s", path);
    bool ok = true;
    for (char *at = copy; ok && at;) {
        char *slash = strchr(at, '/');
        if (slash)
            *slash = '\0';
        ok = mkdirat(folder_fd, copy, 0700) == 0 || errno == EEXIST;
        if (slash)
            *slash = '/';
        at = slash ? slash + 1 : NULL;
    }
    free(copy);
    return ok;
}

int entry_open(int folder_fd, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash) {
        char *above = text_format("%.*s", (int)(slash - path), path);
        entry_make_folders(folder_fd, above);
        free(above);
    }
    return openat(folder_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}
