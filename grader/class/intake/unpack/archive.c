/* A loop over libarchive's entries; entry.c decides what becomes of each. */
#include "grader/class/intake/unpack/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/class/intake/unpack/entry.h"
#include "grader/class/intake/unpack/name.h"

enum { BLOCK_BYTES = 1 << 16 };

static const char *const suffixes[] = {".zip",    ".tar",     ".tar.gz", ".tgz",
                                       ".tar.xz", ".tar.bz2", ".tar.zst"};

/* Where the suffix of an archive begins; NULL where the name is of none. */
static const char *suffix_of(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(suffixes[i]);
        if (length > n && strcasecmp(name + length - n, suffixes[i]) == 0)
            return name + length - n;
    }
    return NULL;
}

bool archive_is_named(const char *name) {
    return suffix_of(name) != NULL;
}

/* All archives of a class, and the notes on what is left out of them. */
struct unpacking {
    struct notes *notes;
    int interrupt_fd;
    void *budgets; /* see budget_of */
};

/* One archive, or the class's folder, which libarchive reads as if it were one. */
struct opened {
    struct unpacking *all;
    struct archive *archive;
    const char *shown; /* its name, for notes */
    size_t n_above;    /* of a folder: bytes of its path and the slash, which names begin with */
    struct budget *budget; /* whose archive it is; NULL: the class's, of all students */
    char *wrapping;        /* of the class's: folders around all in it, "export/", or "" */
    int folder_fd;
    const time_t *modified; /* of all that comes out; NULL: as each entry says */
    struct entry_names names;
    long long packed_bytes, bytes;
    enum { GOING, FULL_DISK, ENDED, INTERRUPTED } state;
};

/* Notes what was left out. Of a student's own archive, the student can mend it; of the class's
 * archive, it is a loss that is no fault of the student's. */
static void leave_out(struct opened *opened, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void leave_out(struct opened *opened, const char *format, ...) {
    va_list args;
    va_start(args, format);
    OWNED char *text = text_vformat(format, args);
    va_end(args);
    (opened->budget ? notes_add : notes_add_loss)(opened->all->notes, "%s: %s", opened->shown,
                                                  text);
}

static void end(struct opened *opened, const char *why) {
    leave_out(opened, "%s; the rest of it was left out", why);
    opened->state = ENDED;
}

/* The budget that an entry of this path comes out of. */
static struct budget *budget_for(struct opened *opened, const char *path, bool is_folder) {
    size_t n = strlen(opened->wrapping);
    if (opened->budget)
        return opened->budget;
    const char *below = strncmp(path, opened->wrapping, n) == 0 ? path + n : path;
    OWNED char *name = text_format("%.*s", (int)strcspn(below, "/"), below);
    struct budget *budget =
        budget_of(&opened->all->budgets, name, is_folder || strchr(below, '/') != NULL);
    return budget;
}

/* Tells once that a student has no more room. */
static void spend(struct opened *opened, struct budget *budget, const char *of_what) {
    if (!budget->is_spent)
        notes_add(opened->all->notes,
                  "%s: %s has more %s than a student may have; the rest of that was left out",
                  opened->shown, budget->key, of_what);
    budget->is_spent = true;
    if (opened->budget)
        opened->state = ENDED;
}

/* Counts bytes that came out; false where they are too many. */
static bool is_within(struct opened *opened, struct budget *budget, long long n) {
    opened->bytes += n;
    budget->bytes_left -= n;
    if (budget->bytes_left < 0)
        spend(opened, budget, "bytes");
    else if (opened->budget && opened->bytes > ARCHIVE_FREE_BYTES &&
             opened->bytes / ARCHIVE_RATIO > opened->packed_bytes)
        end(opened, "it unpacks to far more than its own size, as only a bomb does");
    return opened->state == GOING && !budget->is_spent;
}

/* Copies the data of the entry. False where the file is not to stay. */
static bool copy_data(struct opened *opened, struct budget *budget, int fd, const char *name) {
    char block[BLOCK_BYTES];
    long long n_file = 0;
    for (;;) {
        la_ssize_t n = archive_read_data(opened->archive, block, sizeof block);
        if (n == 0)
            return true;
        if (n < 0) {
            leave_out(opened, "%s is damaged (%s)", name, archive_error_string(opened->archive));
            return false;
        }
        if (!is_within(opened, budget, n))
            return false;
        if ((n_file += n) > ARCHIVE_FILE_BYTES) {
            notes_add(opened->all->notes, "%s: %s is larger than %d MiB, and was left out",
                      opened->shown, name, ARCHIVE_FILE_BYTES >> 20);
            return false;
        }
        if (write(fd, block, (size_t)n) != n) {
            opened->state = FULL_DISK;
            return false;
        }
    }
}

static void take_file(struct opened *opened, struct budget *budget, struct archive_entry *entry,
                      const char *path) {
    int fd = entry_create(opened->folder_fd, path);
    if (fd < 0) {
        notes_add_loss(opened->all->notes, "%s: %s cannot be made here: %s", opened->shown, path,
                       strerror(errno));
        opened->state = errno == ENOSPC || errno == EDQUOT ? FULL_DISK : opened->state;
        return;
    }
    bool stays = copy_data(opened, budget, fd, path);
    if (stays) {
        time_t modified = opened->modified ? *opened->modified : archive_entry_mtime(entry);
        struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = modified}};
        futimens(fd, times);
    }
    close(fd);
    if (!stays)
        unlinkat(opened->folder_fd, path, 0);
}

/* Why an entry's kind is refused; NULL where it is a folder or a file. */
static const char *problem_of(struct archive_entry *entry) {
    if (archive_entry_hardlink(entry))
        return "a link to another file";
    if (archive_entry_is_encrypted(entry))
        return "encrypted";
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
    case AE_IFDIR:
        return NULL;
    case AE_IFLNK:
        return "a symbolic link";
    default:
        return "a device, a pipe or a socket";
    }
}

static void take_entry(struct opened *opened, struct archive_entry *entry) {
    struct notes *notes = opened->all->notes;
    const char *name = entry_name(entry), *kind = problem_of(entry);
    struct diag diag;
    if (kind) {
        if (archive_entry_is_encrypted(entry))
            leave_out(opened, "%s is %s, and was left out", name, kind);
        else
            notes_add(notes, "%s: %s is %s, and was left out", opened->shown, name, kind);
        return;
    }
    bool is_changed = false;
    char *path = entry_path(name, ARCHIVE_DEPTH, &is_changed, &diag);
    if (!path) {
        notes_add(notes, "%s: %s was left out: %s", opened->shown, name, diag.message);
        return;
    }
    struct budget *budget = budget_for(opened, path, archive_entry_filetype(entry) == AE_IFDIR);
    if (budget->is_spent || budget->files_left-- == 0) {
        spend(opened, budget, "files");
        free(path);
        return;
    }
    if (is_changed)
        notes_add(notes, "%s: the name %s was cleaned", opened->shown, name);
    if (archive_entry_filetype(entry) == AE_IFDIR)
        entry_make_folders(opened->folder_fd, path);
    else if (!entry_is_first(&opened->names, path))
        notes_add(notes, "%s: %s was left out: there is one before it of this name", opened->shown,
                  name);
    else
        take_file(opened, budget, entry, path);
    free(path);
}

/* Takes all entries; the last code of libarchive. */
static int take_entries(struct opened *opened, bool *is_archive) {
    struct archive_entry *entry;
    int code = ARCHIVE_OK;
    while (opened->folder_fd >= 0 && opened->state == GOING) {
        if (process_is_interrupted(opened->all->interrupt_fd)) {
            opened->state = INTERRUPTED;
            break;
        }
        code = entry_next(opened->archive, opened->n_above, &entry);
        if (opened->n_above > 0 && code < ARCHIVE_WARN && code > ARCHIVE_FATAL) {
            leave_out(opened, "%s", archive_error_string(opened->archive));
            continue;
        }
        if (code == ARCHIVE_EOF || code < ARCHIVE_WARN)
            break;
        *is_archive = true;
        take_entry(opened, entry);
    }
    return code;
}

/* Unpacks an archive, of one student or (NULL) of the class; or copies a folder as if it had been
 * unpacked. */
static enum grader_status unpack_one(struct unpacking *all, const char *path, bool is_folder,
                                     struct budget *budget, const char *folder,
                                     const time_t *modified, struct diag *diag) {
    struct stat status;
    struct opened opened = {
        .all = all,
        .archive = entry_reader(path, is_folder),
        .shown = file_base(path),
        .n_above = is_folder ? strlen(path) + 1 : 0,
        .budget = budget,
        .wrapping = budget ? text_format("%s", "") : entry_wrapping(path, is_folder),
        .modified = modified,
        .folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
        .packed_bytes = stat(path, &status) == 0 ? (long long)status.st_size : 0,
    };
    enum grader_status result = GRADER_BAD_INPUT;
    bool is_archive = is_folder;
    int code = take_entries(&opened, &is_archive);
    if (opened.state == FULL_DISK || opened.folder_fd < 0) {
        diag_set(diag, folder, 0, "the archive cannot be unpacked here: %s", strerror(errno));
        result = GRADER_FAILED;
    } else if (opened.state == INTERRUPTED) {
        result = GRADER_INTERRUPTED;
    } else if (is_archive || code == ARCHIVE_EOF) {
        if (code < ARCHIVE_WARN && opened.state == GOING)
            end(&opened, "it is damaged");
        result = GRADER_OK;
    } else {
        diag_set(diag, path, 0, "this is no zip or tar file that can be read");
    }
    if (opened.folder_fd >= 0)
        close(opened.folder_fd);
    free(opened.wrapping);
    entry_names_finish(&opened.names);
    archive_read_free(opened.archive);
    return result;
}

static enum grader_status unpack_within(struct unpacking *all, const char *folder,
                                        struct budget *budget, int nesting, struct diag *diag);

/* Makes a folder of an archive's name beside it; within the one that lies there, where one does, so
 * that it stays the same student's. NULL, with errno set, where neither can be made; the caller
 * frees it. */
static char *make_beside(const char *folder, const char *name) {
    int length = (int)(suffix_of(name) - name);
    char *below = text_format("%s/%.*s", folder, length, name);
    if (mkdir(below, 0700) == 0)
        return below;
    if (errno == EEXIST) {
        text_add(&below, "/%.*s", length, name);
        if (mkdir(below, 0700) == 0)
            return below;
    }
    int error = errno;
    free(below);
    errno = error;
    return NULL;
}

/* Unpacks an archive that lies in a folder. */
static enum grader_status unpack_nested(struct unpacking *all, const char *folder, const char *name,
                                        struct budget *budget, int nesting, struct diag *diag) {
    struct diag problem = {0};
    char *path = text_format("%s/%s", folder, name);
    char *below = NULL;
    struct stat archive = {0};
    enum grader_status status = GRADER_OK;
    lstat(path, &archive);
    if (nesting == 0) {
        notes_add(all->notes, "%s was not unpacked: it is an archive too deep in archives", name);
    } else if (!(below = make_beside(folder, name))) {
        notes_add(all->notes, "%s was not unpacked: %s", name, strerror(errno));
    } else {
        status = unpack_one(all, path, false, budget, below, &archive.st_mtime, &problem);
        if (status == GRADER_BAD_INPUT)
            notes_add(all->notes, "%s: %s", name, problem.message);
        else if (status == GRADER_FAILED)
            *diag = problem;
        status = status == GRADER_BAD_INPUT ? GRADER_OK : status;
        if (status == GRADER_OK)
            status = unpack_within(all, below, budget, nesting - 1, diag);
    }
    unlink(path);
    free(below);
    free(path);
    return status;
}

/* Not what macOS packs of its own. */
static bool is_packed(const char *name) {
    return strcmp(name, "__MACOSX") != 0;
}

/* Unpacks the archives in a folder and in those below it. `budget` is that of the student whose
 * folder it is; NULL in the class's folder, where each thing is another student's, unless it is the
 * only one and its name says no student. */
static enum grader_status unpack_within(struct unpacking *all, const char *folder,
                                        struct budget *budget, int nesting, struct diag *diag) {
    struct folder entries;
    enum grader_status status = GRADER_OK;
    folder_read(&entries, folder);
    folder_keep(&entries, is_packed);
    for (size_t i = 0; i < entries.n; i++) {
        const char *name = entries.names[i];
        char *path = text_format("%s/%s", folder, name);
        struct name_parts parts;
        name_read(name, &parts);
        bool is_folder = !file_is_link(path) && file_is_directory(path);
        bool is_classs = !budget && entries.n == 1 && parts.kind == NAME_PLAIN;
        struct budget *own = budget || is_classs ? budget : budget_of(&all->budgets, name, true);
        if (status == GRADER_OK && is_folder)
            status = unpack_within(all, path, own, nesting, diag);
        else if (status == GRADER_OK && archive_is_named(name) && file_is_regular(path))
            status = unpack_nested(all, folder, name, own, nesting, diag);
        name_parts_free(&parts);
        free(path);
    }
    folder_finish(&entries);
    return status;
}

/* The same, so many folders deep. */
static bool is_below(const char *folder, int depth) {
    OWNED_BY(folder_finish) struct folder entries;
    bool found = false;
    folder_read(&entries, folder);
    folder_keep(&entries, is_packed);
    for (size_t i = 0; i < entries.n && !found; i++) {
        OWNED char *path = text_format("%s/%s", folder, entries.names[i]);
        if (file_is_link(path))
            ; /* is not followed */
        else if (file_is_directory(path))
            found = depth > 0 && is_below(path, depth - 1);
        else
            found = archive_is_named(entries.names[i]) && file_is_regular(path);
    }
    return found;
}

bool archive_is_below(const char *folder) {
    return is_below(folder, ARCHIVE_DEPTH);
}

enum grader_status archive_unpack(const char *path, const char *folder, int interrupt_fd,
                                  struct notes *notes, struct diag *diag) {
    static const time_t none = 0;
    struct unpacking all = {.notes = notes, .interrupt_fd = interrupt_fd};
    enum grader_status status = unpack_one(&all, path, false, NULL, folder, &none, diag);
    if (status == GRADER_OK)
        status = unpack_within(&all, folder, NULL, ARCHIVE_NESTING - 1, diag);
    budget_finish(all.budgets);
    return status;
}

enum grader_status archive_unpack_folder(const char *path, const char *folder, int interrupt_fd,
                                         struct notes *notes, struct diag *diag) {
    struct unpacking all = {.notes = notes, .interrupt_fd = interrupt_fd};
    enum grader_status status = unpack_one(&all, path, true, NULL, folder, NULL, diag);
    if (status == GRADER_OK)
        status = unpack_within(&all, folder, NULL, ARCHIVE_NESTING, diag);
    budget_finish(all.budgets);
    return status;
}
