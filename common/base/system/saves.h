/*
 * Notices when a file is saved: written in place, or replaced by rename as many editors do. inotify
 * says so at once; where it says nothing (folders of another system, as in WSL), a look at the file
 * twice a second does.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

enum { SAVES_LOOK_MS = 500 }; /* how often saves_look should be called */

struct saves {
    char *folder, *name;
    int fd;    /* to poll for reading; -1 where there is no inotify */
    int watch; /* -1 while the folder is not there */
    ino_t inode;
    off_t bytes;
    struct timespec changed;
    double gone_ms; /* of the clock when it was first not there; 0 while it is */
};

/* Starts to watch a file, which need not be there. saves_finish in each case. */
void saves_init(struct saves *saves, const char *path);
void saves_finish(struct saves *saves);

/* True where the file is another one than at the last look. */
bool saves_look(struct saves *saves);
/* True where there has been no file for longer than any editor needs to replace it. */
bool saves_is_gone(const struct saves *saves);
