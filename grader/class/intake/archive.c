/* A loop over libarchive's entries; entry.c decides what becomes of each. */
#include "grader/class/intake/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/class/intake/entry.h"
#include "common/base/file.h"
#include "common/base/text.h"

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

/* What all archives of a class may still fill, and who is told of what they may not. */
struct unpacking {
    struct notes *notes;
    size_t files_left;
    long long bytes_left;
};

/* One archive. */
struct opened {
    struct unpacking *all;
    struct archive *archive;
    const char *shown; /* the archive's name, for notes */
    int folder_fd;
    const time_t *modified; /* of all that comes out; NULL: as each entry says */
    struct entry_names names;
    long long packed_bytes, bytes;
    enum { GOING, FULL_DISK, ENDED } state;
};

static void end(struct opened *opened, const char *why) {
    notes_add(opened->all->notes, "%s: %s; the rest of it was left out", opened->shown, why);
    opened->state = ENDED;
}

/* Counts bytes that came out; false where they are too many. */
static bool is_within(struct opened *opened, long long n) {
    opened->bytes += n;
    opened->all->bytes_left -= n;
    if (opened->all->bytes_left < 0)
        end(opened, "it unpacks to more than a class may have");
    else if (opened->bytes > ARCHIVE_FREE_BYTES &&
             opened->bytes / ARCHIVE_RATIO > opened->packed_bytes)
        end(opened, "it unpacks to far more than its own size, as only a bomb does");
    return opened->state == GOING;
}

/* Copies the data of the entry. False where the file is not to stay. */
static bool copy_data(struct opened *opened, int fd, const char *name) {
    char block[BLOCK_BYTES];
    long long n_file = 0;
    for (;;) {
        la_ssize_t n = archive_read_data(opened->archive, block, sizeof block);
        if (n == 0)
            return true;
        if (n < 0) {
            notes_add(opened->all->notes, "%s: %s is damaged (%s)", opened->shown, name,
                      archive_error_string(opened->archive));
            return false;
        }
        if (!is_within(opened, n))
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

static void take_file(struct opened *opened, struct archive_entry *entry, const char *path) {
    int fd = entry_open(opened->folder_fd, path);
    if (fd < 0) {
        notes_add(opened->all->notes, "%s: %s cannot be made here: %s", opened->shown, path,
                  strerror(errno));
        opened->state = errno == ENOSPC || errno == EDQUOT ? FULL_DISK : opened->state;
        return;
    }
    bool stays = copy_data(opened, fd, path);
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
    if (opened->all->files_left-- == 0) {
        opened->all->files_left = 0;
        end(opened, "there are more files than a class may have");
        return;
    }
    if (kind) {
        notes_add(notes, "%s: %s is %s, and was left out", opened->shown, name, kind);
        return;
    }
    bool is_changed = false;
    char *path = entry_path(name, ARCHIVE_DEPTH, &is_changed, &diag);
    if (!path) {
        notes_add(notes, "%s: %s was left out: %s", opened->shown, name, diag.message);
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
        take_file(opened, entry, path);
    free(path);
}

/* Takes all entries; the last code of libarchive. */
static int take_entries(struct opened *opened, bool *is_archive) {
    struct archive_entry *entry;
    int code = ARCHIVE_OK;
    while (opened->folder_fd >= 0 && opened->state == GOING) {
        code = archive_read_next_header(opened->archive, &entry);
        if (code == ARCHIVE_EOF || code < ARCHIVE_WARN)
            break;
        *is_archive = true;
        take_entry(opened, entry);
    }
    return code;
}

static enum grader_status unpack_one(struct unpacking *all, const char *path, const char *shown,
                                     const char *folder, time_t modified, struct diag *diag) {
    struct stat status;
    struct opened opened = {.all = all, .shown = shown, .folder_fd = -1, .modified = &modified};
    enum grader_status result = GRADER_BAD_INPUT;
    bool is_archive = false;
    struct archive *archive = opened.archive = archive_read_new();
    if (!archive)
        abort();
    archive_read_support_format_zip(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    int code = archive_read_open_filename(archive, path, BLOCK_BYTES);
    opened.folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    opened.packed_bytes = stat(path, &status) == 0 ? (long long)status.st_size : 0;
    if (code >= ARCHIVE_WARN)
        code = take_entries(&opened, &is_archive);
    if (opened.state == FULL_DISK || opened.folder_fd < 0) {
        diag_set(diag, folder, 0, "the archive cannot be unpacked here: %s", strerror(errno));
        result = GRADER_FAILED;
    } else if (is_archive || code == ARCHIVE_EOF) {
        if (code < ARCHIVE_WARN && opened.state == GOING)
            end(&opened, "it is damaged");
        result = GRADER_OK;
    } else {
        diag_set(diag, path, 0, "this is no zip or tar file that can be read");
    }
    if (opened.folder_fd >= 0)
        close(opened.folder_fd);
    entry_names_finish(&opened.names);
    archive_read_free(archive);
    return result;
}

/* Copies a folder as if it had been unpacked: libarchive reads the disk as it reads an archive. */
static enum grader_status copy_folder(struct unpacking *all, const char *path, const char *folder,
                                      struct diag *diag) {
    struct opened opened = {.all = all, .shown = file_base(path), .packed_bytes = LLONG_MAX};
    struct archive_entry *entry;
    size_t n_above = strlen(path) + 1;
    struct archive *archive = opened.archive = archive_read_disk_new();
    if (!archive)
        abort();
    archive_read_disk_set_symlink_physical(archive);
    opened.folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int code = archive_read_disk_open(archive, path);
    while (code > ARCHIVE_FATAL && opened.folder_fd >= 0 && opened.state == GOING) {
        code = archive_read_next_header(archive, &entry);
        if (code == ARCHIVE_EOF || code == ARCHIVE_FATAL)
            break;
        const char *name = archive_entry_pathname(entry);
        if (code < ARCHIVE_WARN) {
            notes_add(all->notes, "%s", archive_error_string(archive));
            continue;
        }
        archive_read_disk_descend(archive);
        if (name && strlen(name) > n_above) {
            char *below = text_format("%s", name + n_above);
            archive_entry_copy_pathname(entry, below);
            free(below);
            take_entry(&opened, entry);
        }
    }
    bool ok = code == ARCHIVE_EOF || opened.state == ENDED;
    if (!ok)
        diag_set(diag, path, 0, "it cannot be copied to unpack what is in it: %s", strerror(errno));
    if (opened.folder_fd >= 0)
        close(opened.folder_fd);
    entry_names_finish(&opened.names);
    archive_read_free(archive);
    return ok ? GRADER_OK : GRADER_FAILED;
}

static enum grader_status unpack_within(struct unpacking *all, const char *folder, int nesting,
                                        struct diag *diag);

/* Unpacks an archive that lies in a folder into one of its name beside it. */
static enum grader_status unpack_nested(struct unpacking *all, const char *folder, const char *name,
                                        int nesting, struct diag *diag) {
    struct diag problem = {0};
    char *path = text_format("%s/%s", folder, name);
    char *below = text_format("%s/%.*s", folder, (int)(suffix_of(name) - name), name);
    struct stat archive = {0};
    enum grader_status status = GRADER_OK;
    lstat(path, &archive);
    if (nesting == 0) {
        notes_add(all->notes, "%s was not unpacked: it is an archive too deep in archives", name);
    } else if (mkdir(below, 0700) != 0) {
        notes_add(all->notes, "%s was not unpacked: %s", name, strerror(errno));
    } else {
        status = unpack_one(all, path, name, below, archive.st_mtime, &problem);
        if (status == GRADER_BAD_INPUT)
            notes_add(all->notes, "%s: %s", name, problem.message);
        else if (status == GRADER_FAILED)
            *diag = problem;
        status = status == GRADER_FAILED ? status : GRADER_OK;
        if (status == GRADER_OK)
            status = unpack_within(all, below, nesting - 1, diag);
    }
    unlink(path);
    free(below);
    free(path);
    return status;
}

/* Unpacks what archives lie in a folder and those below it. */
static enum grader_status unpack_within(struct unpacking *all, const char *folder, int nesting,
                                        struct diag *diag) {
    struct dirent **entries;
    enum grader_status status = GRADER_OK;
    int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        char *path = text_format("%s/%s", folder, name);
        bool is_up = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
        if (status == GRADER_OK && !is_up && file_is_directory(path))
            status = unpack_within(all, path, nesting, diag);
        else if (status == GRADER_OK && archive_is_named(name) && file_is_regular(path))
            status = unpack_nested(all, folder, name, nesting, diag);
        free(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return status;
}

/* The same, so many folders deep. */
static bool is_below(const char *folder, int depth) {
    struct dirent **entries;
    bool found = false;
    int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        char *path = text_format("%s/%s", folder, name);
        bool is_up = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
        if (!found && !is_up && depth > 0 && !file_is_link(path) && file_is_directory(path))
            found = is_below(path, depth - 1);
        else if (!found && archive_is_named(name) && !file_is_link(path))
            found = file_is_regular(path);
        free(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return found;
}

bool archive_is_below(const char *folder) {
    return is_below(folder, ARCHIVE_DEPTH);
}

static struct unpacking all_of(struct notes *notes) {
    return (struct unpacking){
        .notes = notes,
        .files_left = ARCHIVE_FILES,
        .bytes_left = (long long)ARCHIVE_TOTAL_MIB << 20,
    };
}

enum grader_status archive_unpack(const char *path, const char *folder, struct notes *notes,
                                  struct diag *diag) {
    struct unpacking all = all_of(notes);
    enum grader_status status = unpack_one(&all, path, file_base(path), folder, 0, diag);
    return status == GRADER_OK ? unpack_within(&all, folder, ARCHIVE_NESTING - 1, diag) : status;
}

enum grader_status archive_unpack_folder(const char *path, const char *folder, struct notes *notes,
                                         struct diag *diag) {
    struct unpacking all = all_of(notes);
    enum grader_status status = copy_folder(&all, path, folder, diag);
    return status == GRADER_OK ? unpack_within(&all, folder, ARCHIVE_NESTING, diag) : status;
}
