/* inotify on the folder, since an editor may replace the file itself. */
#include "common/base/system/saves.h"

#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"

enum { GONE_MS = 1500 };

/* Takes what inotify has; notes when the folder itself is gone, with our watch on it. */
static void drain(struct saves *saves) {
    _Alignas(struct inotify_event) char bytes[4096];
    ssize_t n;
    while (saves->fd >= 0 && (n = read(saves->fd, bytes, sizeof bytes)) > 0) {
        for (char *at = bytes; at < bytes + n;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            if (event->mask & (IN_IGNORED | IN_MOVE_SELF))
                saves->watch = -1;
            at += sizeof *event + event->len;
        }
    }
}

static void watch(struct saves *saves) {
    if (saves->fd >= 0 && saves->watch < 0)
        saves->watch = inotify_add_watch(saves->fd, saves->folder,
                                         IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVE_SELF |
                                             IN_DELETE_SELF | IN_ONLYDIR);
}

bool saves_look(struct saves *saves) {
    struct stat status;
    OWNED char *path = text_format("%s/%s", saves->folder, saves->name);
    drain(saves);
    watch(saves);
    bool is_there = stat(path, &status) == 0;
    if (is_there)
        saves->gone_ms = 0;
    else if (saves->gone_ms == 0)
        saves->gone_ms = process_clock_ms();
    /* Between an editor's removal and its rename there is no file: not worth a word. */
    if (!is_there || (status.st_ino == saves->inode && status.st_size == saves->bytes &&
                      status.st_mtim.tv_sec == saves->changed.tv_sec &&
                      status.st_mtim.tv_nsec == saves->changed.tv_nsec))
        return false;
    saves->inode = status.st_ino;
    saves->bytes = status.st_size;
    saves->changed = status.st_mtim;
    return true;
}

bool saves_is_gone(const struct saves *saves) {
    return saves->gone_ms > 0 && process_clock_ms() - saves->gone_ms > GONE_MS;
}

void saves_init(struct saves *saves, const char *path) {
    const char *name = file_base(path);
    *saves = (struct saves){
        .folder = name > path ? text_format("%.*s", (int)(name - path), path) : text_format("."),
        .name = text_format("%s", name),
        .fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK),
        .watch = -1,
    };
    saves_look(saves);
}

void saves_finish(struct saves *saves) {
    if (saves->fd >= 0)
        close(saves->fd);
    free(saves->folder);
    free(saves->name);
}
