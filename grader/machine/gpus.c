/* Among graders, two locks a GPU: the room itself, and a gate before it. Whoever waits for the room
 * holds the gate, so that nobody who comes later is let in before. */
#include "grader/machine/gpus.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/machine/driver.h"
#include "common/base/process.h"
#include "common/base/text.h"

enum { LOOK_MS = 20 };

static const char lock_folder[] = "/tmp";

void gpus_find(struct gpus *gpus) {
    int fds[2];
    *gpus = (struct gpus){.folder = lock_folder};
    for (size_t i = 0; i < GPUS_MAX; i++)
        gpus->rooms[i] = ROOM_EMPTY;
    if (pipe(fds) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        struct driver driver;
        driver_ask(&driver);
        for (int i = 0; i < driver.n_gpus && i < GPUS_MAX; i++) {
            if (write(fds[1], driver.gpus[i].uuid, GPUS_UUID) != GPUS_UUID)
                _exit(1);
        }
        _exit(0);
    }
    close(fds[1]);
    while (child > 0 && gpus->n < GPUS_MAX &&
           read(fds[0], gpus->uuids[gpus->n], GPUS_UUID) == GPUS_UUID &&
           gpus->uuids[gpus->n][0] != '\0')
        gpus->n++;
    close(fds[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* A file that everybody may lock. Where it is another user's, it may only be read, which is enough.
 */
static int open_lock(const struct gpus *gpus, const char *uuid, const char *what) {
    char *path = text_format("%s/warpbook-%s.%s", gpus->folder, uuid, what);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        fd = open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
    free(path);
    return fd;
}

/* flock() that hears an interrupt; it has no time-out of its own. */
static bool lock(int fd, int how, bool may_wait, int interrupt_fd) {
    while (flock(fd, how | LOCK_NB) != 0) {
        struct pollfd interrupt = {.fd = interrupt_fd, .events = POLLIN};
        if (!may_wait || (errno != EWOULDBLOCK && errno != EINTR) ||
            poll(&interrupt, 1, LOOK_MS) > 0)
            return false;
    }
    return true;
}

/* The room of one GPU, through its gate: a descriptor, or -1 where it can't be had, or not now. */
static int enter(const struct gpus *gpus, const char *uuid, int how, bool may_wait,
                 int interrupt_fd) {
    int gate = open_lock(gpus, uuid, "gate"), room = open_lock(gpus, uuid, "room");
    bool is_in = gate >= 0 && room >= 0 && lock(gate, LOCK_EX, may_wait, interrupt_fd) &&
                 lock(room, how, may_wait, interrupt_fd);
    if (gate >= 0)
        close(gate);
    if (!is_in && room >= 0)
        close(room);
    return is_in ? room : -1;
}

/* True where somebody has it just now whom a newcomer would have to wait for. */
static bool is_busy(const struct gpus *gpus, const char *uuid, int how) {
    int room = enter(gpus, uuid, how, false, -1);
    if (room >= 0)
        close(room);
    return room < 0;
}

/* The GPU that is likely to be free first; those that are alike take turns. */
static size_t choose(struct gpus *gpus, int how) {
    size_t first = atomic_fetch_add(&gpus->next, 1), best = 0, least = SIZE_MAX;
    for (size_t i = 0; i < gpus->n && gpus->n > 1; i++) {
        size_t gpu = (first + i) % gpus->n;
        size_t load = 2 * room_load(&gpus->rooms[gpu]) + is_busy(gpus, gpus->uuids[gpu], how);
        if (load < least) {
            least = load;
            best = gpu;
        }
    }
    return best;
}

bool gpus_take(struct gpus *gpus, bool is_alone, int interrupt_fd, struct gpus_turn *turn) {
    *turn = (struct gpus_turn){.fd = -1};
    if (gpus->n == 0)
        return false;
    int how = is_alone ? LOCK_EX : LOCK_SH;
    size_t gpu = choose(gpus, how);
    turn->uuid = gpus->uuids[gpu];
    if (!room_enter(&gpus->rooms[gpu], is_alone, interrupt_fd))
        return false;
    turn->room = &gpus->rooms[gpu];
    turn->fd = enter(gpus, turn->uuid, how, true, interrupt_fd);
    if (turn->fd < 0)
        gpus_give(turn);
    return turn->fd >= 0;
}

void gpus_give(struct gpus_turn *turn) {
    if (turn->fd >= 0)
        close(turn->fd);
    if (turn->room)
        room_leave(turn->room);
    turn->fd = -1;
    turn->room = NULL;
}
