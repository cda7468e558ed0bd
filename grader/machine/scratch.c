/* The process that holds the lock on the file FOLDER.lock owns FOLDER. The kernel releases the lock
 * when that process ends, however it ends. */
#include "grader/machine/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/text.h"

static const char prefix[] = "warpbook.", suffix[] = ".lock";

/* True where the descriptor is of the file that has this name now. */
static bool is_of(int fd, const char *path) {
    struct stat own, named;
    return fstat(fd, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino &&
           own.st_dev == named.st_dev;
}

/* Makes and locks PATH.lock, then the folder: there is never a folder that nobody has locked. False
 * with errno; EEXIST where another process took the name first: the caller tries another name. On a
 * file system without locks no lock is had, so no process removes another one's folder. */
static bool take(const char *path, int *lock_fd) {
    OWNED char *lock = text_format("%s%s", path, suffix);
    int fd = open(lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool is_free = fd >= 0;
    if (fd >= 0 &&
        ((flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
         !is_of(fd, lock))) { /* another process removed it meanwhile, as if a dead one's */
        is_free = false;
        errno = EEXIST;
    }
    if (is_free && mkdir(path, 0700) != 0) {
        is_free = false;
        unlink(lock);
    }
    if (!is_free && fd >= 0) {
        int error = errno;
        close(fd);
        errno = error;
    }
    *lock_fd = is_free ? fd : -1;
    return is_free;
}

/* Removes a folder whose owner is no more, given its lock's path. */
static void sweep_one(char *lock) {
    int fd = open(lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && is_of(fd, lock)) {
        OWNED char *path = text_format("%.*s", (int)(strlen(lock) - strlen(suffix)), lock);
        file_remove_tree(path);
        unlink(lock);
    }
    if (fd >= 0)
        close(fd);
}

static bool is_lock(const char *name) {
    return strncmp(name, prefix, strlen(prefix)) == 0 && text_ends_with(name, suffix);
}

static void sweep(const char *tmp) {
    OWNED_BY(folder_finish) struct folder folder;
    folder_read(&folder, tmp);
    folder_keep(&folder, is_lock);
    for (size_t i = 0; i < folder.n; i++) {
        OWNED char *lock = text_format("%s/%s", tmp, folder.names[i]);
        sweep_one(lock);
    }
}

enum grader_status scratch_make(struct scratch *scratch, const char *build, struct diag *diag) {
    const char *own = getenv("WARPBOOK_TMP");
    OWNED char *tmp = own && *own ? text_format("%s", own) : text_format("%s/tmp", build);
    bool is_made = false;
    *scratch = (struct scratch){.lock_fd = -1};
    if (file_make_folders(tmp)) {
        do {
            free(scratch->path);
            scratch->path = text_format("%s/%s%08x", tmp, prefix, file_random());
            is_made = take(scratch->path, &scratch->lock_fd);
        } while (!is_made && errno == EEXIST);
    }
    if (is_made) {
        sweep(tmp);
    } else {
        diag_set(diag, tmp, 0, "no temporary folder can be made here: %s", strerror(errno));
        free(scratch->path);
        scratch->path = NULL;
    }
    return is_made ? GRADER_OK : GRADER_FAILED;
}

void scratch_remove(struct scratch *scratch) {
    if (!scratch->path)
        return;
    OWNED char *lock = text_format("%s%s", scratch->path, suffix);
    file_remove_tree(scratch->path);
    unlink(lock);
    close(scratch->lock_fd);
    free(scratch->path);
    *scratch = (struct scratch){.lock_fd = -1};
}

char *scratch_folder(const char *scratch, const char *name, struct diag *diag) {
    char *path = text_format("%s/%s.XXXXXX", scratch, name);
    if (mkdtemp(path))
        return path;
    diag_set(diag, path, 0, "no temporary folder can be made: %s", strerror(errno));
    free(path);
    return NULL;
}
