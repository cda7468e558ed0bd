/* Nothing here trusts a name: paths are built of cleaned parts, and files are only ever created. */
#include "grader/class/intake/unpack/entry.h"

#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/text.h"
#include "grader/class/intake/unpack/archive.h"
#include "grader/class/intake/unpack/name.h"

enum { BLOCK_BYTES = 1 << 16 };

struct archive *entry_reader(const char *path, bool is_folder) {
    struct archive *archive = is_folder ? archive_read_disk_new() : archive_read_new();
    if (!archive)
        abort();
    if (is_folder) {
        archive_read_disk_set_symlink_physical(archive);
        archive_read_disk_open(archive, path);
        return archive;
    }
    archive_read_support_format_zip(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_open_filename(archive, path, BLOCK_BYTES);
    return archive;
}

int entry_next(struct archive *archive, size_t n_above, struct archive_entry **entry) {
    for (;;) {
        int code = archive_read_next_header(archive, entry);
        if (n_above == 0 || code == ARCHIVE_EOF || code < ARCHIVE_WARN)
            return code;
        archive_read_disk_descend(archive);
        const char *name = archive_entry_pathname(*entry);
        if (!name || strlen(name) <= n_above)
            continue; /* the folder itself */
        OWNED char *below = text_format("%s", name + n_above);
        archive_entry_copy_pathname(*entry, below);
        return code;
    }
}

/* Shortens `wrapping` to the folders that contain the file `path`, too. */
static void narrow(char *wrapping, const char *path) {
    size_t n = 0, same = 0;
    for (; wrapping[n] && wrapping[n] == path[n]; n++) {
        if (wrapping[n] == '/')
            same = n + 1;
    }
    wrapping[same] = '\0';
}

char *entry_wrapping(const char *path, bool is_folder) {
    struct archive *archive = entry_reader(path, is_folder);
    struct archive_entry *entry;
    char *wrapping = NULL, *file;
    bool is_changed;
    int code;
    while ((code = entry_next(archive, is_folder ? strlen(path) + 1 : 0, &entry)) != ARCHIVE_EOF &&
           code > ARCHIVE_FATAL && (is_folder || code >= ARCHIVE_WARN)) {
        if (code < ARCHIVE_WARN || archive_entry_filetype(entry) != AE_IFREG ||
            strncmp(entry_name(entry), "__MACOSX/", 9) == 0 ||
            !(file = entry_path(entry_name(entry), ARCHIVE_DEPTH, &is_changed, NULL)))
            continue;
        if (!wrapping)
            wrapping = text_format("%s", file);
        narrow(wrapping, file);
        free(file);
    }
    archive_read_free(archive);
    for (char *at = wrapping, *slash; at && (slash = strchr(at, '/')); at = slash + 1) {
        OWNED_BY(name_parts_free) struct name_parts parts;
        *slash = '\0';
        name_read(at, &parts);
        *slash = '/';
        if (parts.kind != NAME_PLAIN)
            *at = '\0';
    }
    return wrapping ? wrapping : text_format("%s", "");
}

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
    char *path = text_format("%s", "");
    OWNED char *copy = text_format("%s", name);
    char *rest = copy, *word;
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
        OWNED char *clean = name_clean(word, &is_part_changed);
        text_add(&path, "%s%s", *path ? "/" : "", clean);
        *is_changed |= is_part_changed;
    }
    if (!problem && !*path)
        problem = "it has no name";
    if (!problem)
        return path;
    diag_set(diag, NULL, 0, "%s", problem);
    free(path);
    return NULL;
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(a, b);
}

bool entry_is_first(struct entry_names *names, const char *path) {
    char *copy = text_format("%s", path);
    char **node = tsearch(copy, &names->tree, compare_paths);
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
    OWNED char *copy = text_format("%s", path);
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
    return ok;
}

int entry_create(int folder_fd, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash) {
        OWNED char *above = text_format("%.*s", (int)(slash - path), path);
        entry_make_folders(folder_fd, above);
    }
    return openat(folder_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

static int compare_budgets(const void *a, const void *b) {
    return strcmp(((const struct budget *)a)->key, ((const struct budget *)b)->key);
}

struct budget *budget_of(void **budgets, const char *name, bool is_folder) {
    OWNED_BY(name_parts_free) struct name_parts parts;
    name_read(name, &parts);
    bool is_nobodys = parts.kind == NAME_PLAIN && !is_folder;
    struct budget *budget = malloc(sizeof *budget);
    if (!budget)
        abort();
    *budget = (struct budget){
        .key = is_nobodys ? text_format("what is nobody's")
                          : text_format("%s", parts.kind == NAME_PLAIN ? name : parts.id),
        .files_left = BUDGET_FILES,
        .bytes_left = (long long)BUDGET_MIB << 20,
    };
    struct budget **node = tsearch(budget, budgets, compare_budgets);
    if (!node)
        abort();
    if (*node != budget) {
        free(budget->key);
        free(budget);
    }
    return *node;
}

static void free_budget(void *node) {
    free(((struct budget *)node)->key);
    free(node);
}

void budget_finish(void *budgets) {
    tdestroy(budgets, free_budget);
}
