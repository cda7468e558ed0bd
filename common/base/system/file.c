/* Reads and writes files; everything odd about a path becomes one sentence. */
#include "common/base/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "common/base/text.h"

/* Says why a path could not be opened. */
static void explain_open(const char *path, struct diag *diag) {
    switch (errno) {
    case ENOENT:
        diag_set(diag, path, 0, "there is no such file");
        break;
    case EACCES:
        diag_set(diag, path, 0, "the file may not be read (see its permissions)");
        break;
    case ELOOP:
        diag_set(diag, path, 0, "the symbolic links lead in a circle");
        break;
    default:
        diag_set(diag, path, 0, "the file cannot be opened: %s", strerror(errno));
    }
}

enum grader_status file_fault(int error) {
    static const int machines[] = {EMFILE, ENFILE, ENOMEM, EIO, ENOSYS, ESTALE};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        if (error == machines[i])
            return GRADER_FAILED;
    }
    return GRADER_BAD_INPUT;
}

/* Opens without ever waiting (a pipe without a writer would), and only what is a regular file. -1
 * with errno set; 0 where it is no such file. */
static int open_regular(const char *path, size_t limit, struct diag *diag) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        int error = errno;
        explain_open(path, diag);
        if (fd >= 0)
            close(fd);
        errno = error;
        return -1;
    }
    if (S_ISDIR(status.st_mode))
        diag_set(diag, path, 0, "this is a folder; a source file is needed");
    else if (!S_ISREG(status.st_mode))
        diag_set(diag, path, 0, "this is a pipe or a device; a regular file is needed");
    else if ((unsigned long long)status.st_size > limit)
        diag_set(diag, path, 0, "the file has %lld bytes; at most %zu are read",
                 (long long)status.st_size, limit);
    else
        return fd;
    close(fd);
    errno = 0;
    return -1;
}

enum grader_status file_read(const char *path, size_t limit, char **bytes, size_t *n_bytes,
                             struct diag *diag) {
    int fd = open_regular(path, limit, diag);
    if (fd < 0)
        return file_fault(errno);
    enum grader_status status = GRADER_BAD_INPUT;
    size_t n = 0, room = 0;
    char *buffer = NULL;
    for (;;) {
        if (n + 1 >= room) {
            room = room ? room * 2 : 16384;
            char *larger = realloc(buffer, room);
            if (!larger) {
                diag_set(diag, path, 0, "no memory to read the file");
                status = GRADER_FAILED;
                goto out;
            }
            buffer = larger;
        }
        ssize_t got = read(fd, buffer + n, room - n - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            status = file_fault(errno);
            diag_set(diag, path, 0, "the file cannot be read: %s", strerror(errno));
            goto out;
        }
        if (got == 0)
            break;
        n += (size_t)got;
        if (n > limit) {
            diag_set(diag, path, 0, "the file grows beyond %zu bytes", limit);
            goto out;
        }
    }
    buffer[n] = '\0';
    *bytes = buffer;
    *n_bytes = n;
    buffer = NULL;
    status = GRADER_OK;
out:
    free(buffer);
    close(fd);
    return status;
}

const char *file_source_problem(const char *bytes, size_t n_bytes) {
    if (strspn(bytes, " \t\r\n") == n_bytes)
        return "the file is empty";
    return memchr(bytes, '\0', n_bytes) ? "the file holds binary data; a CUDA source file is text"
                                        : NULL;
}

enum grader_status file_read_source(const char *path, char **bytes, size_t *n_bytes,
                                    struct diag *diag) {
    enum grader_status status = file_read(path, FILE_SOURCE_BYTES, bytes, n_bytes, diag);
    if (status != GRADER_OK)
        return status;
    const char *problem = file_source_problem(*bytes, *n_bytes);
    if (!problem)
        return GRADER_OK;
    diag_set(diag, path, 0, "%s", problem);
    free(*bytes);
    *bytes = NULL;
    return GRADER_BAD_INPUT;
}

bool file_exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

bool file_is_directory(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool file_is_regular(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool file_is_link(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

bool file_is_executable(const char *path) {
    return file_is_regular(path) && access(path, X_OK) == 0;
}

char *file_in_path(const char *program) {
    const char *list = getenv("PATH");
    while (list && *list) {
        size_t length = strcspn(list, ":");
        char *path = text_format("%.*s/%s", (int)length, list, program);
        if (path[0] == '/' && file_is_executable(path))
            return path;
        free(path);
        list += length + (list[length] == ':');
    }
    return NULL;
}

bool file_make_folders(const char *path) {
    OWNED char *copy = text_format("%s", path);
    bool ok = true;
    for (char *slash = strchr(copy + 1, '/'); ok; slash = strchr(slash + 1, '/')) {
        if (slash)
            *slash = '\0';
        ok = mkdir(copy, 0777) == 0 || errno == EEXIST;
        if (!slash)
            break;
        *slash = '/';
    }
    return ok && file_is_directory(path);
}

bool file_is_remote(const char *path) {
    /* Those without a name in the kernel's headers: GPFS, BeeGFS, Lustre. */
    static const uint32_t types[] = {
        NFS_SUPER_MAGIC, SMB_SUPER_MAGIC,  SMB2_SUPER_MAGIC, CIFS_SUPER_MAGIC, AFS_SUPER_MAGIC,
        AFS_FS_MAGIC,    CODA_SUPER_MAGIC, V9FS_MAGIC,       CEPH_SUPER_MAGIC, FUSE_SUPER_MAGIC,
        0x47504653,      0x19830326,       0x0bd00bd0,
    };
    struct statfs status;
    if (statfs(path, &status) != 0)
        return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if ((uint32_t)status.f_type == types[i])
            return true;
    }
    return false;
}

uint32_t file_random(void) {
    uint32_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        number = (uint32_t)getpid() ^ (uint32_t)time(NULL);
    return number;
}

/* Only beside its name is a rename sure to reach it. */
bool file_begin(struct file_draft *draft, const char *path) {
    OWNED char *folder = text_format("%.*s", (int)(file_base(path) - path), path);
    *draft = (struct file_draft){.path = path, .fd = -1};
    if (!*folder || file_make_folders(folder)) {
        do {
            free(draft->temporary);
            draft->temporary = text_format("%s.%s.%08x", folder, file_base(path), file_random());
            draft->fd = open(draft->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        } while (draft->fd < 0 && errno == EEXIST);
    }
    return draft->fd >= 0;
}

enum grader_status file_end(struct file_draft *draft, bool ok, struct diag *diag) {
    int error = ok ? 0 : errno;
    if (draft->fd >= 0 && close(draft->fd) != 0 && !error)
        error = errno;
    if (ok && !error && rename(draft->temporary, draft->path) != 0)
        error = errno;
    ok = ok && !error;
    if (!ok) {
        diag_set(diag, draft->path, 0, "the file cannot be written: %s", strerror(error));
        if (draft->fd >= 0)
            unlink(draft->temporary);
    }
    free(draft->temporary);
    return ok ? GRADER_OK : GRADER_FAILED;
}

static bool write_all(int fd, const char *bytes, size_t n_bytes) {
    while (n_bytes > 0) {
        ssize_t written = write(fd, bytes, n_bytes);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        n_bytes -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

enum grader_status file_write(const char *path, const char *bytes, size_t n_bytes,
                              struct diag *diag) {
    struct file_draft draft;
    bool ok = file_begin(&draft, path) && write_all(draft.fd, bytes, n_bytes);
    return file_end(&draft, ok, diag);
}

/* All that is left to read of `from`. */
static bool copy_all(int from, int to) {
    char bytes[1 << 16];
    ssize_t n;
    while ((n = read(from, bytes, sizeof bytes)) != 0) {
        if (n < 0 ? errno != EINTR : !write_all(to, bytes, (size_t)n))
            return false;
    }
    return true;
}

enum grader_status file_copy(const char *from, const char *path, mode_t mode, struct diag *diag) {
    struct file_draft draft;
    int from_fd = open(from, O_RDONLY | O_CLOEXEC);
    if (from_fd < 0) {
        explain_open(from, diag);
        return GRADER_FAILED;
    }
    bool ok =
        file_begin(&draft, path) && copy_all(from_fd, draft.fd) && fchmod(draft.fd, mode) == 0;
    enum grader_status status = file_end(&draft, ok, diag);
    close(from_fd);
    return status;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status;
    (void)kind;
    (void)walk;
    remove(path);
    return 0;
}

void file_remove_tree(const char *path) {
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

const char *file_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *file_display(const char *path) {
    OWNED char *here = getcwd(NULL, 0);
    size_t length = here ? strlen(here) : 0;
    const char *shown = path;
    if (length > 1 && strncmp(path, here, length) == 0 && path[length] == '/')
        shown = path + length + 1;
    return text_format("%s", shown);
}
